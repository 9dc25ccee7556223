import { resolve } from 'node:path';
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_LOG_QUIET,
  AV_PIX_FMT_PAL8,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  type Frame,
  InputFormat,
  Log,
  type Stream,
} from 'node-av/lib';
import { type Container, detectContainer } from '../../bitstream/index.ts';
import {
  checkColorMatrix,
  checkDimensions,
  checkMaxDimensions,
  type DurationClaim,
  displaySize,
  type Orientation,
  type Size,
  toDurationClaim,
  toOpenProblem,
  toOrientation,
  UPRIGHT,
} from '../../engine/index.ts';
import { LIMITS } from '../../limits.ts';
import { mediaProblem } from '../../problems.ts';

/**
 * A file opened with the node-av binding. Rules, because other ways corrupt memory (cases in
 * `binding.service.test.ts`): use only `*Sync` calls of `node-av/lib`, and `sendPacket` if it is awaited before its
 * packet and decoder are used again; set options with `setOption` before `open2Sync(codec, null)`; free nothing that is
 * in use.
 */
export type LibavInput = {
  format: FormatContext;
  container: Container & { sizeBytes: number };
  video: Stream;
  audio: Stream | null;
  /** Seconds per timestamp unit of the video stream. */
  tick: number;
  coded: Size;
  display: Size;
  orientation: Orientation;
  [Symbol.dispose](): void;
};

/** True for paletted video. The palette may be in the first packet only (AVI), so it must be read from the start. */
export const isPaletted = ({ codecpar }: Stream): boolean => codecpar.format === AV_PIX_FMT_PAL8;

export const AV_NOPTS = -9223372036854775808n;

/** Opens a file as its detected container. Throws the Problems of `Media.probe`. */
export async function openInput(path: string): Promise<LibavInput> {
  const container = await detectContainer(path);
  Log.setLevel(AV_LOG_QUIET);
  const format = new FormatContext();
  try {
    // `file:` prevents names from being parsed as protocols; the whitelists prevent the file from opening others.
    const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: container.demuxers });
    const demuxer = InputFormat.findInputFormat(container.demuxers);
    const opened = format.openInputSync(`file:${resolve(path)}`, demuxer, options);
    if (opened < 0) throw await toOpenProblem(path, container, FFmpegError.strerror(opened));
    // Before the stream analysis, which decodes: huge claimed dimensions must not allocate memory.
    for (const stream of format.streams) {
      if (stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) checkMaxDimensions(stream.codecpar);
    }
    const analyzed = format.findStreamInfoSync(null);
    if (analyzed < 0) throw await toOpenProblem(path, container, FFmpegError.strerror(analyzed));

    const video = findVideo(format);
    if (!video) throw mediaProblem.media_no_video();
    const soundIndex = format.findBestStream(AVMEDIA_TYPE_AUDIO, -1, video.index);
    const sound = format.streams[soundIndex];
    const audio = sound && sound.codecpar.sampleRate > 0 ? sound : null;
    for (const stream of format.streams) {
      if (stream.index !== video.index && stream.index !== audio?.index) stream.discard = AVDISCARD_ALL;
    }
    const coded = { width: video.codecpar.width, height: video.codecpar.height };
    checkDimensions(coded);
    checkColorMatrix(video.codecpar.colorSpace);
    const orientation = orientationOfStream(video);
    return {
      format,
      container,
      video,
      audio,
      tick: video.timeBase.num / video.timeBase.den,
      coded,
      display: displaySize(coded, pixelAspect(video), orientation),
      orientation,
      [Symbol.dispose]: () => format.closeInputSync(),
    };
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
}

/**
 * Opens a decoder, single-threaded by default: one process per core is fastest. Throws if the codec is not supported.
 */
export function openDecoder(stream: Stream, options: Record<string, string> = {}): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (!codec) throw mediaProblem.media_unreadable('The video is in a codec that this server cannot decode.');
  const context = new CodecContext();
  context.allocContext3(codec);
  FFmpegError.throwIfError(context.parametersToContext(stream.codecpar), 'copying codec parameters');
  context.threadCount = 1;
  context.pktTimebase = stream.timeBase;
  context.setOption('max_pixels', String(LIMITS.pixels));
  for (const [name, value] of Object.entries(options)) context.setOption(name, value);
  const opened = context.open2Sync(codec, null);
  if (opened < 0) {
    context.freeContext();
    throw mediaProblem.media_damaged(`The video's decoder could not be started: ${FFmpegError.strerror(opened)}.`);
  }
  return context;
}

/** Presentation timestamp of a frame, its own or an estimate from the packet order; null if there is none. */
export function getTimestamp(frame: Frame): number | null {
  const stamp = frame.bestEffortTimestamp !== AV_NOPTS ? frame.bestEffortTimestamp : frame.pts;
  return stamp === AV_NOPTS ? null : Number(stamp);
}

/** Duration according to the headers, from the timestamp of the first frame; 0 seconds if unknown. */
export function claimedDuration({ video, format, tick }: LibavInput, origin: number): DurationClaim {
  const endOf = ({ startTime, duration, timeBase }: Stream) =>
    duration > 0n
      ? ((startTime === AV_NOPTS ? 0 : Number(startTime)) + Number(duration)) * (timeBase.num / timeBase.den)
      : null;
  const fileStartS = format.startTime === AV_NOPTS ? 0 : Number(format.startTime) / 1e6;
  return toDurationClaim(origin * tick, {
    video: endOf(video),
    file: format.duration > 0n ? fileStartS + Number(format.duration) / 1e6 : null,
    others: format.streams.filter(({ index }) => index !== video.index).map((stream) => endOf(stream) ?? 0),
  });
}

function findVideo(format: FormatContext): Stream | undefined {
  const isVideo = (stream: Stream | undefined) =>
    stream !== undefined &&
    stream.codecpar.codecType === (AVMEDIA_TYPE_VIDEO as AVMediaType) &&
    (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) === 0;
  const best = format.streams[format.findBestStream(AVMEDIA_TYPE_VIDEO)];
  // Cover art of an audio file is a video stream with one frame.
  return isVideo(best) ? best : format.streams.find(isVideo);
}

function pixelAspect(stream: Stream): number {
  const { num, den } = stream.sampleAspectRatio;
  return num > 0 && den > 0 ? num / den : 1;
}

function orientationOfStream(stream: Stream): Orientation {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!matrix || matrix.length < 20) return UPRIGHT;
  // Nine 32-bit numbers, a b u c d v x y w, in the machine's byte order; every supported machine is little-endian.
  return toOrientation(matrix.readInt32LE(0), matrix.readInt32LE(4), matrix.readInt32LE(12), matrix.readInt32LE(16));
}
