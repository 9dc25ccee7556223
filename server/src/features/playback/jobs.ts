import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Finds where the segments of a film begin, before a player waits for that. */
export const planStream = defineJob({
  name: 'playback.plan-stream',
  payload: Type.Object({ videoId: Type.String() }),
  retries: 3,
  retryDelayS: 30,
  timeoutS: 1800,
  concurrency: 1,
});

/** Removes clips and segments that were made long ago. */
export const sweepStretches = defineJob({
  name: 'playback.sweep',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 6 * 3600,
  concurrency: 1,
});

export const playbackJobs = [planStream, sweepStretches] as const;
