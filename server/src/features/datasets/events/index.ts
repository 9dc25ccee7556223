/** Explores the events of datasets: by the values of their fields, by words, and by fields that are added later. */
export { DATASET_EVENT_EXAMPLE, DatasetEventResource, DegradedField, RankingField } from './event-schema.ts';
export { datasetEventJobs } from './jobs.ts';
export { datasetEventsRoutes, toEventResource, toTaxonomyStatus } from './routes.ts';
export { EVENT_FIELD_EXAMPLE, EventFieldResource, TAXONOMY_STATE, TaxonomyParams, TaxonomyStatus } from './schema.ts';
export { createDatasetEvents, type DatasetEvents } from './service.ts';
