import type { Events, News } from '#features/events/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems, type Person, reaches } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from './problems.ts';
import * as store from './store.ts';

/** Personal, or the organisation's. */
export type FolderScope = 'user' | 'org';
/** What is there has one more: `sample`, which everyone in the organisation reads and nobody changes. */
export type StoredScope = FolderScope | 'sample';

export type Folder = {
  id: string;
  name: string;
  orgId: string;
  description: string;
  createdAt: Date;
  scope: StoredScope;
  createdBy: string;
  videoCount: number;
  /** Its videos are deleted this many days after they came; null keeps them. */
  retentionDays: number | null;
};

export type NewFolder = {
  name: string;
  scope?: FolderScope | null;
  description?: string | null;
  retention_days?: number | null;
};

export type FolderChanges = { name?: string | null; description?: string | null; retention_days?: number | null };

/** What becomes of the videos of a folder that goes. */
export type Leftovers = News['folder.deleted']['videos'];

export interface Folders {
  /** Throws `folder_exists` (409) when the name is taken in the scope. */
  create(caller: Caller, folder: NewFolder): Promise<Folder>;
  /** The folder of this name and scope, made if need be; fifty at once make one. */
  createOrGet(caller: Caller, folder: NewFolder): Promise<Folder>;
  /** Without a scope the personal folder comes before the organisation's. Throws `folder_not_found` (404). */
  get(caller: Caller, name: string, scope?: FolderScope | null): Promise<Folder>;
  /** The same; null when there is none. Throws `key_limited` (403) for a key that is limited to another, whether there is one or not. */
  byName(caller: Caller, name: string, scope?: FolderScope | null): Promise<Folder | null>;
  /** The folder, if the caller may see it. Throws `folder_not_found` (404) or `folder_forbidden` (403). */
  require(caller: Person, folderId: string, db?: Queryable): Promise<Folder>;
  /** The same, if it may be changed too. Throws `folder_read_only` (403) for the folder of samples. */
  requireWritable(caller: Person, folderId: string, db?: Queryable): Promise<Folder & { scope: FolderScope }>;
  /** The organisation's folder of samples; null until somebody asked for them. Throws `key_limited` (403). */
  samples(caller: Caller): Promise<Folder | null>;
  /** Makes that folder. Returns its id; null when there is one. */
  createSamples(trx: Transaction, orgId: string, userId: string): Promise<string | null>;
  /** The caller's personal folders and the organisation's, by name. Throws `cursor_invalid` (400). */
  list(
    caller: Caller,
    options: { scope?: FolderScope | null; limit: number; cursor?: string | null },
  ): Promise<{ folders: Folder[]; nextCursor: string | null }>;
  /** Changes what is named; null empties. Throws as `require` does, or `folder_exists` (409). */
  change(caller: Caller, folderId: string, changes: FolderChanges): Promise<Folder>;
  /**
   * Deletes it, after `folder.deleted` was published, so that its videos have left it. Returns it as it was.
   * Throws as `require` does, or `folder_not_empty` (409) when it holds videos and `videos` does not say what becomes of them.
   */
  remove(caller: Caller, folderId: string, videos?: Leftovers | null): Promise<Folder>;
  /** Keeps the folders as they are until the transaction ends. Before the rows of their videos are locked: who deletes a folder does the same. */
  hold(trx: Transaction, folderIds: readonly string[]): Promise<void>;
  /** A video came (1) or went (-1); in the transaction in which it did. Throws `folder_not_found` (404) when the folder went before. */
  countVideos(trx: Transaction, folderId: string, delta: number): Promise<void>;
}

export type FoldersDeps = { database: Database; events: Pick<Events, 'publish'> };

export function createFoldersService({ database, events }: FoldersDeps): Folders {
  const { db } = database;
  const insert = (caller: Caller, { name, scope, description, retention_days }: NewFolder) =>
    store.insertFolder(db, {
      id: newId(),
      org_id: caller.orgId,
      owner_id: scope === 'org' ? null : caller.userId,
      created_by: caller.userId,
      scope: scope ?? 'user',
      name: cleanName(name),
      description: description?.trim() || null,
      retention_days: retention_days ?? null,
    });

  const folders: Folders = {
    async create(caller, folder) {
      const row = await insert(caller, folder);
      if (row) return folderOf(row);
      throw taken(folder.name, folder.scope ?? 'user');
    },
    async createOrGet(caller, folder) {
      // Between the two looks the folder may be deleted; then the name is free and the next insert makes it.
      for (;;) {
        const found = await folders.byName(caller, folder.name, folder.scope ?? 'user');
        if (found) return found;
        const row = await insert(caller, folder);
        if (row) return folderOf(row);
      }
    },
    async get(caller, name, scope) {
      const folder = await folders.byName(caller, name, scope);
      if (folder) return folder;
      throw problems.folder_not_found(
        `There is no folder named "${cleanName(name)}"${scope ? ` in the scope "${scope}"` : ''}.`,
      );
    },
    async byName(caller, name, scope) {
      const { orgId, userId } = caller;
      const rows = await store.foldersByName(db, { orgId, userId, name: cleanName(name) });
      const row = rows.find(({ id, scope: of }) => (!scope || of === scope) && reaches(caller, id));
      // Whether there are others of this name is not for such a key to know.
      if (!row && caller.folderId) throw httpProblems.key_limited();
      return row ? folderOf(row) : null;
    },
    async require(caller, folderId, queryable = db) {
      if (!reaches(caller, folderId)) throw httpProblems.key_limited();
      return allowed(caller, await store.folderById(queryable, folderId));
    },
    async requireWritable(caller, folderId, queryable = db) {
      const folder = await folders.require(caller, folderId, queryable);
      const { scope } = folder;
      if (scope === 'sample') throw problems.folder_read_only();
      return { ...folder, scope };
    },
    async samples(caller) {
      const row = await store.sampleFolder(db, caller.orgId);
      if (!reaches(caller, row?.id ?? null)) throw httpProblems.key_limited();
      return row ? folderOf(row) : null;
    },
    async createSamples(trx, orgId, userId) {
      const row = {
        id: newId(),
        org_id: orgId,
        owner_id: null,
        created_by: userId,
        scope: 'sample',
        name: 'Samples',
      } as const;
      return (await store.insertFolder(trx, { ...row, description: null, retention_days: null }))?.id ?? null;
    },
    async list(caller, { scope = null, limit, cursor }) {
      const { orgId, userId, folderId = null } = caller;
      const [name, id] = cursor ? decodeCursor(cursor, 2) : [];
      const after = name !== undefined && id !== undefined ? { name, id } : null;
      const found = (await store.page(db, { orgId, userId, folderId, scope, after, limit: limit + 1 })).map(folderOf);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)! : null;
      return { folders: page, nextCursor: last && encodeCursor([last.name, last.id]) };
    },
    async change(caller, folderId, { name, description, retention_days }) {
      const { scope } = await folders.requireWritable(caller, folderId);
      const changes = {
        ...(name == null ? {} : { name: cleanName(name) }),
        ...(description === undefined ? {} : { description: description?.trim() || null }),
        ...(retention_days === undefined ? {} : { retention_days }),
      };
      try {
        return allowed(caller, await store.changeFolder(db, folderId, changes));
      } catch (error) {
        if ((error as { constraint?: string }).constraint === 'folders_name') throw taken(name!, scope);
        throw error;
      }
    },
    async remove(caller, folderId, videos) {
      return database.transaction(async (trx) => {
        // No video comes or goes until the transaction ends.
        await store.holdFolders(trx, [folderId]);
        const folder = await folders.requireWritable(caller, folderId, trx);
        if (folder.videoCount > 0 && !videos) throw problems.folder_not_empty();
        await events.publish(trx, 'folder.deleted', {
          folderId,
          orgId: folder.orgId,
          videos: videos ?? 'move_to_root',
        });
        await store.deleteFolder(trx, folderId);
        return folder;
      });
    },
    hold: store.holdFolders,
    async countVideos(trx, folderId, delta) {
      if (!(await store.addToVideoCount(trx, folderId, delta))) throw problems.folder_not_found();
    },
  };
  return folders;
}

/** Throws `folder_not_found` (404) or `folder_forbidden` (403). */
function allowed(caller: Person, row: store.FolderRow | undefined): Folder {
  if (!row) throw problems.folder_not_found();
  if (row.org_id !== caller.orgId || (row.owner_id !== null && row.owner_id !== caller.userId)) {
    throw problems.folder_forbidden();
  }
  return folderOf(row);
}

const taken = (name: string, scope: StoredScope) =>
  problems.folder_exists(`A folder named "${cleanName(name)}" exists already in the scope "${scope}".`);

/** One spelling per name: composed characters, no spaces around. Throws `folder_name_invalid` (400) when nothing is left. */
function cleanName(name: string): string {
  const clean = name.normalize('NFC').trim();
  if (clean === '') throw problems.folder_name_invalid('The folder needs a `name` that is not only spaces.');
  return clean;
}

function folderOf(row: store.FolderRow): Folder {
  return {
    id: row.id,
    name: row.name,
    orgId: row.org_id,
    description: row.description ?? '',
    createdAt: row.created_at,
    scope: row.scope as StoredScope,
    createdBy: row.created_by,
    videoCount: row.video_count,
    retentionDays: row.retention_days,
  };
}
