import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Records a session from start to end, on one worker at a time. After a crash another worker continues. */
export const recordSession = defineJob({
  name: 'live.follow',
  class: 'interactive',
  // `tries`: number of failed attempts to finalize the recording.
  payload: Type.Object({ sessionId: Type.String(), tries: Type.Optional(Type.Integer()) }),
  retries: 10_000,
  retryDelayS: 0,
  // A job lasts a day at most. A longer session moves to a new job.
  timeoutS: 23 * 3600,
  concurrency: 16,
});

/** Restarts sessions without a worker, and deletes recordings past the retention of their stream. */
export const maintainSessions = defineJob({
  name: 'live.tend',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const liveJobs = [recordSession, maintainSessions] as const;
