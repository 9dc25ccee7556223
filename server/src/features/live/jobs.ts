import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Follows a session from its start to its end, on one worker at a time: a worker that dies gives it to another one. */
export const followSession = defineJob({
  name: 'live.follow',
  // `tries`: how often its recording could not be put together.
  payload: Type.Object({ sessionId: Type.String(), tries: Type.Optional(Type.Integer()) }),
  retries: 10_000,
  retryDelayS: 0,
  // A job lasts a day at most: a longer session is handed on.
  timeoutS: 23 * 3600,
  concurrency: 16,
  shared: true,
});

/** Sends the jobs of sessions that nobody follows, and deletes recordings that are older than their stream keeps them. */
export const tendSessions = defineJob({
  name: 'live.tend',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const liveJobs = [followSession, tendSessions] as const;
