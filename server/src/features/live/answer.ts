import { coverageAnswer } from './analysis/coverage.ts';
import type { createLivePictures } from './analysis/pictures.ts';
import { skippedRanges } from './analysis/ranges.ts';
import type { Analysis } from './analysis/store.ts';
import { eventAnswer } from './analysis/told.ts';
import type { SessionState } from './service.ts';
import type { LiveEvent, Session } from './types.ts';

export const summaryOf = (session: Session) => ({
  session_id: session.id,
  stream_id: session.streamId,
  name: session.name,
  source_url: session.sourceUrl,
  status: session.status,
  scope: session.scope,
  folder_id: session.folderId,
  created_by: session.ownerId,
  created_by_display_name: session.ownerName,
  created_at: session.createdAt.toISOString(),
  started_at: session.startedAt?.toISOString() ?? null,
  ended_at: session.endedAt?.toISOString() ?? null,
  error: session.problem?.code ?? null,
  message: session.problem?.message ?? null,
  rapid_review_query: session.query,
  connected: session.connected,
  chunk_count: session.segments,
  event_count: session.events,
  duration_s: session.durationS,
  size_bytes: session.bytes,
  video_id: session.videoId,
});

/** A session as existing clients read it, with what they do not know beside it. */
export function sessionAnswer(
  { session, videoIds, chunks, gaps, events, analysis }: SessionState,
  pictures: ReturnType<typeof createLivePictures>,
) {
  const withPictures = pictures.signer(session.id);
  const firstOfEpoch = (i: number) => chunks[i]!.epoch !== chunks[i - 1]?.epoch && chunks[i]!.sequence > 0;
  return {
    ...summaryOf(session),
    video_ids: videoIds,
    chunks: chunks.map((chunk, i) => ({
      chunk_id: `${session.id}-${chunk.sequence}`,
      chunk_index: chunk.sequence,
      stream_time: chunk.streamS,
      hls_cumulative_offset: chunk.startS,
      duration_s: chunk.durationS,
      capture_time: chunk.capturedAt.toISOString(),
      size_bytes: chunk.bytes,
      // Of the oldest one told it is not known what was before.
      discontinuity: i > 0 && firstOfEpoch(i),
    })),
    gaps: gaps.map(({ sequence, fromAt, untilAt, reason }) => ({
      chunk_index: sequence,
      from: fromAt.toISOString(),
      until: untilAt.toISOString(),
      reason,
    })),
    events: events.map((event) => withPictures(eventAnswer(session.id, event))),
    analysis: analysis && analysisAnswer(analysis, events),
  };
}

function analysisAnswer(analysis: Analysis, events: readonly LiveEvent[]) {
  const { knownS, sampling, behindS, skippedS, coverage, endedAt } = analysis;
  const skipped = skippedRanges(analysis.pending, analysis.skipped, endedAt !== null);
  return {
    state: endedAt ? ('ended' as const) : knownS > 0 ? ('running' as const) : ('waiting' as const),
    analysed_s: knownS,
    behind_s: behindS,
    sampling,
    skipped_s: skippedS,
    skipped: skipped.map(({ fromS, untilS, reason }) => ({ from_s: fromS, until_s: untilS, reason })),
    coverage: coverageAnswer(coverage, skipped, events),
  };
}
