import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** At most this many objects of one import are under way at once, on all nodes together. */
export const LANES = 8;
/** How many objects of one organisation a node transfers at once, of all imports and providers. */
const TRANSFERS = 16;

const job = Type.Object({ jobId: Type.String() });

/** Reads a bucket page by page into rows. */
export const listObjects = defineJob({
  name: 'imports.list',
  payload: job,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 12 * 3600,
  concurrency: 4,
  shared: true,
});

/** One of an import's lanes: transfers one row after the other for a while, then makes room for other imports. */
export const transferRows = defineJob({
  name: 'imports.transfer',
  payload: Type.Object({ jobId: Type.String(), lane: Type.Integer({ minimum: 0 }) }),
  retries: 100,
  retryDelayS: 1,
  timeoutS: 23 * 3600,
  concurrency: TRANSFERS,
  shared: true,
});

/** Ends the rows of a cancelled import. */
export const cancelRows = defineJob({
  name: 'imports.cancel',
  payload: job,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 1,
});

/** Begins scheduled imports that are due, and takes up imports whose jobs were lost. */
export const tendImports = defineJob({
  name: 'imports.tend',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const importJobs = [listObjects, transferRows, cancelRows, tendImports] as const;
