import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ exportId: Type.String() });
const giveUp = { payload, retries: 20, retryDelayS: 2, timeoutS: 60, concurrency: 1 };
const write = { payload, retries: 3, retryDelayS: 2, timeoutS: 6 * 3600 };
const deleteFiles = {
  payload: Type.Object({ exportIds: Type.Array(Type.String()) }),
  retries: 20,
  retryDelayS: 30,
  timeoutS: 600,
  concurrency: 1,
};

/** Marks an export as failed after its job was given up. */
export const failExport = defineJob({ name: 'exports.give-up', class: 'maintenance', ...giveUp });

/** Writes the file of an export. */
export const writeExport = defineJob({
  name: 'exports.write',
  class: 'batch',
  capped: true,
  ...write,
  concurrency: 2,
  urgentConcurrency: 1,
  givenUp: failExport,
});

/** Deletes files of exports. */
export const deleteExportFiles = defineJob({ name: 'exports.delete-files', class: 'maintenance', ...deleteFiles });

/** Marks an export of a selection as failed after its job was given up. */
export const failDatasetExport = defineJob({ name: 'exports.dataset-give-up', class: 'maintenance', ...giveUp });

/** Writes the files of an export of a selection. */
export const buildDatasetExport = defineJob({
  name: 'exports.dataset-build',
  class: 'batch',
  capped: true,
  ...write,
  concurrency: 1,
  givenUp: failDatasetExport,
});

/** Deletes files of exports of selections. */
export const deleteDatasetExportFiles = defineJob({
  name: 'exports.dataset-delete-files',
  class: 'maintenance',
  ...deleteFiles,
});

export const exportJobs = [
  writeExport,
  failExport,
  deleteExportFiles,
  buildDatasetExport,
  failDatasetExport,
  deleteDatasetExportFiles,
] as const;
