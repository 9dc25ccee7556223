import {
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
} from 'node-av/constants';
import { type CodecContext, CodecParameters, FFmpegError, Frame, Packet, type Stream } from 'node-av/lib';
import { checkDimensions } from '../refusals.ts';
import { createConverter } from './convert.ts';
import { CLOCK, openPictureEncoder, pictureFrame } from './encode.ts';
import { openDecoder } from './input.ts';
import type { LiveFilm, Stamped } from './live-film.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
/** Keyframes are as far apart as segments should be long. */
const KEYFRAME_S = 2;

type Opened = { encoder: CodecContext; coded: Frame; keyframeS: number };

/** Pictures of any other codec as H.264, in the size they have; another size is another epoch. */
export function createLiveEncoder(film: LiveFilm, video: Stream, sound: () => CodecParameters | null) {
  const decoder = openDecoder(video);
  const converter = createConverter();
  const frame = new Frame();
  const packet = new Packet();
  frame.alloc();
  packet.alloc();
  let opened: Opened | null = null;

  async function begin(width: number, height: number): Promise<Opened> {
    checkDimensions({ width, height });
    const encoder = openPictureEncoder({ width, height, gopSize: 600, crf: 23 }, (context) =>
      context.setOption('tune', 'zerolatency'),
    );
    const description = new CodecParameters();
    description.alloc();
    check(description.fromContext(encoder), 'describing the pictures');
    await film.describe(description, sound());
    const coded = pictureFrame(width, height, AV_PIX_FMT_YUV420P);
    coded.colorSpace = AVCOL_SPC_BT709;
    coded.colorRange = AVCOL_RANGE_MPEG;
    return { encoder, coded, keyframeS: Number.NEGATIVE_INFINITY };
  }

  async function drain({ encoder }: Opened): Promise<void> {
    while (encoder.receivePacketSync(packet) >= 0) {
      const [ptsS, dtsS] = [Number(packet.pts) / CLOCK, Number(packet.dts) / CLOCK];
      await film.picture(packet, { ptsS, dtsS, durationS: Number(packet.duration) / CLOCK }, packet.isKeyframe);
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
    async take(source: Packet, { ptsS, durationS }: Stamped): Promise<void> {
      // What a decoder refuses is skipped: the next picture may do.
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
        coded.pts = BigInt(Math.round(ptsS * CLOCK));
        coded.duration = BigInt(Math.round(durationS * CLOCK));
        coded.pictType = due ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
        check(encoder.sendFrameSync(coded), 'encoding a picture');
        frame.unref();
        await drain(opened);
      }
    },

    /** Something is missing here. */
    async interrupt(): Promise<void> {
      await end();
      await film.interrupt();
    },

    /** What follows is described anew. */
    renew: end,

    async finish(): Promise<void> {
      await end();
      for (const part of [frame, packet]) part.free();
      converter.free();
      decoder.freeContext();
    },
  };
}

/** H.264 with halved colour has even sides. */
const even = (side: number) => Math.max(2, side - (side % 2));
