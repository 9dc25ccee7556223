import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ versionId: Type.String() });

/** Marks a version as failed after its job was given up. */
export const failVersion = defineJob({
  name: 'datasets.version-give-up',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 1,
});

/** Copies the content of a dataset into a version. */
export const freezeVersion = defineJob({
  name: 'datasets.version-freeze',
  class: 'batch',
  capped: true,
  payload,
  retries: 3,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 1,
  givenUp: failVersion,
});
