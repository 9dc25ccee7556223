import type { BatchCounts, Dataset, DatasetWithState, EventCounts } from './types.ts';

const BATCH_DELETED = 'The batch was deleted.';

/** A dataset with the state of its batches. `counts` has those that exist, `existing` its videos that exist. */
export function describeState(
  dataset: Dataset,
  counts: ReadonlyMap<string, BatchCounts>,
  existing: ReadonlySet<string>,
  clipCount: number,
): DatasetWithState {
  const found = dataset.batchIds.flatMap((id) => counts.get(id) ?? []);
  const missing = dataset.batchIds.filter((id) => !counts.has(id));
  const running = found.filter(({ isProcessing }) => isProcessing).length;
  const raw = dataset.videoIds.filter((id) => existing.has(id)).length;
  return {
    ...dataset,
    status: running > 0 ? 'processing' : missing.length > 0 ? 'error' : 'ready',
    processingProgress: { completed: dataset.batchIds.length - running, total: dataset.batchIds.length },
    failedBatches: missing.map((batchId) => ({ batchId, error: BATCH_DELETED })),
    totals: {
      batchCount: found.length,
      videoCount: found.reduce((sum, { videoCount }) => sum + videoCount, raw),
      clipCount,
      eventCounts: found.reduce((sum, { eventCounts }) => addCounts(sum, eventCounts), NO_EVENTS),
    },
  };
}

const NO_EVENTS: EventCounts = { total: 0, approved: 0, rejected: 0, unsure: 0, pending: 0 };

const addCounts = (a: EventCounts, b: EventCounts): EventCounts => ({
  total: a.total + b.total,
  approved: a.approved + b.approved,
  rejected: a.rejected + b.rejected,
  unsure: a.unsure + b.unsure,
  pending: a.pending + b.pending,
});
