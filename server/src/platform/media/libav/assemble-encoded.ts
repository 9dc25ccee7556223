import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_VP9,
  AV_CODEC_ID_WEBP,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_FLAG_KEY,
  AVCOL_PRI_BT709,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_TRC_BT709,
  AVCOL_TRC_UNSPECIFIED,
} from 'node-av/constants';
import {
  avGetPixFmtFromName,
  avGetPixFmtName,
  Codec,
  CodecContext,
  FFmpegError,
  Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { LIMITS } from '../limits.ts';
import { mediaProblem } from '../problems.ts';
import type { FrameCodec, FrameForm, PixelLayout, ReelFrame } from '../reel.ts';
import { checkDimensions } from '../refusals.ts';
import type { Output, ReelTrack } from './assemble.ts';
import { createConverter } from './convert.ts';
import { addStream, CLOCK, drain, openPictureEncoder, pictureFrame } from './encode.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

const CODECS = {
  jpeg: AV_CODEC_ID_MJPEG,
  png: AV_CODEC_ID_PNG,
  webp: AV_CODEC_ID_WEBP,
  h264: AV_CODEC_ID_H264,
  h265: AV_CODEC_ID_HEVC,
  vp9: AV_CODEC_ID_VP9,
  av1: AV_CODEC_ID_AV1,
} satisfies Record<FrameCodec, unknown>;
const STILLS: readonly FrameCodec[] = ['jpeg', 'png', 'webp'];
/** More frames than any decoder holds back: times that wait for longer belong to frames that were lost. */
const MOST_HELD = 32;

/** Gives the pictures of a reel's frames, each with its ticks, to `show`. */
type Pictures = { take(frame: ReelFrame, ticks: number): boolean; end(): void; free(): void };
type Show = (picture: Frame, ticks: number) => void;

/** Frames that are decoded, or are raw, as H.264 in the size of the first; a frame of another form than the first is not used. */
export function createEncodedTrack(output: Output, first: FrameForm): ReelTrack {
  const film = createFilm(output);
  const pictures = 'codec' in first ? decoded(first.codec, film.show) : raw(film.show);
  const kind = 'codec' in first ? first.codec : 'raw';
  return {
    video: 'encoded',
    add(frame, ticks) {
      if (('codec' in frame.form ? frame.form.codec : 'raw') !== kind) return false;
      return pictures.take(frame, ticks);
    },
    finish() {
      pictures.end();
      return film.finish();
    },
    free() {
      pictures.free();
      film.free();
    },
  };
}

function decoded(name: FrameCodec, show: Show): Pictures {
  const codec = Codec.findDecoder(CODECS[name]);
  if (!codec) throw mediaProblem.media_unreadable(`This server cannot decode ${name}.`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.threadCount = 1;
  context.pktTimebase = new Rational(1, CLOCK);
  context.setOption('max_pixels', String(LIMITS.pixels));
  check(context.open2Sync(codec, null), 'starting a decoder');
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  /** Times of frames that are in the decoder. Frames may come out in another order, but the times are those of the recording. */
  const times: number[] = [];
  const receive = () => {
    while (context.receiveFrameSync(frame) >= 0) {
      const ticks = times.shift();
      if (ticks !== undefined) show(frame, ticks);
      frame.unref();
    }
  };
  return {
    take({ data }, ticks) {
      packet.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      packet.pts = BigInt(ticks);
      packet.dts = packet.pts;
      // Each still picture stands for itself: without this the PNG decoder adds it to the one before.
      if (STILLS.includes(name)) packet.setFlags(AV_PKT_FLAG_KEY);
      const sent = context.sendPacketSync(packet);
      packet.unref();
      if (sent < 0) return false;
      times.push(ticks);
      if (times.length > MOST_HELD) times.shift();
      receive();
      return true;
    },
    end() {
      context.sendPacketSync(null);
      receive();
    },
    free() {
      packet.free();
      frame.free();
      context.freeContext();
    },
  };
}

function raw(show: Show): Pictures {
  let frame: Frame | null = null;
  return {
    take({ data, form }, ticks) {
      const { pixels, width, height } = form as { pixels: PixelLayout; width: number; height: number };
      const format = avGetPixFmtFromName(pixels);
      if (frame?.width !== width || frame.height !== height || frame.format !== format) {
        frame?.free();
        frame = pictureFrame(width, height, format);
      }
      check(frame.makeWritable(), 'preparing a picture');
      check(frame.fromBuffer(Buffer.from(data.buffer, data.byteOffset, data.byteLength)), 'copying a picture');
      show(frame, ticks);
      return true;
    },
    end() {},
    free: () => frame?.free(),
  };
}

/** The file's one track: pictures of any size and layout, each until the next one. */
function createFilm({ format, begin }: Output) {
  let encoder: CodecContext | null = null;
  let stream: Stream | null = null;
  let size = { width: 0, height: 0 };
  const converter = createConverter('bicubic');
  /** The picture that waits for its end to be known. */
  let held: { picture: Frame; ticks: number } | null = null;
  let [firstTicks, frames, lastDuration] = [0, 0, CLOCK / 10];

  function open(picture: Frame): CodecContext {
    checkDimensions(picture);
    size = { width: even(picture.width), height: even(picture.height) };
    // Cameras' JPEGs use the full range of values: converting each of them would cost as much as decoding.
    const full = avGetPixFmtName(picture.format as never)?.startsWith('yuvj') ?? false;
    const made = openPictureEncoder({ ...size, gopSize: 60, crf: 20 }, (context) => {
      if (!full) return;
      context.pixelFormat = AV_PIX_FMT_YUVJ420P;
      context.colorRange = AVCOL_RANGE_JPEG;
      context.colorSpace = picture.colorSpace;
      context.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
      context.colorTrc = AVCOL_TRC_UNSPECIFIED;
    });
    stream = addStream(format, made);
    begin();
    return made;
  }

  /** The picture itself where it is what the encoder takes, else a converted copy. Whoever gets it frees it. */
  function fitted(picture: Frame, { pixelFormat, colorSpace, colorRange }: CodecContext): Frame {
    if (picture.format === pixelFormat && picture.width === size.width && picture.height === size.height) {
      return picture.clone()!;
    }
    const target = pictureFrame(size.width, size.height, pixelFormat);
    target.colorSpace = colorSpace;
    target.colorRange = colorRange;
    // Values as they are: a PNG that names its gamma would be converted to another one.
    for (const frame of [picture, target]) {
      frame.colorPrimaries = AVCOL_PRI_BT709;
      frame.colorTrc = AVCOL_TRC_BT709;
    }
    converter.convert(target, picture);
    return target;
  }

  function encodeHeld(untilTicks: number): void {
    if (!held || !encoder || !stream) return;
    const { picture, ticks } = held;
    held = null;
    lastDuration = untilTicks - ticks;
    picture.pts = BigInt(ticks - firstTicks);
    picture.duration = BigInt(lastDuration);
    picture.pictType = AV_PICTURE_TYPE_NONE;
    const sent = encoder.sendFrameSync(picture);
    picture.free();
    check(sent, 'encoding a picture');
    drain(format, encoder, stream);
    frames++;
  }

  return {
    show(picture: Frame, ticks: number) {
      if (!encoder) {
        encoder = open(picture);
        firstTicks = ticks;
      }
      encodeHeld(ticks);
      held = { picture: fitted(picture, encoder), ticks };
    },
    finish() {
      if (held) encodeHeld(held.ticks + lastDuration);
      if (encoder && stream) {
        check(encoder.sendFrameSync(null), 'finishing the pictures');
        drain(format, encoder, stream);
      }
      return { frames, firstTicks };
    },
    free() {
      held?.picture.free();
      converter.free();
      encoder?.freeContext();
    },
  };
}

/** H.264 with halved colour has even sides. */
const even = (side: number) => Math.max(2, side - (side % 2));
