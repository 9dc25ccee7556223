import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({
  videoId: Type.String(),
  url: Type.String(),
  named: Type.Boolean({ description: 'True if the client chose the name; else it is taken from the response.' }),
});

/** Marks a video as failed whose fetch job was given up because its workers died repeatedly. */
export const failFetch = defineJob({
  name: 'uploads.fail-fetch',
  class: 'maintenance',
  formerNames: ['uploads.give-up'],
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 1,
});

/** Fetches a video from its URL. */
export const fetchVideo = defineJob({
  name: 'uploads.fetch',
  class: 'batch',
  capped: true,
  payload,
  retries: 4,
  retryDelayS: 2,
  timeoutS: 12 * 3600,
  concurrency: 8,
  givenUp: failFetch,
});

const finishPayload = Type.Object({ videoId: Type.String() });

export const failFinish = defineJob({
  ...failFetch,
  name: 'uploads.fail-finish',
  class: 'maintenance',
  formerNames: ['uploads.give-up-pieces'],
  payload: finishPayload,
});

/** Assembles a complete upload and marks its video as ready. */
export const finishUpload = defineJob({
  name: 'uploads.finish',
  class: 'interactive',
  payload: finishPayload,
  retries: 4,
  retryDelayS: 2,
  timeoutS: 6 * 3600,
  concurrency: 4,
  givenUp: failFinish,
});

/** Draws a sample video. */
export const ingestSample = defineJob({ ...finishUpload, name: 'uploads.draw-sample' });

/** Ends resumable and direct uploads past their lifetime. */
export const expireUploads = defineJob({
  name: 'uploads.expire',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const uploadJobs = [fetchVideo, failFetch, finishUpload, failFinish, ingestSample, expireUploads] as const;
