/**
 * Live: streams that go on while they are watched. A worker follows a source under a lease, records it segment by segment, and connects anew
 * when it breaks off; at the end the recording is a video like any other. Who may see a session plays it by a signed manifest.
 */

import type { Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import { createLiveAnalysis, type LiveAnalysisDeps } from './analysis/index.ts';
import { createFollower, type FollowDeps, PATIENCE } from './follow.ts';
import * as follow from './follow-store.ts';
import { followSession, tendSessions } from './jobs.ts';
import { createLiveMedia, type LiveMediaDeps } from './media.ts';
import { CHANNEL, createLiveService, type LiveServiceDeps } from './service.ts';
import { recordingsOf } from './store.ts';

export { liveJobs } from './jobs.ts';
export { rotateSources } from './rotation.ts';
export { liveRoutes } from './routes.ts';

export type LiveDeps = Omit<
  LiveServiceDeps & LiveMediaDeps & FollowDeps & LiveAnalysisDeps,
  'media' | 'patience' | 'jobs' | 'videos' | 'drain' | 'require'
> & {
  media: FollowDeps['media'];
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  videos: Videos;
  /** How many sessions this worker follows at once. */
  perWorker: number;
  patience?: Partial<FollowDeps['patience']>;
};

/** A session that nobody has followed for this long has lost its job. */
const UNFOLLOWED_S = 60;
const TENDED_AT_ONCE = 100;

export function createLive(deps: LiveDeps) {
  const { database, jobs, videos } = deps;
  const { db } = database;
  const media = createLiveMedia(deps);
  const service = createLiveService({ ...deps, media });
  const analysis = createLiveAnalysis({ ...deps, require: service.require });
  const patience = { ...PATIENCE, ...deps.patience };
  const follower = createFollower({ ...deps, patience, drain: analysis.drain });

  /** Deletes recordings that are older than their stream keeps them, in the name of whoever started them. */
  async function removeOld(): Promise<void> {
    for (const session of await follow.expired(db, TENDED_AT_ONCE)) {
      const ids = [session.videoId, ...(await recordingsOf(db, session.id))];
      const outcomes = await videos.removeMany(ownerOf(session), ids);
      // Somebody may have deleted it before.
      const failed = outcomes.filter(({ problem }) => problem && problem.code !== 'video_not_found');
      for (const { videoId, problem } of failed) deps.log.error({ err: problem, videoId }, 'an old recording stays');
      if (failed.length === 0) await follow.setRemoved(db, session.id);
    }
  }

  return {
    ...service,
    analysis,

    /** Registers the handlers of this room's jobs. Returns once this worker hears of sessions that are asked to end. */
    async work(): Promise<void> {
      jobs.handle(followSession, (payload, context) => follower.follow(payload, context), {
        concurrency: deps.perWorker,
      });
      jobs.handle(tendSessions, async () => {
        for (const { id: sessionId, orgId } of await follow.unfollowed(db, UNFOLLOWED_S, TENDED_AT_ONCE)) {
          const options = { orgId, unlessWaiting: true };
          await database.transaction((trx) => jobs.send(trx, followSession, { sessionId }, options));
        }
        await removeOld();
      });
      jobs.schedule(tendSessions, '* * * * *', {});
      await database.listen(CHANNEL, follower.wake);
      await analysis.work();
    },

    /** Gives back the sessions that are looked at here. */
    close: analysis.close,
  };
}

export type LiveRoom = ReturnType<typeof createLive>;

const ownerOf = ({ orgId, ownerId }: follow.Expired): Caller => ({
  ...{ orgId, userId: ownerId, keyId: null, email: '', expiresAt: new Date() },
  scopes: ['admin'],
});
