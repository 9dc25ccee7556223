import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Greatest number of objects of one import that are transferred concurrently, on all nodes together. */
export const WORKERS_PER_IMPORT = 8;
/** Greatest number of objects of one organization that a node transfers concurrently, of all imports and providers. */
const MAX_TRANSFERS = 16;

const importJob = Type.Object({ jobId: Type.String() });

/** Lists a bucket page by page and inserts a row per object. */
export const listObjects = defineJob({
  name: 'imports.list',
  class: 'batch',
  capped: true,
  payload: importJob,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 12 * 3600,
  concurrency: 4,
});

/** One transfer worker of an import: transfers rows for a while, then yields to other imports. */
export const transferRows = defineJob({
  name: 'imports.transfer',
  class: 'batch',
  payload: Type.Object({ jobId: Type.String(), worker: Type.Integer({ minimum: 0 }) }),
  retries: 100,
  retryDelayS: 1,
  timeoutS: 23 * 3600,
  concurrency: MAX_TRANSFERS,
});

/** Fails the pending rows of a canceled import. */
export const cancelRows = defineJob({
  name: 'imports.cancel',
  class: 'maintenance',
  payload: importJob,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 1,
});

/** Starts scheduled imports that are due, and restarts imports whose jobs were lost. */
export const maintainImports = defineJob({
  name: 'imports.tend',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const importJobs = [listObjects, transferRows, cancelRows, maintainImports] as const;
