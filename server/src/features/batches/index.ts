/**
 * Batches: one question asked of one or more videos. A batch is made with its analyses, its jobs and its event stream in one transaction,
 * counts the analyses as they end, and hands out their documents in bulk.
 */
export { batchesRoutes } from './routes.ts';
export { type Batches, createBatches } from './service.ts';
