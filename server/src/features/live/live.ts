import type { Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import {
  type AnswerRecorderDeps,
  createAnswerRecorder,
  createLiveAnalysis,
  createSegmentFiles,
  type LiveAnalysisDeps,
} from './analysis/index.ts';
import { createLiveFrames, type LiveFramesDeps } from './frames.ts';
import { maintainSessions, recordSession } from './jobs.ts';
import { createLivePlayback, type LivePlaybackDeps } from './playback.ts';
import { createReaderOf, type LiveReadingDeps } from './reading.ts';
import {
  createRecorder,
  type ExpiredSession,
  listAbandonedSessions,
  listExpiredSessions,
  markRecordingsDeleted,
  type RecorderDeps,
  SOURCE_TIMEOUTS,
} from './recording/index.ts';
import { createLiveService, type LiveServiceDeps } from './service.ts';
import { createSourceTester, type SourceTesterDeps } from './sources/index.ts';
import { listRecordingIds } from './store.ts';
import { SESSION_CHANNEL } from './types.ts';
import { createWall } from './wall/index.ts';

export type LiveDeps = Omit<
  LiveServiceDeps & LivePlaybackDeps & RecorderDeps & LiveAnalysisDeps & LiveReadingDeps & AnswerRecorderDeps,
  'media' | 'timeouts' | 'jobs' | 'videos' | 'drain' | 'require' | 'readerOf' | 'answers'
> & {
  media: RecorderDeps['media'] & LiveFramesDeps['media'] & SourceTesterDeps['media'];
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  videos: Videos;
  /** Number of sessions that this worker records at once. */
  perWorker: number;
  timeouts?: Partial<RecorderDeps['timeouts']>;
};

/** A session without a lease for this long has lost its job. */
const UNFOLLOWED_S = 60;
const TENDED_AT_ONCE = 100;

export function createLive(deps: LiveDeps) {
  const { database, jobs, videos } = deps;
  const { db } = database;
  const media = createLivePlayback(deps);
  const readerOf = createReaderOf(deps);
  const service = createLiveService({ ...deps, media, readerOf });
  const answers = createAnswerRecorder({ ...deps, readerOf });
  const analysis = createLiveAnalysis({ ...deps, require: service.require, readerOf, answers });
  const timeouts = { ...SOURCE_TIMEOUTS, ...deps.timeouts };
  const recorder = createRecorder({ ...deps, timeouts, drain: analysis.drain, answers });

  /** Deletes recordings past the retention of their stream, on behalf of the user who started the session. */
  async function removeOld(): Promise<void> {
    for (const session of await listExpiredSessions(db, TENDED_AT_ONCE)) {
      const ids = [session.videoId, ...(await listRecordingIds(db, session.id))];
      const outcomes = await videos.removeMany(ownerOf(session), ids, { rule: 'stream_retention' });
      // The recording may have been deleted before.
      const failed = outcomes.filter(({ problem }) => problem && problem.code !== 'video_not_found');
      for (const { videoId, problem } of failed) {
        if (problem!.code !== 'video_held') deps.log.error({ err: problem, videoId }, 'an old recording stays');
      }
      if (failed.length === 0) await markRecordingsDeleted(db, session.id);
    }
  }

  return {
    ...service,
    analysis,
    frames: createLiveFrames({ ...deps, files: createSegmentFiles(deps) }),
    sources: createSourceTester(deps),
    wall: createWall(database),

    /** Registers the job handlers, and listens for requested ends of sessions. */
    async work(): Promise<void> {
      jobs.handle(recordSession, (payload, context) => recorder.record(payload, context), {
        concurrency: deps.perWorker,
      });
      jobs.handle(maintainSessions, async () => {
        for (const { id: sessionId, orgId } of await listAbandonedSessions(db, UNFOLLOWED_S, TENDED_AT_ONCE)) {
          const options = { orgId, unlessWaiting: true };
          await database.transaction((trx) => jobs.send(trx, recordSession, { sessionId }, options));
        }
        await removeOld();
      });
      jobs.schedule(maintainSessions, '* * * * *', {});
      await database.listen(SESSION_CHANNEL, recorder.checkLease);
      await analysis.work();
    },

    /** Releases the analyses of this worker. */
    close: analysis.close,
  };
}

export type LiveRoom = ReturnType<typeof createLive>;

const ownerOf = ({ orgId, ownerId }: ExpiredSession): Caller => ({
  orgId,
  userId: ownerId,
  keyId: null,
  email: '',
  expiresAt: new Date(),
  scopes: ['admin'],
});
