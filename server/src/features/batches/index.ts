/**
 * Batches: one prompt on one or more videos. A batch is created with its analyses, its jobs and its event stream in one
 * transaction, counts the analyses that have ended, and returns their documents in bulk.
 */
export { batchesRoutes } from './routes.ts';
export { BatchParams } from './schema.ts';
export { createBatches } from './service.ts';
export type { Batches } from './service-types.ts';
export { type BatchSummary, summarizeBatch } from './summary.ts';
