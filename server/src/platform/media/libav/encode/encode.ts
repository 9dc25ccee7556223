import { resolve } from 'node:path';
import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_ID_AAC,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
} from 'node-av/constants';
import { Dictionary, FormatContext, Frame, Rational, SoftwareScaleContext } from 'node-av/lib';
import type { EncodeRequest, RgbaFrame } from '../../engine/index.ts';
import {
  addStream,
  allocateFrame,
  check,
  openEncoder,
  openH264Encoder,
  TICKS_PER_SECOND,
  writeReadyPackets,
} from '../core/index.ts';

const SOUND_BITS_PER_SECOND = 96_000n;

/** See `Encoder.encode`. */
export async function encode(path: string, clip: EncodeRequest): Promise<void> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', `file:${resolve(path)}`), 'creating the file');
  const video = createVideoTrack(output, clip);
  const sound = clip.audio ? createAudioTrack(output, clip.audio) : null;
  try {
    check(output.openOutputSync(), 'opening the file');
    check(output.writeHeaderSync(Dictionary.fromObject({ movflags: 'faststart' })), 'writing the header');
    for await (const picture of clip.frames) {
      video.add(picture);
      // Audio is written up to the current frame, so that the muxer buffers neither track.
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

function createVideoTrack(output: FormatContext, { width, height, gopSize: keyframeEvery, effort }: EncodeRequest) {
  const context = openH264Encoder({ width, height, gopSize: keyframeEvery ?? 60, crf: 20, effort });
  const stream = addStream(output, context);
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  const rgba = allocateFrame(width, height, AV_PIX_FMT_RGBA);
  const coded = allocateFrame(width, height, AV_PIX_FMT_YUV420P);
  coded.colorSpace = AVCOL_SPC_BT709;
  coded.colorRange = AVCOL_RANGE_MPEG;
  /** Time of the last frame, encoded when its duration is known; null before the first. */
  let pending: number | null = null;

  const sendPending = (endS: number) => {
    if (pending === null) return;
    coded.duration = BigInt(Math.round(endS * TICKS_PER_SECOND) - pending);
    coded.pts = BigInt(pending);
    coded.pictType = AV_PICTURE_TYPE_NONE;
    check(context.sendFrameSync(coded), 'encoding a picture');
    writeReadyPackets(output, context, stream);
  };
  return {
    add({ timeS, data }: RgbaFrame) {
      sendPending(timeS);
      check(rgba.makeWritable(), 'preparing a picture');
      check(rgba.fromBuffer(Buffer.from(data.buffer, data.byteOffset, data.byteLength)), 'copying a picture');
      // The encoder holds references to its input frames.
      check(coded.makeWritable(), 'preparing a picture');
      check(scaler.scaleFrameSync(coded, rgba), 'converting a picture');
      pending = Math.round(timeS * TICKS_PER_SECOND);
    },
    finish(endS: number) {
      sendPending(endS);
      check(context.sendFrameSync(null), 'finishing the pictures');
      writeReadyPackets(output, context, stream);
    },
    free() {
      scaler.freeContext();
      rgba.free();
      coded.free();
      context.freeContext();
    },
  };
}

function createAudioTrack(output: FormatContext, { sampleRate, samples }: NonNullable<EncodeRequest['audio']>) {
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
        writeReadyPackets(output, context, stream);
      }
    },
    finish() {
      check(context.sendFrameSync(null), 'finishing the sound');
      writeReadyPackets(output, context, stream);
    },
    free: () => context.freeContext(),
  };
}
