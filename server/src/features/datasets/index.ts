/**
 * Curated datasets: named sets of batches, and of videos without analyses, downloaded as one JSON document. A dataset
 * stores only what belongs to it; its counts and its download are read from the analyses, so they have the verdicts of
 * reviewers.
 */
export {
  createDatasetEvents,
  DATASET_EVENT_EXAMPLE,
  DatasetEventResource,
  type DatasetEvents,
  DegradedField,
  datasetEventsRoutes,
  EVENT_FIELD_EXAMPLE,
  EventFieldResource,
  RankingField,
  TAXONOMY_STATE,
  TaxonomyParams,
  TaxonomyStatus,
  toEventResource,
  toTaxonomyStatus,
} from './events/index.ts';
export { datasetJobs } from './jobs.ts';
export { datasetsRoutes } from './routes.ts';
export { DatasetParams } from './schema.ts';
export { createDatasets, type Datasets, MAX_VIDEOS } from './service.ts';
export { createDatasetVersions, datasetVersionsRoutes } from './versions/index.ts';
