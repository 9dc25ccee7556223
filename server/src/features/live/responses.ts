import {
  type LiveAnalysis,
  type LiveEvidence,
  listSkippedRanges,
  toCoverage,
  toEventPayload,
} from './analysis/index.ts';
import type { SessionState } from './service.ts';
import type { LiveEvent, LiveSession } from './types.ts';

export const toSessionSummary = (session: LiveSession) => ({
  ...session,
  sessionId: session.id,
  createdBy: session.ownerId,
  createdByDisplayName: session.ownerName,
  error: session.problem?.code ?? null,
  message: session.problem?.message ?? null,
  rapidReviewQuery: session.query,
  chunkCount: session.segmentCount,
  sizeBytes: session.bytes,
});

/** A session with its recording and its analysis. Existing clients call segments chunks. */
export function toSessionDetails(
  { session, videoIds, chunks, gaps, retained, events, analysis, interpretation }: SessionState,
  images: LiveEvidence,
) {
  const signImages = images.signer(session.id);
  const isApart = (i: number) =>
    chunks[i]!.epoch !== chunks[i - 1]?.epoch || chunks[i]!.sequence > chunks[i - 1]!.sequence + 1;
  return {
    ...toSessionSummary(session),
    currentTime: new Date(),
    videoIds,
    chunks: chunks.map((chunk, i) => ({
      chunkId: `${session.id}-${chunk.sequence}`,
      chunkIndex: chunk.sequence,
      streamTime: chunk.streamS,
      hlsCumulativeOffset: chunk.startS,
      durationS: chunk.durationS,
      captureTime: chunk.capturedAt,
      sizeBytes: chunk.bytes,
      // The chunk before the first one of the response is unknown.
      discontinuity: i > 0 && isApart(i),
    })),
    gaps: gaps.map(({ sequence, fromAt, untilAt, fromS, untilS, reason }) => ({
      chunkIndex: sequence,
      from: fromAt,
      until: untilAt,
      fromS,
      untilS,
      reason,
    })),
    retainedSpans: retained.map((span) => ({
      ...span,
      eventCount: events.filter(({ data }) => Number(data.start_s) < span.untilS && Number(data.end_s) >= span.fromS)
        .length,
    })),
    events: events.map((event) => signImages(toEventPayload(session.id, event))),
    interpretation,
    analysis: analysis && toAnalysis(analysis, events),
  };
}

function toAnalysis(analysis: LiveAnalysis, events: readonly LiveEvent[]) {
  const { analysedS, sampling, lagS, skippedS, coverage, endedAt } = analysis;
  const skipped = listSkippedRanges(analysis.pendingRanges, analysis.skippedRanges, endedAt !== null);
  return {
    state: endedAt ? ('ended' as const) : analysedS > 0 ? ('running' as const) : ('waiting' as const),
    analysedS,
    behindS: lagS,
    sampling,
    skippedS,
    skipped,
    coverage: toCoverage(coverage, skipped, events),
  };
}
