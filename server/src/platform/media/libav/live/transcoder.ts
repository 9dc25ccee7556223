import {
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
} from 'node-av/constants';
import { type CodecContext, CodecParameters, Frame, Packet, type Stream } from 'node-av/lib';
import { checkDimensions } from '../../engine/index.ts';
import {
  allocateFrame,
  check,
  createConverter,
  openDecoder,
  openH264Encoder,
  TICKS_PER_SECOND,
} from '../core/index.ts';
import type { PacketTimes, Segmenter } from './segmenter.ts';

/** Keyframe interval. */
const KEYFRAME_S = 2;

type Opened = { encoder: CodecContext; coded: Frame; keyframeS: number };

/** Encodes video of other codecs as H.264 in its original size. A change of size starts a new epoch. */
export function createLiveTranscoder(segmenter: Segmenter, video: Stream, sound: () => CodecParameters | null) {
  const decoder = openDecoder(video);
  const converter = createConverter();
  const frame = new Frame();
  const packet = new Packet();
  frame.alloc();
  packet.alloc();
  let opened: Opened | null = null;

  async function begin(width: number, height: number): Promise<Opened> {
    checkDimensions({ width, height });
    const encoder = openH264Encoder({ width, height, gopSize: 600, crf: 23 }, (context) =>
      context.setOption('tune', 'zerolatency'),
    );
    const description = new CodecParameters();
    description.alloc();
    check(description.fromContext(encoder), 'describing the pictures');
    await segmenter.describe(description, sound());
    const coded = allocateFrame(width, height, AV_PIX_FMT_YUV420P);
    coded.colorSpace = AVCOL_SPC_BT709;
    coded.colorRange = AVCOL_RANGE_MPEG;
    return { encoder, coded, keyframeS: Number.NEGATIVE_INFINITY };
  }

  async function drain({ encoder }: Opened): Promise<void> {
    while (encoder.receivePacketSync(packet) >= 0) {
      const [ptsS, dtsS] = [Number(packet.pts) / TICKS_PER_SECOND, Number(packet.dts) / TICKS_PER_SECOND];
      await segmenter.picture(
        packet,
        { ptsS, dtsS, durationS: Number(packet.duration) / TICKS_PER_SECOND },
        packet.isKeyframe,
      );
      packet.unref();
    }
  }

  async function end(): Promise<void> {
    if (!opened) return;
    check(opened.encoder.sendFrameSync(null), 'finishing the pictures');
    await drain(opened);
    opened.coded.free();
    opened.encoder.freeContext();
    opened = null;
  }

  return {
    async take(source: Packet, { ptsS, durationS }: PacketTimes): Promise<void> {
      // Packets that cannot be decoded are skipped.
      if (decoder.sendPacketSync(source) < 0) return;
      while (decoder.receiveFrameSync(frame) >= 0) {
        const [width, height] = [even(frame.width), even(frame.height)];
        if (opened && (opened.coded.width !== width || opened.coded.height !== height)) await end();
        opened ??= await begin(width, height);
        const { encoder, coded } = opened;
        check(coded.makeWritable(), 'preparing a picture');
        converter.convert(coded, frame);
        const due = ptsS - opened.keyframeS >= KEYFRAME_S;
        if (due) opened.keyframeS = ptsS;
        coded.pts = BigInt(Math.round(ptsS * TICKS_PER_SECOND));
        coded.duration = BigInt(Math.round(durationS * TICKS_PER_SECOND));
        coded.pictType = due ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
        check(encoder.sendFrameSync(coded), 'encoding a picture');
        frame.unref();
        await drain(opened);
      }
    },

    /** Marks a gap. */
    async interrupt(): Promise<void> {
      await end();
      await segmenter.interrupt();
    },

    /** Updates the track descriptions. */
    renew: end,

    async finish(): Promise<void> {
      await end();
      for (const part of [frame, packet]) part.free();
      converter.free();
      decoder.freeContext();
    },
  };
}

/** Sides must be even for 4:2:0 chroma subsampling. */
const even = (side: number) => Math.max(2, side - (side % 2));
