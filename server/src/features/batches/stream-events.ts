import type { DomainEvents, Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import * as store from './store.ts';

/** Handlers of domain events, which count the analyses of a batch and write its events to its stream. */
export interface StreamEvents {
  onAnalysisProgressed(trx: Transaction, event: DomainEvents['analysis.progressed']): Promise<void>;
  onAnalysisEnded(trx: Transaction, event: DomainEvents['analysis.ended']): Promise<void>;
  onAnalysisDeleted(trx: Transaction, event: DomainEvents['analysis.deleted']): Promise<void>;
}

export function createStreamEvents(events: Pick<Events, 'publish' | 'append' | 'appendAll'>): StreamEvents {
  /** Calls `append` with the stream of the batch; does nothing for an analysis without a batch. */
  async function withStream(trx: Transaction, batchId: string | null, append: (streamId: string) => Promise<void>) {
    const streamId = batchId && (await store.findStreamId(trx, batchId));
    if (streamId) await append(streamId);
  }

  return {
    onAnalysisProgressed: (trx, { batchId, videoId, analysisId, stage, progress, etaS, message }) =>
      withStream(trx, batchId, (streamId) =>
        events.append(trx, streamId, 'progress', {
          batch_id: batchId,
          video_id: videoId,
          analysis_id: analysisId,
          stage,
          progress: Math.round(progress * 10) / 10,
          ...(etaS === null ? {} : { eta_s: etaS }),
          ...(message === null ? {} : { message }),
        }),
      ),

    async onAnalysisDeleted(trx, { batchId, status }) {
      if (batchId) await store.uncountAnalysis(trx, batchId, status === 'FAILED');
    },

    async onAnalysisEnded(trx, { batchId, videoId, analysisId, status, code, message, events: found, candidateCount }) {
      const ending = status === 'COMPLETED' ? 'completed' : code === 'analysis_cancelled' ? 'cancelled' : 'failed';
      const batch = batchId && (await store.countEndedAnalysis(trx, batchId, ending));
      if (!batch) return;
      const ids = { batch_id: batch.id, video_id: videoId, analysis_id: analysisId };
      const { id, total, completed, failed } = batch;
      const findings = found.map((finding) => ({ kind: 'finding', data: { ...ids, finding } }) as const);
      const ended = {
        ...ids,
        status: status.toLowerCase(),
        events: found.length,
        candidates: candidateCount,
        message,
        completed,
        total,
      };
      const done = {
        batch_id: id,
        status: batch.status,
        total,
        completed,
        failed,
        ...(batch.status === 'processing' ? {} : await store.findOutcome(trx, id)),
      };
      if (batch.status !== 'processing') {
        const { orgId, query } = batch;
        const counts = { total, completed, failed };
        await events.publish(trx, 'batch.ended', { batchId: id, orgId, query, status: batch.status, ...counts });
      }
      await events.appendAll(trx, batch.streamId, [
        ...findings,
        { kind: 'video_completed', data: ended },
        ...(batch.status === 'processing' ? [] : [{ kind: 'done', data: done } as const]),
      ]);
    },
  };
}
