import {
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  type AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  type AVPixelFormat,
} from 'node-av/constants';
import { Codec, CodecContext, type FormatContext, Frame, Packet, Rational, type Stream } from 'node-av/lib';
import { check } from './check.ts';

/** Timestamp units per second. 90 kHz represents the common frame rates exactly. */
export const TICKS_PER_SECOND = 90_000;

type Pictures = { width: number; height: number; gopSize: number; crf: number; effort?: 'low' | 'normal' };

/** Opens an H.264 encoder (4:2:0, BT.709, limited range, variable frame rate). `set` changes further options. */
export function openH264Encoder(
  { width, height, gopSize, crf, effort }: Pictures,
  set: (encoder: CodecContext) => void = () => {},
): CodecContext {
  return openEncoder(AV_CODEC_ID_H264, (encoder) => {
    encoder.width = width;
    encoder.height = height;
    encoder.pixelFormat = AV_PIX_FMT_YUV420P;
    encoder.timeBase = new Rational(1, TICKS_PER_SECOND);
    encoder.framerate = new Rational(30, 1);
    encoder.gopSize = gopSize;
    encoder.colorSpace = AVCOL_SPC_BT709;
    encoder.colorPrimaries = AVCOL_PRI_BT709;
    encoder.colorTrc = AVCOL_TRC_BT709;
    encoder.colorRange = AVCOL_RANGE_MPEG;
    encoder.setOption('preset', effort === 'low' ? 'ultrafast' : 'veryfast');
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

export function allocateFrame(width: number, height: number, format: AVPixelFormat) {
  const frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = format;
  check(frame.getBuffer(0), 'allocating a picture');
  return frame;
}

/** Writes all packets that the encoder has ready. */
export function writeReadyPackets(output: FormatContext, context: CodecContext, stream: Stream): void {
  receivePackets(context, (packet) => writePacket(output, context, stream, packet));
}

/** Passes all ready packets to `take`. A packet is valid during the call only. */
export function receivePackets(context: CodecContext, take: (packet: Packet) => void): void {
  const packet = new Packet();
  packet.alloc();
  while (context.receivePacketSync(packet) >= 0) {
    take(packet);
    packet.unref();
  }
  packet.free();
}

/** Writes a packet of the encoder. The muxer takes ownership of it. */
export function writePacket(output: FormatContext, context: CodecContext, stream: Stream, packet: Packet): void {
  packet.streamIndex = stream.index;
  packet.rescaleTs(context.timeBase, stream.timeBase);
  check(output.interleavedWriteFrameSync(packet), 'writing a packet');
}
