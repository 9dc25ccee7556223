/**
 * Curated datasets: named sets of batches, and of videos without analyses, downloaded as one JSON document. A dataset
 * stores only what belongs to it; its counts and its download are read from the analyses, so they have the verdicts of
 * reviewers.
 */
export { datasetJobs } from './jobs.ts';
export { datasetsRoutes } from './routes.ts';
export { createDatasets } from './service.ts';
export { createStudio, studioRoutes } from './studio/index.ts';
export { createDatasetVersions, datasetVersionsRoutes } from './versions/index.ts';
