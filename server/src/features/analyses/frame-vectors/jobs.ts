import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Builds the index of vectors; millions of them take hours. A session that builds already makes it end at once. */
export const buildVectorIndex = defineJob({
  name: 'analyses.build-vector-index',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 3,
  retryDelayS: 60,
  timeoutS: 23 * 3600,
  concurrency: 1,
});
