import { resolve } from 'node:path';
import { type Container, detectContainer } from '../bitstream/index.ts';
import {
  checkColorMatrix,
  checkDimensions,
  type DurationClaim,
  displaySize,
  type Orientation,
  type Size,
  toDurationClaim,
  toOpenProblem,
  toOrientation,
  UPRIGHT,
} from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { createFileCache, type FileCache } from './file-cache.ts';
import { type FfmpegPrograms, safeInput } from './program.ts';

/** A file probed with ffprobe. */
export type ProbedInput = {
  path: string;
  container: Container & { sizeBytes: number };
  /** Options that open the file, with `-i`. */
  args: string[];
  video: ProbedStream;
  audio: ProbedStream | null;
  /** All tracks but the video. */
  others: ProbedStream[];
  format: { start_time?: string; duration?: string; tags?: Record<string, string> };
  timeBase: [number, number];
  tick: number;
  coded: Size;
  display: Size;
  orientation: Orientation;
};

/** Used fields of `ffprobe -show_streams`. */
export type ProbedStream = {
  index: number;
  codec_type: string;
  codec_tag_string?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  pix_fmt?: string;
  color_transfer?: string;
  color_space?: string;
  field_order?: string;
  sample_aspect_ratio?: string;
  time_base: string;
  start_pts?: number;
  duration_ts?: number;
  avg_frame_rate?: string;
  nb_frames?: string;
  sample_rate?: string;
  channels?: number;
  disposition?: { default?: number; attached_pic?: number };
  tags?: { language?: string };
  side_data_list?: { displaymatrix?: string }[];
};

/** Steps of one task open the same file again and again, and each start of a program takes 0.1 s of CPU time. */
const caches = new WeakMap<FfmpegPrograms, FileCache<ProbedInput>>();

/** Opens a file as its detected container and reads its headers. Throws the Problems of `Media.probe`. */
export function openInput(programs: FfmpegPrograms, given: string): Promise<ProbedInput> {
  const path = resolve(given);
  const cache = caches.get(programs) ?? createFileCache();
  caches.set(programs, cache);
  return cache(path, () => readInput(programs, path));
}

async function readInput(programs: FfmpegPrograms, path: string): Promise<ProbedInput> {
  const container = await detectContainer(path);
  const args = safeInput(path, container);
  const shownParts = ['-show_format', '-show_streams', '-show_entries', 'stream_side_data=displaymatrix'];
  type Probed = { streams?: ProbedStream[]; format?: ProbedInput['format'] };
  const probed = (await programs.ffprobe([...args, ...shownParts]).catch(async (error: Error & { stderr?: string }) => {
    throw await toOpenProblem(path, container, reasonIn(error.stderr ?? error.message));
  })) as Probed;

  const streams = probed.streams ?? [];
  const video = findVideo(streams);

  if (!video) throw mediaProblem.media_no_video();
  const coded = { width: video.width ?? 0, height: video.height ?? 0 };
  checkDimensions(coded);
  checkColorMatrix(video.color_space);
  const timeBase = ratio(video.time_base, '/') ?? [1, 1];
  const aspect = ratio(video.sample_aspect_ratio, ':');
  const orientation = orientationIn(video.side_data_list?.find((side) => side.displaymatrix)?.displaymatrix);
  return {
    path,
    container,
    args,
    video,
    others: streams.filter((stream) => stream !== video),
    audio: streams.find((stream) => stream.codec_type === 'audio' && Number(stream.sample_rate) > 0) ?? null,
    format: probed.format ?? {},
    timeBase,
    tick: timeBase[0] / timeBase[1],
    coded,
    display: displaySize(coded, aspect && aspect[0] > 0 && aspect[1] > 0 ? aspect[0] / aspect[1] : 1, orientation),
    orientation,
  };
}

/** Duration according to the headers, from the timestamp of the first frame; 0 seconds if unknown. */
export function claimedDuration({ video, others, format, tick }: ProbedInput, origin: number): DurationClaim {
  const endOf = ({ start_pts = 0, duration_ts = 0, time_base }: ProbedStream) => {
    const [num, den] = ratio(time_base, '/') ?? [0, 1];
    return duration_ts > 0 ? ((start_pts + duration_ts) * num) / den : null;
  };
  const durationS = Number(format.duration ?? 0);
  return toDurationClaim(origin * tick, {
    video: endOf(video),
    file: durationS > 0 ? Number(format.start_time ?? 0) + durationS : null,
    others: others.map((stream) => endOf(stream) ?? 0),
  });
}

/** See the other engine's. */
export const isPaletted = ({ pix_fmt }: ProbedStream): boolean => pix_fmt === 'pal8';

/** See the other engine's. */
export const isInterlaced = ({ field_order }: ProbedStream): boolean => /^[tb][tb]$/.test(field_order ?? '');

/** `a/b` or `a:b` as numbers. */
export function ratio(text: string | undefined, separator: '/' | ':'): [number, number] | null {
  const [a, b] = (text ?? '').split(separator).map(Number);
  return a !== undefined && b !== undefined && Number.isFinite(a) && Number.isFinite(b) ? [a, b] : null;
}

/** Selects the video track as FFmpeg does: the default one, then the one with most pixels, but never cover art. */
function findVideo(streams: ProbedStream[]): ProbedStream | undefined {
  const score = (stream: ProbedStream) =>
    (stream.disposition?.default ?? 0) * 1e12 + (stream.width ?? 0) * (stream.height ?? 0);
  return streams
    .filter((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic)
    .reduce<ProbedStream | undefined>(
      (best, stream) => (best && score(best) >= score(stream) ? best : stream),
      undefined,
    );
}

/** ffprobe prints the matrix as three lines of an address and three numbers. */
function orientationIn(matrix: string | undefined): Orientation {
  const rows = (matrix ?? '')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\d+:/, '').trim().split(/\s+/).map(Number));
  const [[a, b] = [], [c, d] = []] = rows;
  if ([a, b, c, d].some((value) => value === undefined || Number.isNaN(value))) return UPRIGHT;
  return toOrientation(a!, b!, c!, d!);
}

/** Last message of FFmpeg without the file name. */
function reasonIn(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line.slice(line.lastIndexOf(': ') + 1).trim() || 'no reason was given';
}
