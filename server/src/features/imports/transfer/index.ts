export { publishCompleteSets } from './linked-views.ts';
export { createTransferWorkers, type TransferWorkers } from './transfer-worker.ts';
