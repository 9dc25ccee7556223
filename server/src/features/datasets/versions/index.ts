/** Frozen versions of datasets: copies of their events that reviews do not change. */
export { failVersion, freezeVersion } from './jobs.ts';
export { datasetVersionsRoutes } from './routes.ts';
export { createDatasetVersions } from './service.ts';
