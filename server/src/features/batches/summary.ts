import type { Batch } from './store.ts';

/** Metadata of a batch beside its results, by the names that existing clients read. */
export type BatchSummary = Record<string, unknown> & { batch_id: string; created_at: string };

export function summarizeBatch({ id, status, query, createdAt, config, metadata }: Batch): BatchSummary {
  return {
    ...(config as Record<string, unknown>),
    batch_id: id,
    batch_type: (config as { analysis_kind?: string }).analysis_kind === 'edge_agent' ? 'agent' : 'ask',
    status,
    prompt: query,
    metadata,
    created_at: createdAt.toISOString(),
  };
}
