import {
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { FFmpegError, type FormatContext, Frame } from 'node-av/lib';
import type { Cut } from '../cutter.ts';
import { stillSize } from '../geometry.ts';
import { mediaProblem } from '../problems.ts';
import { targetStamp } from '../seek.ts';
import { createConverter } from './convert.ts';
import { seekBefore, type Track } from './cut-reading.ts';
import { addStream, CLOCK, drain, openPictureEncoder, pictureFrame } from './encode.ts';
import { asShown } from './filters.ts';
import { decodedFrames } from './frames.ts';
import { type Input, openDecoder } from './input.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

/** Quality as x264 counts it: a clip is kept, a segment is looked at once. */
const CRF = { film: 20, segment: 23 } as const;

/** The pictures of a cut as H.264, upright and each with its own time; the first is the one on screen at `fromS`, from there on. */
export function createVideoTrack(
  output: FormatContext,
  input: Input,
  { fromS, untilS, as, maxSide, origin, shiftS }: Cut & { origin: number; shiftS: number },
): Track {
  const { tick, video } = input;
  const from = targetStamp(fromS, tick, origin);
  const until = origin + Math.ceil(untilS / tick - 1e-3);
  const seen = stillSize(input.shown, maxSide ?? Number.POSITIVE_INFINITY);
  const [width, height] = [even(seen.width), even(seen.height)];
  const encoder = openPictureEncoder({ width, height, gopSize: 250, crf: CRF[as] }, (context) => {
    // Frames that are decoded before they are shown would reach into the segment before.
    if (as === 'segment') context.setOption('bf', 0);
  });
  const stream = addStream(output, encoder);
  const decoder = openDecoder(video);
  const converter = createConverter();
  const coded = pictureFrame(width, height, AV_PIX_FMT_YUV420P);
  coded.colorSpace = AVCOL_SPC_BT709;
  coded.colorRange = AVCOL_RANGE_MPEG;
  coded.colorPrimaries = AVCOL_PRI_BT709;
  coded.colorTrc = AVCOL_TRC_BT709;
  /** The picture whose end is not known yet, and when it begins. */
  const held = new Frame();
  held.alloc();
  let heldStamp: number | null = null;
  let timeS = 0;

  seekBefore(input, video, from, { keyframe: true });
  const frames = asShown(decodedFrames(input, decoder), input);

  const clockOf = (atS: number) => Math.round((atS + shiftS) * CLOCK);
  const encodeHeld = (endS: number) => {
    if (heldStamp === null) return;
    const start = clockOf(Math.max(fromS, (heldStamp - origin) * tick));
    check(coded.makeWritable(), 'preparing a picture');
    converter.convert(coded, held);
    coded.pts = BigInt(start);
    coded.duration = BigInt(Math.max(1, clockOf(endS) - start));
    coded.pictType = AV_PICTURE_TYPE_NONE;
    check(encoder.sendFrameSync(coded), 'encoding a picture');
    drain(output, encoder, stream);
  };
  const finish = () => {
    if (heldStamp === null)
      throw mediaProblem.media_damaged('No picture could be decoded there: the video is damaged.');
    encodeHeld(untilS);
    check(encoder.sendFrameSync(null), 'finishing the pictures');
    drain(output, encoder, stream);
    return false;
  };

  return {
    step() {
      const { value } = frames.next();
      if (!value) return finish();
      const stamp = value.stamp ?? (heldStamp ?? origin) + 1;
      if (stamp >= until) return finish();
      if (heldStamp !== null && stamp <= heldStamp) return true;
      if (stamp > from) encodeHeld((stamp - origin) * tick);
      held.unref();
      check(held.ref(value.frame), 'keeping a picture');
      heldStamp = stamp;
      timeS = (stamp - origin) * tick + shiftS;
      return true;
    },
    get timeS() {
      return timeS;
    },
    free() {
      frames.return(undefined);
      converter.free();
      coded.free();
      held.free();
      decoder.freeContext();
      encoder.freeContext();
    },
  };
}

/** H.264 with halved colour has even sides. */
const even = (side: number) => Math.max(2, side - (side % 2));
