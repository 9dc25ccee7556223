import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({
  videoId: Type.String(),
  url: Type.String(),
  named: Type.Boolean({ description: 'Whether the client chose the name; else the server of the URL may.' }),
});

/** Says of a video whose fetch was given up (its worker died again and again) that it failed. */
export const giveUpFetch = defineJob({
  name: 'uploads.give-up',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 1,
});

/** Fetches a video from its URL. */
export const fetchVideo = defineJob({
  name: 'uploads.fetch',
  payload,
  retries: 4,
  retryDelayS: 2,
  timeoutS: 12 * 3600,
  concurrency: 4,
  givenUp: giveUpFetch,
});

export const uploadJobs = [fetchVideo, giveUpFetch] as const;
