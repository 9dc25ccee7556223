import { resolve } from 'node:path';
import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Packet,
  Rational,
  SoftwareScaleContext,
  type Stream,
} from 'node-av/lib';
import type { Clip, ClipPicture } from '../encoder.ts';

/** Time stamps per second: 90 kHz holds the usual frame rates exactly. */
export const CLOCK = 90_000;
const SOUND_BITS_PER_SECOND = 96_000n;

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

/** See `Encoder.encode`. */
export async function encode(path: string, clip: Clip): Promise<void> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', `file:${resolve(path)}`), 'creating the file');
  const video = createVideoTrack(output, clip);
  const sound = clip.sound ? createSoundTrack(output, clip.sound) : null;
  try {
    check(output.openOutputSync(), 'opening the file');
    check(output.writeHeaderSync(Dictionary.fromObject({ movflags: 'faststart' })), 'writing the header');
    for await (const picture of clip.pictures) {
      video.add(picture);
      // Sound goes in up to where the pictures are, so that the muxer holds neither back.
      sound?.addUntil(picture.timeS);
    }
    video.finish(clip.endS);
    sound?.addUntil(Number.POSITIVE_INFINITY);
    sound?.finish();
    check(output.writeTrailerSync(), 'writing the index');
  } finally {
    video.free();
    sound?.free();
    output.closeOutputSync();
    output.freeContext();
  }
}

function createVideoTrack(output: FormatContext, { width, height, keyframeEvery }: Clip) {
  const context = openPictureEncoder({ width, height, gopSize: keyframeEvery ?? 60, crf: 20 });
  const stream = addStream(output, context);
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  const rgba = pictureFrame(width, height, AV_PIX_FMT_RGBA);
  const coded = pictureFrame(width, height, AV_PIX_FMT_YUV420P);
  coded.colorSpace = AVCOL_SPC_BT709;
  coded.colorRange = AVCOL_RANGE_MPEG;
  /** The picture that waits for its end to be known; null before the first. */
  let pending: number | null = null;

  const sendPending = (endS: number) => {
    if (pending === null) return;
    coded.duration = BigInt(Math.round(endS * CLOCK) - pending);
    coded.pts = BigInt(pending);
    coded.pictType = AV_PICTURE_TYPE_NONE;
    check(context.sendFrameSync(coded), 'encoding a picture');
    drain(output, context, stream);
  };
  return {
    add({ timeS, data }: ClipPicture) {
      sendPending(timeS);
      check(rgba.makeWritable(), 'preparing a picture');
      check(rgba.fromBuffer(Buffer.from(data.buffer, data.byteOffset, data.byteLength)), 'copying a picture');
      // The encoder keeps references to the pictures it was given.
      check(coded.makeWritable(), 'preparing a picture');
      check(scaler.scaleFrameSync(coded, rgba), 'converting a picture');
      pending = Math.round(timeS * CLOCK);
    },
    finish(endS: number) {
      sendPending(endS);
      check(context.sendFrameSync(null), 'finishing the pictures');
      drain(output, context, stream);
    },
    free() {
      scaler.freeContext();
      rgba.free();
      coded.free();
      context.freeContext();
    },
  };
}

function createSoundTrack(output: FormatContext, { sampleRate, samples }: NonNullable<Clip['sound']>) {
  const mono = { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: 4n };
  const context = openEncoder(AV_CODEC_ID_AAC, (encoder) => {
    encoder.sampleRate = sampleRate;
    encoder.sampleFormat = AV_SAMPLE_FMT_FLTP;
    encoder.channelLayout = mono;
    encoder.bitRate = SOUND_BITS_PER_SECOND;
    encoder.timeBase = new Rational(1, sampleRate);
  });
  const stream = addStream(output, context);
  let at = 0;
  return {
    addUntil(timeS: number) {
      while (at < samples.length && at < timeS * sampleRate) {
        const part = samples.subarray(at, at + context.frameSize);
        const frame = Frame.fromAudioBuffer(Buffer.from(part.buffer, part.byteOffset, part.byteLength), {
          nbSamples: part.length,
          format: AV_SAMPLE_FMT_FLTP,
          sampleRate,
          channelLayout: mono,
          timeBase: { num: 1, den: sampleRate },
          pts: BigInt(at),
        });
        check(context.sendFrameSync(frame), 'encoding sound');
        frame.free();
        at += part.length;
        drain(output, context, stream);
      }
    },
    finish() {
      check(context.sendFrameSync(null), 'finishing the sound');
      drain(output, context, stream);
    },
    free: () => context.freeContext(),
  };
}

type Pictures = { width: number; height: number; gopSize: number; crf: number };

/** H.264 of the usual kind (4:2:0, BT.709 in the range of video), at variable rates; `set` says what else is wanted, or otherwise. */
export function openPictureEncoder(
  { width, height, gopSize, crf }: Pictures,
  set: (encoder: CodecContext) => void = () => {},
): CodecContext {
  return openEncoder(AV_CODEC_ID_H264, (encoder) => {
    encoder.width = width;
    encoder.height = height;
    encoder.pixelFormat = AV_PIX_FMT_YUV420P;
    encoder.timeBase = new Rational(1, CLOCK);
    encoder.framerate = new Rational(30, 1);
    encoder.gopSize = gopSize;
    encoder.colorSpace = AVCOL_SPC_BT709;
    encoder.colorPrimaries = AVCOL_PRI_BT709;
    encoder.colorTrc = AVCOL_TRC_BT709;
    encoder.colorRange = AVCOL_RANGE_MPEG;
    encoder.setOption('preset', 'veryfast');
    encoder.setOption('crf', crf);
    set(encoder);
  });
}

export function openEncoder(
  id: typeof AV_CODEC_ID_H264 | typeof AV_CODEC_ID_AAC,
  set: (encoder: CodecContext) => void,
) {
  const codec = Codec.findEncoder(id);
  if (!codec) throw new Error('This build of node-av cannot encode H.264 and AAC.');
  const context = new CodecContext();
  context.allocContext3(codec);
  set(context);
  context.threadCount = 1;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_FRAME_DURATION);
  check(context.open2Sync(codec, null), 'starting an encoder');
  return context;
}

export function addStream(output: FormatContext, context: CodecContext): Stream {
  const stream = output.newStream(null);
  check(stream.codecpar.fromContext(context), 'describing a track');
  stream.timeBase = context.timeBase;
  return stream;
}

export function pictureFrame(width: number, height: number, format: AVPixelFormat) {
  const frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = format;
  check(frame.getBuffer(0), 'allocating a picture');
  return frame;
}

/** Writes what the encoder has ready. */
export function drain(output: FormatContext, context: CodecContext, stream: Stream): void {
  drainPackets(context, (packet) => writePacket(output, context, stream, packet));
}

/** Hands over what the encoder has ready; a packet lasts as long as the call. */
export function drainPackets(context: CodecContext, take: (packet: Packet) => void): void {
  const packet = new Packet();
  packet.alloc();
  while (context.receivePacketSync(packet) >= 0) {
    take(packet);
    packet.unref();
  }
  packet.free();
}

/** Writes a packet of the encoder, which the muxer takes over. */
export function writePacket(output: FormatContext, context: CodecContext, stream: Stream, packet: Packet): void {
  packet.streamIndex = stream.index;
  packet.rescaleTs(context.timeBase, stream.timeBase);
  check(output.interleavedWriteFrameSync(packet), 'writing a packet');
}
