import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Computes the HLS segment boundaries of a video before the first player needs them. */
export const planStream = defineJob({
  name: 'playback.plan-stream',
  class: 'background',
  payload: Type.Object({ videoId: Type.String() }),
  retries: 3,
  retryDelayS: 30,
  timeoutS: 1800,
  concurrency: 1,
});

/** Deletes clips and segments past their retention time. */
export const sweepRenditions = defineJob({
  name: 'playback.sweep',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 6 * 3600,
  concurrency: 1,
});

export const playbackJobs = [planStream, sweepRenditions] as const;
