import { dirname } from 'node:path';
import type { Media, MediaTask, MediaTaskOptions } from '#platform/media/index';
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
  /**
   * Reads by how many nanoseconds UTC is ahead of the clock of the recording, by a receiver of satellites; null without
   * its time.
   */
  readSatelliteTime(place: RecordingLocation, options?: MediaTaskOptions): Promise<bigint | null>;
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

type Files = Pick<MediaTask, 'reads' | 'writes'>;

export function createRecordings({ media }: { media: Pick<Media, 'run'> }): Recordings {
  const run = <Result>(name: string, args: unknown, files: Files, options?: MediaTaskOptions) =>
    // A recording that crashes its process would crash the next one too, so the first crash is reported.
    media.run<Result>({ module: TASKS, name, args, ...files }, { timeoutS: TIMEOUT_S, retryCrash: false, ...options });
  /** Reads a recording: a file, or one behind a URL, which the process fetches itself. */
  const read = <Result>(name: string, args: { place: RecordingLocation }, more: Files, options?: MediaTaskOptions) => {
    const reads = 'path' in args.place ? [args.place.path] : [];
    return run<Result>(name, args, { reads, ...more }, { network: 'url' in args.place, ...options });
  };
  return {
    survey: (place, options) => read('survey', { place }, {}, options),
    convertChannel: async (args, options) =>
      checkParts(args.folder, await read('convertChannel', args, { writes: [args.folder] }, options)),
    createTimeline: async (args, options) =>
      checkParts(args.folder, await run('createTimeline', args, { writes: [args.folder] }, options)),
    readTelemetry: (place, options) => read('readTelemetry', { place }, {}, options),
    readSatelliteTime: (place, options) => read('readSatelliteTime', { place }, {}, options),
    readTrajectory: (place, options) => read('readTrajectory', { place }, {}, options),
    readEpisodeTable: (args, options) =>
      run('readEpisodeTable', args, { reads: args.paths }, { timeoutS: TABLE_TIMEOUT_S, ...options }),
    readFrames: (args, options) => run('readFrames', args, { reads: [args.path] }, options),
  };
}

/** The files of a result must be those that were written: a process that was taken over could name any other. */
function checkParts(folder: string, converted: ConvertedChannel): ConvertedChannel {
  const strange = converted.parts.find(({ path }) => dirname(path) !== folder);
  if (strange) throw new Error(`a media process returned the file ${strange.path}`);
  return converted;
}
