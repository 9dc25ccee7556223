import { SCANNED_IN_MEMORY } from '#engine/index';
import type { Config } from '#platform/config/index';
import type { Database } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { buildVectorIndex } from './jobs.ts';
import * as objects from './object-store.ts';
import { needsBuild } from './pgvector/build-store.ts';
import { buildIndex } from './pgvector/builder.ts';
import { searchIndex } from './pgvector/search.ts';
import { describeSearch, obstacleOf } from './pgvector/server.ts';
import { countVectors, findUsableIndex, readServer } from './pgvector/server-store.ts';
import * as store from './store.ts';
import type { StoredVectors } from './types.ts';

export { buildVectorIndex } from './jobs.ts';
/** Vectors of frames and objects in the database: written with their observation, read by searches. */
export { insertObjectVectors } from './object-store.ts';
export { insertVectors } from './store.ts';
export type { StoredVectors, VectorSearchState } from './types.ts';

type Deps = { database: Database; jobs: Pick<Jobs, 'send'>; log: Log; vectorIndex: Config['vectorIndex'] };

export function createStoredVectors({ database, jobs, log, vectorIndex }: Deps): StoredVectors {
  const { db } = database;
  const isOff = vectorIndex.use === 'off';
  const findIndex = async () => (isOff ? null : await findUsableIndex(db));
  let logged: string | null = null;

  async function state() {
    const [server, extension, counts] = await Promise.all([readServer(db), findIndex(), countVectors(db)]);
    return describeSearch(server, { ...counts, memory: SCANNED_IN_MEMORY, isUsed: extension !== null, isOff });
  }

  return {
    async list(caller, given, versions) {
      const filter = { ...given, folderId: given.folderId ?? caller.folderId };
      const extension = await findIndex();
      const { indexed, indexSize, ...found } = await store.listSearchable(
        db,
        caller,
        filter,
        versions,
        extension !== null,
      );
      if (extension === null || indexed === 0) return { ...found, searchIndex: null };
      const sources = store.selectSources(caller, filter, versions);
      const among = { extension, sources, covered: indexed, size: indexSize };
      return { ...found, searchIndex: (search) => searchIndex(database, among, search) };
    },
    read: (videoIds, version) => store.readVectors(db, videoIds, version),
    readObjects: (videoIds, version) => objects.readObjectVectors(db, videoIds, version),
    describeObjects: (videoIds, version) => objects.describeObjects(db, videoIds, version),
    state,

    async tend() {
      const { reason } = await state();
      if (reason !== null && reason !== logged) log.warn({ reason }, 'vectors are searched without an index');
      logged = reason;
      if (isOff || obstacleOf(await readServer(db)) !== null || !(await needsBuild(db))) return;
      await database.transaction((trx) => jobs.send(trx, buildVectorIndex, {}, { unlessWaiting: true }));
    },

    build: async (signal) => {
      if (!isOff) await buildIndex({ database, log, memoryMb: vectorIndex.memoryMb }, signal);
    },
  };
}
