import type { FootageClock } from '#engine/index';
import { clockSource, recordedTime, type StoredClock } from '#features/videos/index';

/** When the video of a document was recorded. */
export type VideoClock = { recordedAt: Date | null; timeZone: string | null; clock: StoredClock | null };

/** The clock of a video, by which times of the calendar are found in it. */
export const toRecordingClock = ({
  recordedAt,
  timeZone,
  clock,
  durationS,
}: VideoClock & { durationS: number | null }): FootageClock => ({
  recordedAt,
  timeZone,
  source: clock && clockSource(clock),
  jumps: clock?.jumps ?? [],
  rate: clock?.rate ?? 1,
  durationS,
});

/** Seconds of an event in a document. Within a string, quotes are escaped, so that nothing there matches. */
const SECONDS = /"start_s":(\d+(?:\.\d+)?),"end_s":(\d+(?:\.\d+)?)/g;

/** `start_at` and `end_at` of an event; empty if it is unknown when the video was recorded. */
export function recordedFields(video: Omit<VideoClock, 'timeZone'>, startS: number, endS: number) {
  const [startAt, endAt] = [recordedTime(video, startS), recordedTime(video, endS)];
  return startAt && endAt ? { start_at: startAt.toISOString(), end_at: endAt.toISOString() } : {};
}

/**
 * Adds to a document, or to its events, when they were recorded. It is not stored there, since the clock of a video can
 * be set later. The text is not parsed: a document may have megabytes.
 */
export function withRecordedTimes(text: string, video: VideoClock): string {
  if (!video.recordedAt) return text;
  return text.replace(SECONDS, (seconds, start: string, end: string) => {
    const fields = JSON.stringify(recordedFields(video, Number(start), Number(end)));
    return `${seconds},${fields.slice(1, -1)}`;
  });
}
