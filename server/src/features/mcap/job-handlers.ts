import { type Integrations, readObject } from '#features/integrations/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { type ConverterDeps, createConverter } from './convert/index.ts';
import { findImport } from './imports/index.ts';
import { deleteRecordingFile, expireIngests, failIngest, processRecording, transferRecording } from './jobs.ts';
import { isEnded, type Lifecycle, newStorageKey, toStorageFolder, WAITING } from './lifecycle.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { McapIngest } from './types.ts';

/** Hours after which an ingest expires if it was not uploaded or not processed. */
const MAX_AGE_HOURS = 48;
const EXPIRED_BATCH = 100;

export type JobHandlerDeps = ConverterDeps & {
  integrations: Pick<Integrations, 'open'>;
  jobs: Pick<Jobs, 'handle' | 'schedule'>;
  life: Lifecycle;
  log: Log;
  /** Maximum size of a recording in bytes. */
  maxBytes: number;
};

/** Handlers of the room's jobs. */
export function createJobHandlers(deps: JobHandlerDeps) {
  const { database, storage, videos, integrations, jobs, life, log, maxBytes } = deps;
  const { db } = database;
  const work = createConverter(deps);

  /** Runs one attempt of a job. Permanent errors end the ingest. */
  async function attempt(id: string, context: JobContext, run: (ingest: McapIngest) => Promise<void>): Promise<void> {
    const ingest = await store.find(db, id);
    if (!ingest || isEnded(ingest)) return;
    try {
      await run(ingest);
    } catch (error) {
      if (context.signal.aborted) throw error;
      // A timeout would occur again.
      const final = error instanceof Problem && (!error.isFault || error.code === 'media_timeout');
      if (!final && !context.lastAttempt) throw error;
      log[final ? 'info' : 'error']({ err: error, ingestId: id }, 'processing of a recording failed');
      const isKnown = final || (error instanceof Problem && error.code === 'media_killed');
      await markFailed(id, isKnown ? error : problems.mcap_failed());
    }
  }

  /** Marks an ingest and its unfinished videos as failed. */
  async function markFailed(id: string, problem: Problem): Promise<void> {
    for (const video of await store.listVideos(db, id)) {
      if (video.status !== 'processing') continue;
      if (video.videoId) await videos.fail(video.videoId, problem);
      await store.upsertVideo(db, id, { ...video, status: 'failed', problem });
    }
    await life.finish(id, 'failed', problem);
  }

  async function makeVideos(ingest: McapIngest, signal: AbortSignal): Promise<void> {
    await work.make(ingest, signal);
    const converted = await store.listVideos(db, ingest.id);
    const failed = converted.filter(({ status }) => status === 'failed');
    if (failed.length === converted.length) {
      const reasons = failed.map(({ channel, problem }) => `${channel}: ${problem?.message}`).join(' ');
      throw problems.mcap_no_films(`No image channel could be converted to a video. ${reasons}`);
    }
    const { survey, problem } = (await store.find(db, ingest.id))!;
    const [[first], [lost]] = [failed, survey!.lost];
    const missing = first
      ? problems.mcap_part_missing(`${first.channel}: ${first.problem?.message}`)
      : lost && problems.mcap_part_missing(`A part of the recording could not be read: ${lost.reason}.`);
    const reason = missing ?? problem;
    await life.finish(ingest.id, reason ? 'partial' : 'completed', reason);
  }

  /** Transfers the object of an ingest and starts its processing. */
  async function transfer(ingest: McapIngest, signal: AbortSignal): Promise<void> {
    const row = ingest.importId === null ? null : await findImport(db, ingest.importId);
    const opened = row && (await integrations.open(row.integrationId));
    if (!opened)
      throw problems.mcap_import_not_found(
        'The integration of this recording was deleted. Save it again and start a new import.',
      );
    try {
      const key = ingest.objectKey!;
      const { size: listedSize } = await opened.bucket.stat(key, signal);
      await database.transaction((trx) => life.hold(trx, ingest.id, listedSize));
      const storageKey = newStorageKey(ingest.id);
      const bytes = readObject(opened.bucket, key, signal, { listedSize });
      const file = await storage.write(storageKey, bytes, { signal, maxBytes });
      await database.transaction((trx) => life.startProcessing(trx, ingest.id, storageKey, file));
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
      jobs.handle(failIngest, ({ ingestId }) => markFailed(ingestId, problems.mcap_failed()));
      jobs.handle(expireIngests, async () => {
        const expired = problems.mcap_expired();
        const listBatch = () => store.listExpired(db, MAX_AGE_HOURS, EXPIRED_BATCH);
        for (let ids = await listBatch(); ids.length > 0; ids = await listBatch())
          for (const id of ids) await life.finish(id, 'failed', expired, WAITING);
      });
      jobs.handle(deleteRecordingFile, async ({ ingestId }) => {
        const ingest = await store.find(db, ingestId);
        // An ingest that was created again has another file.
        if (!ingest || isEnded(ingest)) await storage.removeAll(toStorageFolder(ingestId));
      });
      jobs.schedule(expireIngests, '17 * * * *', {});
    },
  };
}
