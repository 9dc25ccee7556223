import type { VideoEvent } from '#engine/index';
import { formatTimecode, toReadableEvents } from '#features/analyses/index';
import { rounded } from '#platform/numbers';
import type { LiveEvent } from '../types.ts';

/** An analyzed segment and its position in the stream. */
export type AnalyzedSegment = { sequence: number; startS: number; durationS: number; capturedAt: Date };

/**
 * The segment at this time of the stream (s, rounded as times of events are); for earlier times the first known one.
 */
export const findSegmentAt = (places: readonly AnalyzedSegment[], timeS: number): AnalyzedSegment =>
  places.findLast(({ startS }) => rounded(startS) <= timeS) ?? places[0]!;

/** Fields that are added to an event when it has ended, with what was then measured of it as a whole. */
export const toEndFields = (timeS: number, cutEnd: boolean, finding?: VideoEvent) => ({
  t_end: formatTimecode(timeS),
  end_s: timeS,
  ongoing: false,
  cut_end: cutEnd,
  ...(finding && { confidence: finding.confidence, aiAnalysis: finding.explanation, caveats: finding.caveats }),
});

const relativeTo = ({ startS }: AnalyzedSegment, timeS: number) => rounded(timeS - rounded(startS));

/** Builds a live event: the fields of an event of an analysis, with its position in a chunk. */
export function toNewEvent(
  id: string,
  sessionId: string,
  query: string,
  finding: VideoEvent,
  places: readonly AnalyzedSegment[],
) {
  const at = findSegmentAt(places, finding.startS);
  const { frames, tracks, signals } = finding.evidence;
  return {
    chunkIndex: at.sequence,
    streamS: finding.startS,
    capturedAt: new Date(at.capturedAt.getTime() + (finding.startS - at.startS) * 1000),
    data: {
      ...toReadableEvents(sessionId, [finding], null)[0],
      event_id: id,
      query,
      chunk_relative_time: relativeTo(at, finding.startS),
      evidence: {
        frames: frames.map(({ timeS, ...frame }) => {
          const place = findSegmentAt(places, timeS);
          return {
            ...frame,
            time_s: timeS,
            chunk_index: place.sequence,
            chunk_relative_time: relativeTo(place, timeS),
          };
        }),
        // Track paths are omitted to keep responses small, as clients poll the session.
        tracks: tracks.map(({ id: track, className, color }) => ({ id: track, class: className, color })),
        signals,
      },
    },
  };
}

/** When an event ended, or until when it was seen. */
function endOf(startedAt: Date, { start_s: startS, end_s: endS }: LiveEvent['data']): Date {
  const seconds = typeof startS === 'number' && typeof endS === 'number' ? endS - startS : 0;
  return new Date(startedAt.getTime() + seconds * 1_000);
}

/** Payload of an event in responses and event streams. */
export const toEventPayload = (
  sessionId: string,
  { id, chunkIndex, streamS, capturedAt, createdAt, data }: Omit<LiveEvent, 'position'>,
) => ({
  ...data,
  event_id: id,
  chunk_index: chunkIndex,
  chunk_id: `${sessionId}-${chunkIndex}`,
  stream_time: streamS,
  capture_time: capturedAt.toISOString(),
  start_at: capturedAt.toISOString(),
  end_at: endOf(capturedAt, data).toISOString(),
  created_at: createdAt.toISOString(),
});
