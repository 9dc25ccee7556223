import type { Finding } from '#engine/index';
import { clock, readableEvents } from '#features/analyses/index';
import { rounded } from '#platform/numbers';
import type { LiveEvent } from '../types.ts';

/** A segment that was looked at, and where it is in the stream. */
export type Place = { sequence: number; startS: number; durationS: number; capturedAt: Date };

/** The segment that is on at this second of the stream: what began before the first one known began in that. */
export const placeAt = (places: readonly Place[], timeS: number): Place =>
  places.findLast(({ startS }) => startS <= timeS) ?? places[0]!;

/** What is added to an event once it has ended. */
export const endOf = (timeS: number, cutEnd: boolean) => ({
  ...{ t_end: clock(timeS), end_s: timeS, ongoing: false },
  cut_end: cutEnd,
});

const relativeTo = ({ startS }: Place, timeS: number) => rounded(timeS - startS);

/** A finding as it is told: as the events of analyses are, with where in which chunk it is. */
export function toldOf(id: string, sessionId: string, query: string, finding: Finding, places: readonly Place[]) {
  const at = placeAt(places, finding.startS);
  const { frames, tracks, signals } = finding.evidence;
  return {
    chunkIndex: at.sequence,
    streamS: finding.startS,
    capturedAt: new Date(at.capturedAt.getTime() + (finding.startS - at.startS) * 1000),
    data: {
      ...readableEvents(sessionId, [finding])[0],
      event_id: id,
      query,
      chunk_relative_time: relativeTo(at, finding.startS),
      evidence: {
        frames: frames.map(({ timeS, ...frame }) => {
          const place = placeAt(places, timeS);
          return {
            ...{ ...frame, time_s: timeS, chunk_index: place.sequence },
            chunk_relative_time: relativeTo(place, timeS),
          };
        }),
        // Their paths stay with the recording: a session is read again and again.
        tracks: tracks.map(({ id: track, className, color }) => ({ id: track, class: className, color })),
        signals,
      },
    },
  };
}

/** An event as it is told, in answers and in streams. */
export const eventAnswer = (
  sessionId: string,
  { id, chunkIndex, streamS, capturedAt, createdAt, data }: Omit<LiveEvent, 'position'>,
) => ({
  ...data,
  event_id: id,
  chunk_index: chunkIndex,
  chunk_id: `${sessionId}-${chunkIndex}`,
  stream_time: streamS,
  capture_time: capturedAt.toISOString(),
  created_at: createdAt.toISOString(),
});
