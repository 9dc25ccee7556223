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
  concurrency: 8,
  shared: true,
  givenUp: giveUpFetch,
});

const arrived = Type.Object({ videoId: Type.String() });

export const giveUpFinish = defineJob({ ...giveUpFetch, name: 'uploads.give-up-pieces', payload: arrived });

/** Makes a video of an upload whose pieces are all here. */
export const finishUpload = defineJob({
  name: 'uploads.finish',
  payload: arrived,
  retries: 4,
  retryDelayS: 2,
  timeoutS: 6 * 3600,
  concurrency: 4,
  shared: true,
  givenUp: giveUpFinish,
});

/** Draws a sample. */
export const drawSample = defineJob({ ...finishUpload, name: 'uploads.draw-sample' });

/** Ends uploads in pieces whose time is over. */
export const expireUploads = defineJob({
  name: 'uploads.expire',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const uploadJobs = [fetchVideo, giveUpFetch, finishUpload, giveUpFinish, drawSample, expireUploads] as const;
