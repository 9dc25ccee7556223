import {
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { type FormatContext, Frame } from 'node-av/lib';
import { limitSize, seekTimestamp, type TrimRequest } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import {
  addStream,
  allocateFrame,
  check,
  createConverter,
  decodeFrames,
  displayFrames,
  type LibavInput,
  openDecoder,
  openH264Encoder,
  TICKS_PER_SECOND,
  writeReadyPackets,
} from '../core/index.ts';
import { seekBefore, type TrackWriter } from './packet-reader.ts';

/** x264 quality (CRF). Clips have a higher quality than segments, because users download them. */
const CRF = { mp4: 20, segment: 23 } as const;

/** Encodes the frames of a range as H.264, upright, with their own times. Starts with the frame shown at `fromS`. */
export function createVideoTrack(
  output: FormatContext,
  input: LibavInput,
  { fromS, untilS, output: as, maxSide, startWith, origin, shiftS }: TrimRequest & { origin: number; shiftS: number },
): TrackWriter {
  const { tick, video } = input;
  const from = seekTimestamp(fromS, tick, origin);
  const [begin, until] = [fromS, untilS].map((timeS) => origin + Math.ceil(timeS / tick - 1e-3)) as [number, number];
  const seen = limitSize(input.display, maxSide ?? Number.POSITIVE_INFINITY);
  const [width, height] = [even(seen.width), even(seen.height)];
  const encoder = openH264Encoder({ width, height, gopSize: 250, crf: CRF[as] }, (context) => {
    // No B-frames: their decoding times would precede the segment.
    if (as === 'segment') context.setOption('bf', 0);
  });
  const stream = addStream(output, encoder);
  const decoder = openDecoder(video);
  const converter = createConverter();
  const coded = allocateFrame(width, height, AV_PIX_FMT_YUV420P);
  coded.colorSpace = AVCOL_SPC_BT709;
  coded.colorRange = AVCOL_RANGE_MPEG;
  coded.colorPrimaries = AVCOL_PRI_BT709;
  coded.colorTrc = AVCOL_TRC_BT709;
  /** The last frame, encoded when its duration is known, and its timestamp. */
  const held = new Frame();
  held.alloc();
  let heldStamp: number | null = null;
  let timeS = 0;

  seekBefore(input, video, from, { keyframe: true });
  const frames = displayFrames(decodeFrames(input, decoder), input);

  const clockOf = (atS: number) => Math.round((atS + shiftS) * TICKS_PER_SECOND);
  const encodeHeld = (endS: number) => {
    if (heldStamp === null) return;
    const start = clockOf(Math.max(fromS, (heldStamp - origin) * tick));
    check(coded.makeWritable(), 'preparing a picture');
    converter.convert(coded, held);
    coded.pts = BigInt(start);
    coded.duration = BigInt(Math.max(1, clockOf(endS) - start));
    coded.pictType = AV_PICTURE_TYPE_NONE;
    check(encoder.sendFrameSync(coded), 'encoding a picture');
    writeReadyPackets(output, encoder, stream);
  };
  const finish = () => {
    if (heldStamp === null)
      throw mediaProblem.media_damaged('No picture could be decoded there: the video is damaged.');
    encodeHeld(untilS);
    check(encoder.sendFrameSync(null), 'finishing the pictures');
    writeReadyPackets(output, encoder, stream);
    return false;
  };

  return {
    step() {
      const { value } = frames.next();
      if (!value) return finish();
      const stamp = value.stamp ?? (heldStamp ?? origin) + 1;
      if (stamp >= until) return finish();
      if (heldStamp !== null && stamp <= heldStamp) return true;
      const isNew = heldStamp !== null && heldStamp >= begin;
      if (stamp > from && (isNew || startWith !== 'new')) encodeHeld((stamp - origin) * tick);
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

/** Sides must be even for 4:2:0 chroma subsampling. */
const even = (side: number) => Math.max(2, side - (side % 2));
