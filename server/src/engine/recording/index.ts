import type { Media, RunOptions } from '#platform/media/index';
import type { Film } from './film.ts';
import type { Loss } from './records.ts';
import type { Place } from './source.ts';
import type { FilmArgs } from './tasks.ts';
import type { RecordingTelemetry } from './telemetry.ts';
import type { TimelineArgs } from './timeline.ts';

export type { Film, FilmPart } from './film.ts';
export type { Loss } from './records.ts';
export type { Place } from './source.ts';
export { type RecordingTelemetry, toSidecar } from './telemetry.ts';

/**
 * Recordings: logs of robots and vehicles (MCAP), read in media processes. Each channel of pictures becomes a video with the times that its frames were
 * taken at; what else was measured becomes telemetry on the same clock. Damage costs what is damaged: the rest is read.
 */
export interface Recordings {
  /** What a recording holds. Throws `recording_unreadable`, `recording_empty` or `recording_over_limit` (400), as the others do. */
  survey(place: Place, options?: RunOptions): Promise<Survey>;
  /** Writes the videos of a channel into a folder. Throws a Problem (400) that says why it has none. */
  film(args: FilmArgs, options?: RunOptions): Promise<Film>;
  /** Writes a video without content into a folder, for measurements that no camera can show. */
  timeline(args: TimelineArgs, options?: RunOptions): Promise<Film>;
  /** What was measured; null when nothing was. */
  telemetry(place: Place, options?: RunOptions): Promise<RecordingTelemetry | null>;
}

/** Times in nanoseconds by the recorder's clock. */
export type Survey = {
  channels: SurveyedChannel[];
  startNs: bigint | null;
  endNs: bigint | null;
  /** Whether the recording has an index that can be used. */
  indexed: boolean;
  losses: Loss[];
};

/** `messages` is null where the recording does not say. */
export type SurveyedChannel = {
  id: number;
  /** Its topic, or `topic#id` where several channels have one topic. */
  name: string;
  topic: string;
  schema: string;
  messages: number | null;
  isVideo: boolean;
};

const TASKS = new URL('./tasks.ts', import.meta.url);
/** Reading all of a recording of 100 GB from a slow disk takes an hour; encoding hours of video takes longer. */
const TIMEOUT_S = 12 * 3600;

export function createRecordings({ media }: { media: Pick<Media, 'run'> }): Recordings {
  const run = <Result>(name: string, args: unknown, options?: RunOptions) =>
    // A recording that crashes its process would crash the next one as well: the first crash is the reason that users see.
    media.run<Result>({ module: TASKS, name, args }, { timeoutS: TIMEOUT_S, retryCrash: false, ...options });
  return {
    survey: (place, options) => run('survey', { place }, options),
    film: (args, options) => run('film', args, options),
    timeline: (args, options) => run('timeline', args, options),
    telemetry: (place, options) => run('telemetry', { place }, options),
  };
}
