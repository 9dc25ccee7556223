import type { Database } from '#platform/db/index';
import * as objects from './object-store.ts';
import * as store from './store.ts';
import type { StoredVectors } from './types.ts';

/** Vectors of frames and objects in the database: written with their observation, read by searches. */
export { insertObjectVectors } from './object-store.ts';
export { insertVectors } from './store.ts';
export type { StoredVectors } from './types.ts';

export const createStoredVectors = ({ database: { db } }: { database: Database }): StoredVectors => ({
  list: (caller, filter, versions) =>
    store.listSearchable(db, caller, { ...filter, folderId: filter.folderId ?? caller.folderId }, versions),
  read: (videoIds, version) => store.readVectors(db, videoIds, version),
  readObjects: (videoIds, version) => objects.readObjectVectors(db, videoIds, version),
  describeObjects: (videoIds, version) => objects.describeObjects(db, videoIds, version),
});
