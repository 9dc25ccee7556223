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
  Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import {
  checkDimensions,
  type FrameCodec,
  type FrameFormat,
  type RawPixelFormat,
  type SequenceFrame,
} from '../../engine/index.ts';
import { LIMITS } from '../../limits.ts';
import { mediaProblem } from '../../problems.ts';
import {
  addStream,
  allocateFrame,
  check,
  createConverter,
  openH264Encoder,
  TICKS_PER_SECOND,
  writeReadyPackets,
} from '../core/index.ts';
import type { SequenceOutput, SequenceTrack } from './types.ts';

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
/** More frames than any decoder buffers. Older pending times belong to lost frames. */
const MOST_HELD = 32;

/** Converts the frames of a sequence to decoded ones and passes them to `show`. */
type Pictures = { take(frame: SequenceFrame, ticks: number): boolean; end(): void; free(): void };
type Show = (picture: Frame, ticks: number) => void;

/** Encodes decoded or raw frames as H.264 in the size of the first. Skips frames of another format than the first. */
export function createEncodedTrack(output: SequenceOutput, first: FrameFormat): SequenceTrack {
  const outputTrack = createOutputTrack(output);
  const pictures = 'codec' in first ? decoded(first.codec, outputTrack.show) : raw(outputTrack.show);
  const kind = 'codec' in first ? first.codec : 'raw';
  return {
    video: 'encoded',
    add(frame, ticks) {
      if (('codec' in frame.format ? frame.format.codec : 'raw') !== kind) return false;
      return pictures.take(frame, ticks);
    },
    finish() {
      pictures.end();
      return outputTrack.finish();
    },
    free() {
      pictures.free();
      outputTrack.free();
    },
  };
}

function decoded(name: FrameCodec, show: Show): Pictures {
  const codec = Codec.findDecoder(CODECS[name]);
  if (!codec) throw mediaProblem.media_unreadable(`This server cannot decode ${name}.`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.threadCount = 1;
  context.pktTimebase = new Rational(1, TICKS_PER_SECOND);
  context.setOption('max_pixels', String(LIMITS.pixels));
  check(context.open2Sync(codec, null), 'starting a decoder');
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  /** Times of frames in the decoder. Frames may be reordered, but times are those of the recording. */
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
      // Each still image is independent. Without the flag, the PNG decoder adds it to the previous one.
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
    take({ data, format: form }, ticks) {
      const {
        pixelFormat: pixels,
        width,
        height,
      } = form as { pixelFormat: RawPixelFormat; width: number; height: number };
      const format = avGetPixFmtFromName(pixels);
      if (frame?.width !== width || frame.height !== height || frame.format !== format) {
        frame?.free();
        frame = allocateFrame(width, height, format);
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

/** The file's track: frames of any size and layout, each shown until the next one. */
function createOutputTrack({ format, begin }: SequenceOutput) {
  let encoder: CodecContext | null = null;
  let stream: Stream | null = null;
  let size = { width: 0, height: 0 };
  const converter = createConverter('bicubic');
  /** The last frame, encoded when its duration is known. */
  let held: { picture: Frame; ticks: number } | null = null;
  let [firstTicks, frames, lastDuration] = [0, 0, TICKS_PER_SECOND / 10];

  function open(picture: Frame): CodecContext {
    checkDimensions(picture);
    size = { width: even(picture.width), height: even(picture.height) };
    // JPEGs of cameras have full range. Converting them would cost as much as decoding.
    const full = avGetPixFmtName(picture.format as never)?.startsWith('yuvj') ?? false;
    const made = openH264Encoder({ ...size, gopSize: 60, crf: 20 }, (context) => {
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

  /** The frame itself if the encoder accepts it, else a converted copy. The caller frees it. */
  function fitted(picture: Frame, { pixelFormat, colorSpace, colorRange }: CodecContext): Frame {
    if (picture.format === pixelFormat && picture.width === size.width && picture.height === size.height) {
      return picture.clone()!;
    }
    const target = allocateFrame(size.width, size.height, pixelFormat);
    target.colorSpace = colorSpace;
    target.colorRange = colorRange;
    // Prevents a conversion of values for PNGs with a gamma.
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
    writeReadyPackets(format, encoder, stream);
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
        writeReadyPackets(format, encoder, stream);
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

/** Sides must be even for 4:2:0 chroma subsampling. */
const even = (side: number) => Math.max(2, side - (side % 2));
