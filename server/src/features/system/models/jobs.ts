import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ name: Type.String() });

/** Records that a download ended with the death of its worker. */
export const abandonDownload = defineJob({
  name: 'system.abandon-model',
  class: 'maintenance',
  payload,
  retries: 5,
  retryDelayS: 5,
  timeoutS: 60,
  concurrency: 1,
});

/** Downloads a model to its node and from there to the storage, for all nodes. */
export const downloadModel = defineJob({
  name: 'system.download-model',
  class: 'maintenance',
  payload,
  retries: 3,
  retryDelayS: 10,
  timeoutS: 6 * 3600,
  concurrency: 2,
  givenUp: abandonDownload,
});

export const modelJobs = [downloadModel, abandonDownload] as const;
