import { bytesOf, type Integrations } from '#features/integrations/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { findImport } from './import-store.ts';
import { dropRecording, expireIngests, giveUpRecording, processRecording, transferRecording } from './jobs.ts';
import { folderOf, isEnded, type Life, newFile, WAITING } from './life.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { Ingest } from './types.ts';
import { createWork, type WorkDeps } from './work.ts';

/** An ingest whose file did not come for this long, or that nobody had processed, is over. */
const LIFE_HOURS = 48;
const EXPIRED_AT_ONCE = 100;

export type WorkerDeps = WorkDeps & {
  integrations: Pick<Integrations, 'open'>;
  jobs: Pick<Jobs, 'handle' | 'schedule'>;
  life: Life;
  log: Log;
  /** Largest recording, in bytes. */
  maxBytes: number;
};

/** The worker's side of recordings. */
export function createWorker(deps: WorkerDeps) {
  const { database, storage, videos, integrations, jobs, life, log, maxBytes } = deps;
  const { db } = database;
  const work = createWork(deps);

  /** One attempt at a job's work; what will not pass ends the ingest. */
  async function attempt(id: string, context: JobContext, doing: (ingest: Ingest) => Promise<void>): Promise<void> {
    const ingest = await store.find(db, id);
    if (!ingest || isEnded(ingest)) return;
    try {
      await doing(ingest);
    } catch (error) {
      if (context.signal.aborted) throw error;
      // What took longer than it may takes as long the next time.
      const final = error instanceof Problem && (error.status < 500 || error.code === 'media_timeout');
      if (!final && !context.lastAttempt) throw error;
      log[final ? 'info' : 'error']({ err: error, ingestId: id }, 'a recording could not be processed');
      await giveUp(id, final ? error : problems.mcap_failed());
    }
  }

  /** The recording has failed, and so have the videos that it was to become. */
  async function giveUp(id: string, problem: Problem): Promise<void> {
    for (const film of await store.films(db, id)) {
      if (film.status !== 'processing') continue;
      if (film.videoId) await videos.giveUp(film.videoId, problem);
      await store.putFilm(db, id, { ...film, status: 'failed', problem });
    }
    await life.finish(id, 'failed', problem);
  }

  async function makeVideos(ingest: Ingest, signal: AbortSignal): Promise<void> {
    await work.make(ingest, signal);
    const films = await store.films(db, ingest.id);
    const failed = films.filter(({ status }) => status === 'failed');
    if (failed.length === films.length) {
      const reasons = failed.map(({ channel, problem }) => `${channel}: ${problem?.message}`).join(' ');
      throw problems.mcap_no_films(`None of the channels of pictures could be made a video of. ${reasons}`);
    }
    const { survey, problem } = (await store.find(db, ingest.id))!;
    const [[first], [lost]] = [failed, survey!.lost];
    const missing = first
      ? problems.mcap_part_missing(`${first.channel}: ${first.problem?.message}`)
      : lost && problems.mcap_part_missing(`A part of the recording could not be read: ${lost.reason}.`);
    const why = missing ?? problem;
    await life.finish(ingest.id, why ? 'partial' : 'completed', why);
  }

  /** Brings the object and hands it to processing. */
  async function transfer(ingest: Ingest, signal: AbortSignal): Promise<void> {
    const row = ingest.importId === null ? null : await findImport(db, ingest.importId);
    const opened = row && (await integrations.open(row.integrationId));
    if (!opened) throw problems.mcap_import_not_found('The integration that this recording comes from was deleted.');
    try {
      const key = ingest.objectKey!;
      const { size: listed } = await opened.bucket.stat(key, signal);
      await database.transaction((trx) => life.hold(trx, ingest.id, listed));
      const storageKey = newFile(ingest.id);
      const bytes = bytesOf(opened.bucket, key, signal, { listed });
      const file = await storage.write(storageKey, bytes, { signal, maxBytes });
      await database.transaction((trx) => life.brought(trx, ingest.id, storageKey, file));
    } finally {
      opened.bucket.close();
    }
  }

  return {
    /** Registers the handlers of this room's jobs. */
    work() {
      jobs.handle(transferRecording, ({ ingestId }, context) =>
        attempt(ingestId, context, (ingest) => transfer(ingest, context.signal)),
      );
      jobs.handle(processRecording, ({ ingestId }, context) =>
        attempt(ingestId, context, (ingest) => makeVideos(ingest, context.signal)),
      );
      jobs.handle(giveUpRecording, ({ ingestId }) => giveUp(ingestId, problems.mcap_failed()));
      jobs.handle(expireIngests, async () => {
        const never = problems.mcap_expired();
        const waiting = () => store.waiting(db, LIFE_HOURS, EXPIRED_AT_ONCE);
        for (let ids = await waiting(); ids.length > 0; ids = await waiting())
          for (const id of ids) await life.finish(id, 'failed', never, WAITING);
      });
      jobs.handle(dropRecording, async ({ ingestId }) => {
        const ingest = await store.find(db, ingestId);
        // Begun anew meanwhile, its file is another one.
        if (!ingest || isEnded(ingest)) await storage.removeAll(folderOf(ingestId));
      });
      jobs.schedule(expireIngests, '17 * * * *', {});
    },
  };
}
