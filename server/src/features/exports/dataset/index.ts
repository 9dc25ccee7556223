/** Exports of selected videos and events: one MCAP file for each video, listed by a manifest with signed URLs. */
export { datasetExportsRoutes } from './routes.ts';
export { createDatasetExports } from './service.ts';
