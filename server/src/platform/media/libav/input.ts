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
import { type Claim, claimFrom } from '../facts.ts';
import { type Orientation, orientationOf, type Size, shownSize, UPRIGHT } from '../geometry.ts';
import { LIMITS } from '../limits.ts';
import { mediaProblem } from '../problems.ts';
import { checkDimensions, checkMatrix, openFailure, refuseHuge } from '../refusals.ts';
import { type Container, sniff } from '../sniff.ts';

/**
 * Opening with the node-av binding. Only `node-av/lib` calls named `*Sync` are used (and `sendPacket`, awaited before anything else is done with its packet and decoder),
 * options go through `setOption` before `open2Sync(codec, null)`, and nothing is freed while in use: the binding's other ways were seen to corrupt memory (`binding.test.ts` keeps those cases).
 */
export type Input = {
  format: FormatContext;
  container: Container & { sizeBytes: number };
  video: Stream;
  audio: Stream | null;
  /** Seconds per time stamp of the video stream. */
  tick: number;
  coded: Size;
  shown: Size;
  orientation: Orientation;
  [Symbol.dispose](): void;
};

/** A palette may come with the first packet only (AVI): such a video is read from its start. */
export const isPaletted = ({ codecpar }: Stream): boolean => codecpar.format === AV_PIX_FMT_PAL8;

export const AV_NOPTS = -9223372036854775808n;

/** Opens a file as the container its bytes say it is. Throws the Problems of `Media.probe`. */
export async function openInput(path: string): Promise<Input> {
  const container = await sniff(path);
  Log.setLevel(AV_LOG_QUIET);
  const format = new FormatContext();
  try {
    // `file:` keeps odd names from being read as protocols; the whitelists keep the file from opening anything else.
    const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: container.demuxers });
    const demuxer = InputFormat.findInputFormat(container.demuxers);
    const opened = format.openInputSync(`file:${resolve(path)}`, demuxer, options);
    if (opened < 0) throw await openFailure(path, container, FFmpegError.strerror(opened));
    // Before the stream analysis, which decodes: a header's claim must not cost memory.
    for (const stream of format.streams) {
      if (stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) refuseHuge(stream.codecpar);
    }
    const analysed = format.findStreamInfoSync(null);
    if (analysed < 0) throw await openFailure(path, container, FFmpegError.strerror(analysed));

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
    checkMatrix(video.codecpar.colorSpace);
    const orientation = orientationOfStream(video);
    return {
      format,
      container,
      video,
      audio,
      tick: video.timeBase.num / video.timeBase.den,
      coded,
      shown: shownSize(coded, pixelAspect(video), orientation),
      orientation,
      [Symbol.dispose]: () => format.closeInputSync(),
    };
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
}

/** Opens a decoder: single-threaded unless `options` say otherwise, since one process per core is fastest. Throws when this build has none for the codec. */
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

/** A frame's presentation time stamp: its own, or what the demuxer's order suggests; null when there is none. */
export function stampOf(frame: Frame): number | null {
  const stamp = frame.bestEffortTimestamp !== AV_NOPTS ? frame.bestEffortTimestamp : frame.pts;
  return stamp === AV_NOPTS ? null : Number(stamp);
}

/** How long the header says the video lasts, from the time stamp of its first frame; 0 seconds when it does not say. */
export function claimedDuration({ video, format, tick }: Input, origin: number): Claim {
  const endOf = ({ startTime, duration, timeBase }: Stream) =>
    duration > 0n
      ? ((startTime === AV_NOPTS ? 0 : Number(startTime)) + Number(duration)) * (timeBase.num / timeBase.den)
      : null;
  const fileStartS = format.startTime === AV_NOPTS ? 0 : Number(format.startTime) / 1e6;
  return claimFrom(origin * tick, {
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
  // A sound file's cover art is a video stream too, of one still picture.
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
  return orientationOf(matrix.readInt32LE(0), matrix.readInt32LE(4), matrix.readInt32LE(12), matrix.readInt32LE(16));
}
