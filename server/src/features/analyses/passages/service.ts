import type { Engine } from '#engine/index';
import type { Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { decodeCursor, encodeCursor, httpProblems } from '#platform/http/index';
import { ID_PATTERN } from '#platform/ids';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { lockVideo } from '../event-index/index.ts';
import * as store from './store.ts';
import type { Passages } from './types.ts';

type PassagesDeps = {
  database: Database;
  engine: Pick<Engine, 'isArtifact' | 'readPassages'>;
  storage: Pick<Storage, 'readAll'>;
  videos: Pick<Videos, 'get'>;
  folders: Pick<Folders, 'require'>;
  log: Log;
};

const DEFAULT_LIMIT = 50;
/** Observations that are selected at once. */
const BATCH = 100;

export function createPassages({ database, engine, storage, videos, folders, log }: PassagesDeps): Passages {
  const { db } = database;

  /** The passages of a stored observation; none if it is missing or damaged: the next analysis makes it again. */
  async function read({ storageKey, kind, videoId }: store.EarlierObservation, signal: AbortSignal) {
    try {
      const bytes = await storage.readAll(storageKey, signal);
      if (engine.isArtifact(bytes, kind)) return engine.readPassages(bytes, kind);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      log.warn({ err: error, videoId, kind }, 'a stored observation cannot be searched');
    }
    return [];
  }

  return {
    async list(caller, { limit, cursor, ...filter }) {
      const after = cursor ? parseCursor(cursor) : null;
      if (filter.videoId) await videos.get(caller, filter.videoId);
      const folderId = filter.folderId ?? caller.folderId;
      if (folderId) await folders.require(caller, folderId);
      const size = limit ?? DEFAULT_LIMIT;
      const found = await store.findPassages(db, caller, { ...filter, folderId }, { after, limit: size + 1 });
      const page = found.slice(0, size);
      const last = found.length > size ? page.at(-1)! : null;
      return {
        passages: page.map(({ kind, position: _, ...passage }) => ({ ...passage, source: store.sourceOf(kind) })),
        hasMore: last !== null,
        nextCursor: last && encodeCursor([last.videoId, String(last.startS), last.kind, String(last.position)]),
      };
    },

    async storeEarlier(signal) {
      for (;;) {
        const observations = await store.findWithoutPassages(db, BATCH);
        if (observations.length === 0) return;
        for (const observation of observations) {
          signal.throwIfAborted();
          const passages = await read(observation, signal);
          await database.transaction(async (trx) => {
            await lockVideo(trx, observation.videoId);
            if (await store.lockWithoutPassages(trx, observation))
              await store.storePassages(trx, observation, passages);
          });
        }
      }
    },
  };
}

const ID = new RegExp(ID_PATTERN);

/** Throws `cursor_invalid` (400). */
function parseCursor(cursor: string): store.PassagePosition {
  const [videoId, startS, kind, position] = decodeCursor(cursor, 4);
  const parsed = { videoId: videoId!, startS: Number(startS), kind: kind!, position: Number(position) };
  const isValid = ID.test(parsed.videoId) && Number.isFinite(parsed.startS) && /^[a-z]+$/.test(parsed.kind);
  if (!isValid || !Number.isInteger(parsed.position) || Math.abs(parsed.position) > 2 ** 31 - 1)
    throw httpProblems.cursor_invalid();
  return parsed;
}
