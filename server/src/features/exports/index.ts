/**
 * Exports: the events that match filters, written as a file by a job. Its owner downloads it by a signed URL; after a
 * week it is deleted.
 */
export { createDatasetExports, datasetExportsRoutes } from './dataset/index.ts';
export { exportJobs } from './jobs.ts';
export { exportsRoutes } from './routes.ts';
export { createExports } from './service.ts';
