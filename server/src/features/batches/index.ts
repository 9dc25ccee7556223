/**
 * Batches: one question asked of one or more videos. A batch is made with its analyses, its jobs and its event stream in one transaction,
 * counts the analyses as they end, and hands out their documents in bulk.
 */
export { BATCH_PROBLEMS } from './problems.ts';
export { batchesRoutes } from './routes.ts';
export { type Batches, type BatchesDeps, createBatches } from './service.ts';
