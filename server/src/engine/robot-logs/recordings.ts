import type { Media, MediaTaskOptions } from '#platform/media/index';
import type { DatasetColumn, EpisodeFrames, EpisodePlace } from './lerobot/index.ts';
import type { RecordingLocation } from './mcap/index.ts';
import type { RecordingTelemetry } from './telemetry/index.ts';
import type { RecordedTrajectory } from './trajectory/index.ts';
import type { ConvertChannelArgs, RecordingSurvey } from './types.ts';
import type { ConvertedChannel, TimelineArgs } from './video/index.ts';

/**
 * Reads recordings of robots and vehicles (MCAP, LeRobot) in media processes. Each image or video channel becomes a
 * video with the original frame times, and measurements become telemetry on the same clock. Damaged ranges are skipped.
 */
export interface Recordings {
  /**
   * Reads the channels of a recording. Like the other methods, throws `recording_unreadable`, `recording_empty` or
   * `recording_over_limit` (400).
   */
  survey(place: RecordingLocation, options?: MediaTaskOptions): Promise<RecordingSurvey>;
  /** Writes the videos of a channel to a folder. Throws a Problem (400) if it has none. */
  convertChannel(args: ConvertChannelArgs, options?: MediaTaskOptions): Promise<ConvertedChannel>;
  /** Writes a video without content to a folder, for telemetry without a camera. */
  createTimeline(args: TimelineArgs, options?: MediaTaskOptions): Promise<ConvertedChannel>;
  /** Reads the telemetry; null if the recording has none. */
  readTelemetry(place: RecordingLocation, options?: MediaTaskOptions): Promise<RecordingTelemetry | null>;
  /** Reads measured joints and poses; null if the recording has none. */
  readTrajectory(place: RecordingLocation, options?: MediaTaskOptions): Promise<RecordedTrajectory | null>;
  /**
   * Reads the table of episodes of a dataset of LeRobot from local files, within a minute, because requests wait for
   * it. Throws `dataset_unreadable` (400).
   */
  readEpisodeTable(args: { paths: string[]; cameras: string[] }, options?: MediaTaskOptions): Promise<EpisodePlace[]>;
  /** Reads the frames of these episodes from a local table. Throws `dataset_unreadable` (400). */
  readFrames(
    args: { path: string; episodes: number[]; columns: DatasetColumn[] },
    options?: MediaTaskOptions,
  ): Promise<EpisodeFrames[]>;
}

const TASKS = new URL('./tasks.ts', import.meta.url);
/** Reading a recording of 100 GB from a slow disk takes an hour; encoding hours of video takes longer. */
const TIMEOUT_S = 12 * 3600;
const TABLE_TIMEOUT_S = 60;

export function createRecordings({ media }: { media: Pick<Media, 'run'> }): Recordings {
  const run = <Result>(name: string, args: unknown, options?: MediaTaskOptions) =>
    // A recording that crashes its process would crash the next one too, so the first crash is reported.
    media.run<Result>({ module: TASKS, name, args }, { timeoutS: TIMEOUT_S, retryCrash: false, ...options });
  return {
    survey: (place, options) => run('survey', { place }, options),
    convertChannel: (args, options) => run('convertChannel', args, options),
    createTimeline: (args, options) => run('createTimeline', args, options),
    readTelemetry: (place, options) => run('readTelemetry', { place }, options),
    readTrajectory: (place, options) => run('readTrajectory', { place }, options),
    readEpisodeTable: (args, options) => run('readEpisodeTable', args, { timeoutS: TABLE_TIMEOUT_S, ...options }),
    readFrames: (args, options) => run('readFrames', args, options),
  };
}
