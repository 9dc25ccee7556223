import type { Database, Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from './problems.ts';
import * as store from './store.ts';

export type FolderScope = 'user' | 'org';

export type Folder = {
  id: string;
  name: string;
  orgId: string;
  description: string;
  createdAt: Date;
  scope: FolderScope;
  createdBy: string;
  videoCount: number;
};

export type NewFolder = { name: string; scope?: FolderScope | null; description?: string | null };

export interface Folders {
  /** Throws `folder_exists` (409) when the name is taken in the scope. */
  create(caller: Caller, folder: NewFolder): Promise<Folder>;
  /** The folder of this name and scope, made if need be; fifty at once make one. */
  createOrGet(caller: Caller, folder: NewFolder): Promise<Folder>;
  /** Without a scope the personal folder comes before the organisation's. Throws `folder_not_found` (404). */
  get(caller: Caller, name: string, scope?: FolderScope | null): Promise<Folder>;
  /** The same; null when there is none. */
  byName(caller: Caller, name: string, scope?: FolderScope | null): Promise<Folder | null>;
  /** The folder, if the caller may see it. Throws `folder_not_found` (404) or `folder_forbidden` (403). */
  require(caller: Caller, folderId: string, db?: Queryable): Promise<Folder>;
  /** A video came (1) or went (-1); in the transaction in which it did. */
  countVideos(trx: Transaction, folderId: string, delta: number): Promise<void>;
}

export function createFoldersService({ database: { db } }: { database: Database }): Folders {
  const insert = (caller: Caller, { name, scope, description }: NewFolder) =>
    store.insertFolder(db, {
      id: newId(),
      org_id: caller.orgId,
      owner_id: scope === 'org' ? null : caller.userId,
      created_by: caller.userId,
      scope: scope ?? 'user',
      name: cleanName(name),
      description: description?.trim() || null,
    });

  const folders: Folders = {
    async create(caller, folder) {
      const row = await insert(caller, folder);
      if (row) return folderOf(row);
      throw problems.folder_exists(
        `A folder named "${cleanName(folder.name)}" exists already in the scope "${folder.scope ?? 'user'}".`,
      );
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
      const row = rows.find((row) => !scope || row.scope === scope);
      return row ? folderOf(row) : null;
    },
    async require(caller, folderId, queryable = db) {
      const row = await store.folderById(queryable, folderId);
      if (!row) throw problems.folder_not_found();
      if (row.org_id !== caller.orgId || (row.owner_id !== null && row.owner_id !== caller.userId)) {
        throw problems.folder_forbidden();
      }
      return folderOf(row);
    },
    countVideos: (trx, folderId, delta) => store.addToVideoCount(trx, folderId, delta),
  };
  return folders;
}

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
    scope: row.scope as FolderScope,
    createdBy: row.created_by,
    videoCount: row.video_count,
  };
}
