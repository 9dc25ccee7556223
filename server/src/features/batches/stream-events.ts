import { answerLibrary } from '#engine/index';
import type { Analyses } from '#features/analyses/index';
import type { DomainEvents, Events, NewEvent } from '#features/events/index';
import { clock } from '#platform/clock';
import type { Transaction } from '#platform/db/index';
import * as store from './store.ts';

/** Handlers of domain events, which count the analyses of a batch and write its events to its stream. */
export interface StreamEvents {
  onAnalysisProgressed(trx: Transaction, event: DomainEvents['analysis.progressed']): Promise<void>;
  onPreliminaryEvents(trx: Transaction, event: DomainEvents['analysis.preliminary']): Promise<void>;
  onAnalysisEnded(trx: Transaction, event: DomainEvents['analysis.ended']): Promise<void>;
  onAnalysisDeleted(trx: Transaction, event: DomainEvents['analysis.deleted']): Promise<void>;
}

type StreamEventsDeps = {
  events: Pick<Events, 'publish' | 'append' | 'appendAll'>;
  analyses: { eventIndex: Pick<Analyses['eventIndex'], 'findByTime'> };
};

/** `endEmpty` ends a batch without videos. */
export function createStreamEvents({
  events,
  analyses,
}: StreamEventsDeps): StreamEvents & { endEmpty(trx: Transaction, batchId: string): Promise<void> } {
  /** Stores which event of all videos is the first or the last, if the prompt asks for it. */
  async function answer(trx: Transaction, { id, picks, total, failed, selection }: store.Batch): Promise<void> {
    if (!picks || total < 2) return;
    const { found, undated, missed } = await analyses.eventIndex.findByTime(trx, id, picks);
    const outside = missed.filter(({ reason }) => reason === 'outside').length;
    const without = missed.filter(({ reason }) => reason === 'no_clock').map(({ name }) => name);
    const names = [...(selection?.noClockVideos.map(({ name }) => name) ?? []), ...without];
    const text = answerLibrary({
      picks,
      found: found && { ...found, clock: clock(found.startS) },
      undated,
      noClock: { names, count: without.length + (selection?.noClock ?? 0) },
      searched: total - failed - outside - without.length,
      leftOut: selection?.leftOut ?? 0,
      failed,
    });
    await store.setAnswer(trx, id, text, found?.eventId ?? null);
  }

  /** The last event of the stream of a batch that has ended; publishes that it has. */
  async function end(trx: Transaction, batch: store.Batch): Promise<Record<string, unknown>> {
    const { id, orgId, query, status, total, completed, failed } = batch;
    if (status === 'processing') throw new Error(`The batch ${id} has not ended.`);
    await answer(trx, batch);
    const counts = { total, completed, failed };
    await events.publish(trx, 'batch.ended', { batchId: id, orgId, query, status, ...counts });
    return { batch_id: id, status, ...counts, ...(await store.findOutcome(trx, id)) };
  }

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

    onPreliminaryEvents: (trx, { batchId, videoId, analysisId, seen, reported, withdrawn }) =>
      withStream(trx, batchId, (streamId) => {
        const ids = { batch_id: batchId, video_id: videoId, analysis_id: analysisId };
        const coverage = { ...ids, until_s: seen.untilS, duration_s: seen.durationS };
        return events.appendAll(trx, streamId, [
          ...reported.map((preliminary) => ({ kind: 'preliminary', data: { ...ids, preliminary } }) as const),
          ...withdrawn.map((id) => toWithdrawal(ids, id)),
          { kind: 'preliminary_coverage', data: coverage },
        ]);
      }),

    async endEmpty(trx, batchId) {
      const batch = (await store.findBatch(trx, batchId))!;
      await events.append(trx, batch.streamId, 'done', await end(trx, batch));
    },

    async onAnalysisDeleted(trx, { batchId, status }) {
      if (batchId) await store.uncountAnalysis(trx, batchId, status === 'FAILED');
    },

    async onAnalysisEnded(trx, { batchId, videoId, analysisId, status, code, message, ...result }) {
      const { events: found, candidateCount, preliminary } = result;
      const ending = status === 'COMPLETED' ? 'completed' : code === 'analysis_cancelled' ? 'cancelled' : 'failed';
      const batch = batchId && (await store.countEndedAnalysis(trx, batchId, ending));
      if (!batch) return;
      const ids = { batch_id: batch.id, video_id: videoId, analysis_id: analysisId };
      const { total, completed } = batch;
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
      const done = batch.status === 'processing' ? null : await end(trx, batch);
      await events.appendAll(trx, batch.streamId, [
        ...findings,
        ...preliminary.confirmed.map(({ preliminaryId, eventId }) => {
          const data = { ...ids, preliminary_id: preliminaryId, event_id: eventId };
          return { kind: 'preliminary_confirmed', data } as const;
        }),
        ...preliminary.withdrawn.map((id) => toWithdrawal(ids, id)),
        { kind: 'video_completed', data: ended },
        ...(done ? [{ kind: 'done', data: done } as const] : []),
      ]);
    },
  };
}

const toWithdrawal = (ids: Record<string, unknown>, id: string): NewEvent => ({
  kind: 'preliminary_withdrawn',
  data: { ...ids, preliminary_id: id },
});
