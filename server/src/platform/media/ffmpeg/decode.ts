import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  createFrameSink,
  type DecodeRange,
  type DecodeRequest,
  type DecodeSummary,
  type FrameRequest,
  type FrameSink,
  isNearEnd,
  ROUNDING_S,
  SCALER_FLAGS,
  SEEK_BACK_S,
  toDecodeState,
  UPLOAD_CHECK_SIDE,
} from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { createFrameLog, type FrameLog, fixedChunks } from './frame-log.ts';
import { claimedDuration, isPaletted, openInput, type ProbedInput } from './input.ts';
import type { FfmpegPrograms, RunningFfmpeg } from './program.ts';

const SKIP = { none: 'default', 'non-reference': 'noref', 'non-key': 'nokey', all: 'all' } as const;
const QUIET = ['-hide_banner', '-nostats', '-nostdin', '-loglevel', 'level+info'];
const FIRST = 'showinfo@first=checksum=0';
const WHOLE: DecodeRange = { fromS: 0, untilS: Number.POSITIVE_INFINITY };
const FAILED = /Error while decoding stream|Error submitting packet to decoder|corrupt decoded frame/;

/** One pass by one ffmpeg process: a filter graph scales, pipes carry pixels per frame size, stderr carries times. */
export async function decode(programs: FfmpegPrograms, path: string, request: DecodeRequest): Promise<DecodeSummary> {
  const input = await openInput(programs, path);
  const origin = await originOf(programs, input);
  if (origin === undefined) throw mediaProblem.media_damaged();
  for (const backS of request.range && !isPaletted(input.video) ? SEEK_BACK_S : []) {
    const summary = await decodeFrom(programs, input, origin, request, request.range!.fromS - backS);
    if (summary) return summary;
  }
  return (await decodeFrom(programs, input, origin, request, 0))!;
}

/**
 * Decodes from the keyframe at or before `seekS`. Null, before any frame was delivered, if the file continues after the
 * start of the range.
 */
async function decodeFrom(
  programs: FfmpegPrograms,
  input: ProbedInput,
  origin: number,
  request: DecodeRequest,
  seekS: number,
): Promise<DecodeSummary | null> {
  const { fromS, untilS } = request.range ?? WHOLE;
  const isSought = seekS > 0;
  const { display: shown, orientation, tick } = input;
  const sinks = request.frames.map((picture) => createFrameSink(picture, shown, orientation));
  const sound = input.audio ? request.audio : undefined;
  const claimed = claimedDuration(input, origin);
  const claimedS = Math.min(claimed.seconds, untilS);

  let isFirst = true;
  let isLate = false;
  let frames = 0;
  let errors = 0;
  let last = Number.NEGATIVE_INFINITY;
  let gap = 0;
  let soundEndS = 0;
  let stop = () => {};
  const log = createFrameLog((name, { pts }) => {
    if (name === 'sought') {
      // A file without timestamps cannot be entered in the middle.
      isLate ||= isFirst && !((pts - origin) * tick <= fromS + ROUNDING_S);
      isFirst = false;
      if (isLate) stop();
      return;
    }
    if (name !== 'all') return;
    if (Number.isNaN(pts) || pts <= last) {
      errors++;
      return;
    }
    gap = frames === 0 ? 0 : pts - last;
    last = pts;
    frames++;
    if (claimedS > fromS) request.onProgress?.(Math.min(1, ((pts - origin) * tick - fromS) / (claimedS - fromS)));
  });
  const pipes = sinks.length + (sound ? 1 : 0) + (request.onPacket ? 1 : 0);
  const running = programs.ffmpeg(decodeArgs(input, origin, request, sinks, isSought ? seekS : null), pipes);
  stop = running.kill;
  running.onLine((line) => {
    log.line(line);
    if (FAILED.test(line)) errors++;
  });
  void running.ended.then(log.end);
  const [, ...outputs] = running.outputs;
  const readers = sinks.map((sink, i) => readPictures(sink, `p${i}`, outputs[i]!, log, origin, tick));
  if (sound) {
    const noteEnd = (endS: number) => {
      soundEndS = endS;
    };
    readers.push(readSound(sound, outputs[sinks.length]!, log, origin * tick, noteEnd));
  }
  if (request.onPacket) readers.push(readPackets(request.onPacket, outputs[pipes - 1]!, origin, input.tick));
  await untilDone(running, readers);

  if (isLate || (isSought && frames === 0)) return null;
  if (frames === 0 && request.skip !== 'non-key') throw mediaProblem.media_damaged();
  request.onProgress?.(1);
  // Frame durations are unknown: the last frame ends with the video, or in a truncated video lasts as long as the
  // previous one.
  const lastS = (last - origin) * tick;
  const nearEnd = claimed.of === 'video' && claimedS > lastS && isNearEnd(lastS, claimedS);
  const endS = nearEnd ? claimedS : lastS + gap * tick;
  const reachedS = claimed.of === 'video' ? endS : Math.max(endS, soundEndS);
  return {
    frames,
    errors,
    endS,
    state: toDecodeState({ frames, errors, reachedS, claimedS: request.range ? 0 : claimedS }),
  };
}

/** Found by `firstTimestamps`. */
const origins = new WeakMap<ProbedInput, number>();

/** Timestamp of the first decodable frame; undefined if there is none. */
export async function originOf(programs: FfmpegPrograms, input: ProbedInput): Promise<number | undefined> {
  return origins.get(input) ?? (await firstTimestamps(programs, input, 1))[0];
}

/**
 * Timestamps of the first decodable frames in presentation order. `convert` also scales them to the formats of analysis
 * and stills; the result is empty if that fails.
 */
export async function firstTimestamps(
  programs: FfmpegPrograms,
  input: ProbedInput,
  count: number,
  { convert = false } = {},
): Promise<number[]> {
  const stamps: number[] = [];
  const log = createFrameLog((_, { pts }) => stamps.push(Number.isNaN(pts) ? stamps.length : pts));
  const running = programs.ffmpeg([
    ...QUIET,
    '-copyts',
    '-noautorotate',
    '-threads',
    '1',
    ...input.args,
    ...(convert ? converted(input) : ['-map', `0:${input.video.index}`, '-vf', FIRST]),
    '-frames:v',
    String(count),
    '-fps_mode',
    'passthrough',
    '-f',
    'null',
    '-',
  ]);
  running.onLine(log.line);
  running.outputs[0]!.resume();
  await running.ended;
  if (stamps.length > 0) origins.set(input, stamps[0]!);
  return stamps.slice(0, count);
}

/** Filter graph that scales frames to each format in use, and logs each converted frame. */
function converted({ video }: ProbedInput): string[] {
  const scale = `scale=${UPLOAD_CHECK_SIDE}:${UPLOAD_CHECK_SIDE}:flags=${SCALER_FLAGS}`;
  const chains = [
    `[0:${video.index}]split=3[gray][rgb][rgba]`,
    `[gray]${scale},format=gray,nullsink`,
    `[rgb]${scale},format=rgb24,nullsink`,
    `[rgba]${scale},format=rgba,${FIRST}[out]`,
  ];
  return ['-filter_complex', chains.join(';'), '-map', '[out]'];
}

function decodeArgs(
  input: ProbedInput,
  origin: number,
  request: DecodeRequest,
  sinks: readonly FrameSink[],
  seekS: number | null,
): string[] {
  const { video, audio, tick } = input;
  const select = request.range ? `${rangeFilter(request.range, origin, tick, seekS !== null)},` : '';
  // Not every decoder honors `skip_frame`.
  const keys = request.skip === 'non-key' ? 'select=key,' : '';
  const filters = `[0:${video.index}]${select}${keys}showinfo@all=checksum=0`;
  const chains = [`${filters},split=${sinks.length + 1}[all]${labels(sinks, 'v')}`];
  chains.push('[all]nullsink');
  const outputs: string[] = [];
  for (const [i, sink] of sinks.entries()) {
    const due = selectDue(request.frames[i]!, origin * tick);
    const scale = `scale=${sink.scaled.width}:${sink.scaled.height}:flags=${sink.scalerFlags},format=${sink.channels === 1 ? 'gray' : 'rgb24'}`;
    chains.push(`[v${i}]${due}${scale},showinfo@p${i}=checksum=0[p${i}]`);
    outputs.push('-map', `[p${i}]`, '-fps_mode', 'passthrough', '-f', 'rawvideo', `pipe:${i + 3}`);
  }
  if (request.audio && audio) {
    const resample = `aresample=${request.audio.sampleRate}:ochl=mono:osf=flt:rematrix_maxval=1`;
    chains.push(`[0:${audio.index}]${resample},ashowinfo@sound[sound]`);
    outputs.push('-map', '[sound]', '-f', 'f32le', `pipe:${sinks.length + 3}`);
  }
  if (request.onPacket) {
    const at = sinks.length + (request.audio && audio ? 1 : 0) + 3;
    outputs.push('-map', `0:${video.index}`, '-c', 'copy', '-copyinkf', '-f', 'framecrc', `pipe:${at}`);
  }
  // Without frame requests, frames are still decoded and counted.
  if (sinks.length === 0) chains[0] = `${filters}[all]`;
  return [
    ...QUIET,
    '-copyts',
    '-noautorotate',
    '-threads',
    '1',
    ...(seekS === null ? [] : ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', (origin * tick + seekS).toFixed(6)]),
    '-skip_frame',
    SKIP[request.skip ?? 'none'],
    '-skip_loop_filter',
    SKIP[request.skipDeblocking ?? 'none'],
    ...(request.skip === 'non-key' ? ['-flags', 'low_delay'] : []),
    ...input.args,
    '-filter_complex_threads',
    '1',
    '-filter_complex',
    chains.join(';'),
    ...outputs,
    ...(outputs.length === 0 ? ['-f', 'null', '-'] : []),
  ];
}

/** Passes the frames that a request is due for, as `createFrameSink` does. */
function selectDue({ minIntervalS = 0, atS }: FrameRequest, originS: number): string {
  if (atS) {
    const near = (timeS: number) =>
      `between(t\\,${(originS + timeS - ROUNDING_S).toFixed(6)}\\,${(originS + timeS + ROUNDING_S).toFixed(6)})`;
    return `select=${atS.map(near).join('+') || '0'},`;
  }
  return minIntervalS > 0 ? `select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${minIntervalS - ROUNDING_S}),` : '';
}

/** Passes the frames of a range, and ends the output after it. Logs the frames that a seek led to. */
function rangeFilter({ fromS, untilS }: DecodeRange, origin: number, tick: number, isSought: boolean): string {
  const stamp = (timeS: number) => origin + Math.ceil((timeS - ROUNDING_S) / tick);
  const trim = `trim=start_pts=${stamp(fromS)}:end_pts=${stamp(untilS)}`;
  return isSought ? `showinfo@sought=checksum=0,${trim}` : trim;
}

const labels = (sinks: readonly unknown[], letter: string) => sinks.map((_, i) => `[${letter}${i}]`).join('');

async function readPictures(
  sink: FrameSink,
  name: string,
  pipe: Readable,
  log: FrameLog,
  origin: number,
  tick: number,
): Promise<void> {
  const stride = sink.scaled.width * sink.channels;
  let last = Number.NEGATIVE_INFINITY;
  for await (const data of fixedChunks(pipe, stride * sink.scaled.height)) {
    const facts = await log.next(name);
    if (!facts) return;
    if (!(facts.pts > last)) continue;
    last = facts.pts;
    const frame = { timeS: (facts.pts - origin) * tick, pts: facts.pts, keyframe: facts.keyframe };
    await sink.deliver(data, stride, frame);
  }
}

async function readSound(
  { sampleRate, onSamples }: NonNullable<DecodeRequest['audio']>,
  pipe: Readable,
  log: FrameLog,
  originS: number,
  onEnd: (endS: number) => void,
): Promise<void> {
  let facts = await log.next('sound');
  let taken = 0;
  for await (const chunk of aligned(pipe)) {
    for (let at = 0; at < chunk.length && facts; ) {
      const part = chunk.subarray(at, at + facts.samples - taken);
      const timeS = (facts.pts + taken) / sampleRate - originS;
      if (part.length > 0) await onSamples(part, timeS);
      onEnd(timeS + part.length / sampleRate);
      at += part.length;
      taken += part.length;
      if (taken < facts.samples) continue;
      facts = await log.next('sound');
      taken = 0;
    }
  }
}

/**
 * Lines of the `framecrc` muxer: stream, dts, pts, duration, size, checksum, and the flags where they are not just
 * "keyframe".
 */
const PACKET = /^\d+, +(-?\d+|NOPTS), +(-?\d+|NOPTS), +\d+, +(\d+), 0x[0-9a-f]+(?:.*F=0x([0-9A-F]+))?/;
const [KEY, DISCARD] = [1, 4];

async function readPackets(
  onPacket: NonNullable<DecodeRequest['onPacket']>,
  pipe: Readable,
  origin: number,
  tick: number,
): Promise<void> {
  for await (const line of createInterface({ input: pipe })) {
    const match = PACKET.exec(line);
    if (!match) continue;
    const [, dts, pts, bytes, flagsText] = match;
    const stamp = Number(pts === 'NOPTS' ? dts : pts);
    const flags = flagsText === undefined ? KEY : Number.parseInt(flagsText, 16);
    if (Number.isNaN(stamp) || flags & DISCARD) continue;
    onPacket({ timeS: (stamp - origin) * tick, bytes: Number(bytes), keyframe: (flags & KEY) !== 0 });
  }
}

/** Bytes as whole 32-bit samples. */
async function* aligned(pipe: AsyncIterable<Buffer>): AsyncGenerator<Float32Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of pipe) {
    const bytes = Uint8Array.from(Buffer.concat([rest, chunk]));
    const whole = bytes.length - (bytes.length % 4);
    rest = bytes.slice(whole);
    if (whole > 0) yield new Float32Array(bytes.buffer, 0, whole / 4);
  }
}

/** Waits for the program and its readers. A failing reader stops the program. */
async function untilDone(running: RunningFfmpeg, readers: Promise<void>[]): Promise<void> {
  try {
    await Promise.all(readers);
    await running.ended;
  } catch (error) {
    running.kill();
    await running.ended;
    throw error;
  }
}
