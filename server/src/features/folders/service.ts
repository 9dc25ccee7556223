import type { DomainEvents, Events } from '#features/events/index';
import { canChange, canRead, canUse, reaches } from '#platform/access/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems, type Person } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from './problems.ts';
import * as store from './store.ts';

/** `user`: personal; `org`: of the organization. */
export type FolderScope = 'user' | 'org';
/** Includes `sample`: readable by everyone in the organization, changed by nobody. */
export type StoredScope = FolderScope | 'sample';

export type Folder = {
  id: string;
  name: string;
  orgId: string;
  /** Null if it is shared. */
  ownerId: string | null;
  description: string;
  createdAt: Date;
  scope: StoredScope;
  createdBy: string;
  videoCount: number;
  /** Days after their upload when its videos are deleted; null: never. */
  retentionDays: number | null;
  /** Rule by which the clocks of its new videos are read; null: by their files alone. */
  clockRule: {
    pathPattern: string | null;
    timeZone: string | null;
    shiftS: number;
    localHeader: boolean;
  } | null;
  /** Profile of the vision-language model for its videos; null: that of the service. */
  visionProfile: string | null;
};

/** Rule for the clocks of the videos of a folder, as the videos room stores and applies it. */
export type FolderClockRule = {
  pattern: string | null;
  settings: { timeZone?: string | null; shiftS?: number; isHeaderLocal?: boolean; comparisons?: unknown } | null;
};

export type NewFolder = {
  name: string;
  scope?: FolderScope | null;
  description?: string | null;
  retentionDays?: number | null;
  visionProfile?: string | null;
};

export type FolderChanges = {
  name?: string | null;
  description?: string | null;
  retentionDays?: number | null;
  visionProfile?: string | null;
};

/** Handling of the videos of a deleted folder. */
export type VideosAction = DomainEvents['folder.deleted']['videos'];

export interface Folders {
  /** Throws `folder_exists` (409) if the name is taken in the scope, or `vision_profile_unknown` (400). */
  create(caller: Caller, folder: NewFolder): Promise<Folder>;
  /** The folder with this name and scope, created if needed; concurrent calls create one. */
  createOrGet(caller: Caller, folder: NewFolder): Promise<Folder>;
  /** Without a scope, the personal folder takes precedence over the organization's. Throws `folder_not_found` (404). */
  get(caller: Person, name: string, scope?: FolderScope | null): Promise<Folder>;
  /**
   * The same; null if there is none. Throws `key_limited` (403) for a key that is limited to another folder, whether or
   * not the folder exists.
   */
  byName(caller: Person, name: string, scope?: FolderScope | null): Promise<Folder | null>;
  /** The folder, if the caller may read it. Throws `folder_not_found` (404) or `folder_forbidden` (403). */
  require(caller: Person, folderId: string, db?: Queryable): Promise<Folder>;
  /**
   * The folder, if the caller may put videos into it: their own or a shared one. Throws as `require` does, or
   * `folder_read_only` (403) for the folder of samples.
   */
  requireWritable(caller: Person, folderId: string, db?: Queryable): Promise<Folder & { scope: FolderScope }>;
  /** The folder of sample videos; null until it was first requested. Throws `key_limited` (403). */
  samples(caller: Person): Promise<Folder | null>;
  /** Creates the folder of sample videos. Returns its id; null if it exists. */
  createSamples(trx: Transaction, orgId: string, userId: string): Promise<string | null>;
  /** The caller's personal folders and the organization's, by name. Throws `cursor_invalid` (400). */
  list(
    caller: Caller,
    options: { scope?: FolderScope | null; limit: number; cursor?: string | null },
  ): Promise<{ folders: Folder[]; hasMore: boolean; nextCursor: string | null }>;
  /**
   * Changes the given fields; null clears one. Throws as `require` does, `folder_exists` (409) or
   * `vision_profile_unknown` (400).
   */
  change(caller: Caller, folderId: string, changes: FolderChanges): Promise<Folder>;
  /**
   * Deletes a folder after publishing `folder.deleted`, whose handlers move or delete its videos. Returns the deleted
   * folder. Throws as `require` does, or `folder_not_empty` (409) if it contains videos and `videos` is not given.
   */
  remove(caller: Caller, folderId: string, videos?: VideosAction | null): Promise<Folder>;
  /**
   * Locks folders until the transaction ends. Call it before locking rows of their videos, as the deletion of a folder
   * does.
   */
  lock(trx: Transaction, folderIds: readonly string[]): Promise<void>;
  /** The vision profiles of those of these folders that have one. */
  visionProfiles(folderIds: readonly string[]): Promise<Map<string, string>>;
  /** Changes the rule for the clocks of its videos, whose folder is locked; null: none. */
  changeClockRule(
    trx: Transaction,
    folderId: string,
    change: (rule: FolderClockRule | null) => FolderClockRule | null,
  ): Promise<void>;
  /** Adds `delta` to the number of videos, in the transaction of the change. Throws `folder_not_found` (404). */
  countVideos(trx: Transaction, folderId: string, delta: number): Promise<void>;
}

export type FoldersDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  /** Throws `vision_profile_unknown` (400) if no vision profile has this name. Default: all names are taken. */
  checkVisionProfile?: (name: string | null) => string | null;
};

export function createFoldersService({ database, events, checkVisionProfile = (name) => name }: FoldersDeps): Folders {
  const { db } = database;
  const insert = (caller: Caller, { name, scope, description, retentionDays, visionProfile }: NewFolder) =>
    store.insertFolder(db, {
      id: newId(),
      orgId: caller.orgId,
      ownerId: scope === 'org' ? null : caller.userId,
      createdBy: caller.userId,
      scope: scope ?? 'user',
      name: cleanName(name),
      description: description?.trim() || null,
      retentionDays: retentionDays ?? null,
      visionProfile: checkVisionProfile(visionProfile ?? null),
    });

  /** Throws `key_limited`, `folder_forbidden` (403) or `folder_not_found` (404). */
  async function find(caller: Person, folderId: string, queryable: Queryable = db): Promise<Folder> {
    if (!reaches(caller, folderId)) throw httpProblems.key_limited();
    const row = await store.folderById(queryable, folderId);
    if (!row) throw problems.folder_not_found();
    const folder = folderOf(row);
    if (!canRead(caller, folder)) throw problems.folder_forbidden();
    return folder;
  }

  /** The same, or throws `folder_read_only` (403) for the folder of samples. */
  async function findChangeable(caller: Person, folderId: string, queryable?: Queryable) {
    const folder = await find(caller, folderId, queryable);
    if (!canChange(caller, folder)) throw problems.folder_read_only();
    return folder as Folder & { scope: FolderScope };
  }

  const folders: Folders = {
    async create(caller, folder) {
      const row = await insert(caller, folder);
      if (row) return folderOf(row);
      throw taken(folder.name, folder.scope ?? 'user');
    },
    async createOrGet(caller, folder) {
      // If the folder is deleted between the two queries, the name is free and the next insert succeeds.
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
      const rows = await store.foldersByName(db, caller, cleanName(name));
      const row = rows.find(({ id, scope: of }) => (!scope || of === scope) && reaches(caller, id));
      // Whether there are others of this name is not for such a key to know.
      if (!row && caller.folderId) throw httpProblems.key_limited();
      return row ? folderOf(row) : null;
    },
    require: find,
    async requireWritable(caller, folderId, queryable) {
      const folder = await findChangeable(caller, folderId, queryable);
      if (!canUse(caller, folder)) throw problems.folder_forbidden();
      return folder;
    },
    async samples(caller) {
      const row = await store.sampleFolder(db, caller.orgId);
      if (!reaches(caller, row?.id ?? null)) throw httpProblems.key_limited();
      return row ? folderOf(row) : null;
    },
    async createSamples(trx, orgId, userId) {
      const row = {
        id: newId(),
        orgId,
        ownerId: null,
        createdBy: userId,
        scope: 'sample',
        name: 'Samples',
      } as const;
      return (
        (await store.insertFolder(trx, { ...row, description: null, retentionDays: null, visionProfile: null }))?.id ??
        null
      );
    },
    async list(caller, { scope = null, limit, cursor }) {
      const [name, id] = cursor ? decodeCursor(cursor, 2) : [];
      const after = name !== undefined && id !== undefined ? { name, id } : null;
      const found = (await store.page(db, { caller, scope, after, limit: limit + 1 })).map(folderOf);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)! : null;
      return { folders: page, hasMore: last !== null, nextCursor: last && encodeCursor([last.name, last.id]) };
    },
    async change(caller, folderId, { name, description, retentionDays, visionProfile }) {
      const { scope } = await findChangeable(caller, folderId);
      const changes = {
        ...(name == null ? {} : { name: cleanName(name) }),
        ...(description === undefined ? {} : { description: description?.trim() || null }),
        ...(retentionDays === undefined ? {} : { retentionDays }),
        ...(visionProfile === undefined ? {} : { visionProfile: checkVisionProfile(visionProfile) }),
      };
      try {
        const row = await store.changeFolder(db, folderId, changes);
        if (!row) throw problems.folder_not_found();
        return folderOf(row);
      } catch (error) {
        if ((error as { constraint?: string }).constraint === 'folders_name') throw taken(name!, scope);
        throw error;
      }
    },
    async remove(caller, folderId, videos) {
      return database.transaction(async (trx) => {
        // Videos cannot enter or leave the folder until the transaction ends.
        await store.lockFolders(trx, [folderId]);
        const folder = await findChangeable(caller, folderId, trx);
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
    lock: store.lockFolders,
    async changeClockRule(trx, folderId, change) {
      const row = await store.folderById(trx, folderId);
      if (!row) throw problems.folder_not_found();
      await store.setClockRule(trx, folderId, change(row.clockRule as FolderClockRule | null));
    },
    visionProfiles: (folderIds) => store.visionProfiles(db, folderIds),
    async countVideos(trx, folderId, delta) {
      if (!(await store.addToVideoCount(trx, folderId, delta))) throw problems.folder_not_found();
    },
  };
  return folders;
}

const taken = (name: string, scope: StoredScope) =>
  problems.folder_exists(`A folder named "${cleanName(name)}" exists already in the scope "${scope}".`);

/** One spelling per name: composed characters, trimmed. Throws `folder_name_invalid` (400) if it is empty. */
function cleanName(name: string): string {
  const clean = name.normalize('NFC').trim();
  if (clean === '') throw problems.folder_name_invalid('The folder needs a `name` that is not only spaces.');
  return clean;
}

function folderOf(row: store.FolderRow): Folder {
  return {
    id: row.id,
    name: row.name,
    orgId: row.orgId,
    ownerId: row.ownerId,
    description: row.description ?? '',
    createdAt: row.createdAt,
    scope: row.scope as StoredScope,
    createdBy: row.createdBy,
    videoCount: row.videoCount,
    retentionDays: row.retentionDays,
    clockRule: toClockRule(row.clockRule as FolderClockRule | null),
    visionProfile: row.visionProfile,
  };
}

function toClockRule(rule: FolderClockRule | null): Folder['clockRule'] {
  if (!rule) return null;
  const { timeZone = null, shiftS = 0, isHeaderLocal = false } = rule.settings ?? {};
  return { pathPattern: rule.pattern, timeZone, shiftS, localHeader: isHeaderLocal };
}
