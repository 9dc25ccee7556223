import type { Database } from '#platform/db/index';
import * as store from './store.ts';
import type { StoredVectors } from './types.ts';

/** Vectors of frames in the database: written with their observation, read by searches. */
export { insertVectors } from './store.ts';
export type { StoredVectors } from './types.ts';

export const createStoredVectors = ({ database: { db } }: { database: Database }): StoredVectors => ({
  list: (caller, filter, version) =>
    store.listSearchable(db, caller, { ...filter, folderId: filter.folderId ?? caller.folderId }, version),
  read: (videoIds, version) => store.readVectors(db, videoIds, version),
});
