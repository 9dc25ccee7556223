import { AV_CODEC_ID_H264, AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet, Rational, type Stream } from 'node-av/lib';
import { readAccessUnit } from '../../bitstream/index.ts';
import { checkDimensions } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import { check, TICKS_PER_SECOND } from '../core/index.ts';
import type { SequenceOutput, SequenceTrack } from './types.ts';

const TIME_BASE = new Rational(1, TICKS_PER_SECOND);

/** The stream cannot be copied into a file and must be re-encoded. */
export class NotCopyable extends Error {}

/**
 * Copies H.264 from the first keyframe on. Throws `NotCopyable` if frames are reordered or parameter sets change,
 * because a file has one description for all frames.
 */
export function createCopiedTrack({ format, begin }: SequenceOutput): SequenceTrack {
  let stream: Stream | null = null;
  let timeBase = TIME_BASE;
  let parameters: Buffer | null = null;
  /** The last frame, written when its duration is known. */
  const pending = new Packet();
  pending.alloc();
  let [pendingTicks, firstTicks, frames, lastDuration] = [-1, 0, 0, TICKS_PER_SECOND / 10];

  function open(): Stream {
    const made = format.newStream(null);
    made.timeBase = TIME_BASE;
    const { codecpar } = made;
    codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    codecpar.codecId = AV_CODEC_ID_H264;
    codecpar.extradata = parameters;
    codecpar.parseExtradata();
    checkDimensions(codecpar);
    begin();
    // The muxer may choose another time base. Cached, because each access is slower than copying a packet.
    timeBase = made.timeBase;
    return made;
  }

  function writePending(untilTicks: number): void {
    if (pendingTicks < 0 || !stream) return;
    lastDuration = untilTicks - pendingTicks;
    pending.pts = BigInt(pendingTicks - firstTicks);
    pending.dts = pending.pts;
    pending.duration = BigInt(lastDuration);
    pending.streamIndex = stream.index;
    pending.rescaleTs(TIME_BASE, timeBase);
    // A single track needs no interleaving.
    check(format.writeFrameSync(pending), 'writing a packet');
    pending.unref();
    frames++;
  }

  return {
    video: 'copied',
    add({ data }, ticks) {
      const unit = readAccessUnit(data);
      if (!unit) throw mediaProblem.media_unreadable('The frames are no H.264 with start codes (Annex B).');
      if (unit.reordered || (stream && unit.parameters && !unit.parameters.equals(parameters!))) {
        throw new NotCopyable();
      }
      if (!stream) {
        parameters = unit.parameters ?? parameters;
        if (!unit.keyframe || !parameters) return false;
        stream = open();
        firstTicks = ticks;
      }
      writePending(ticks);
      pending.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      if (unit.keyframe) pending.setFlags(AV_PKT_FLAG_KEY);
      else pending.clearFlags(AV_PKT_FLAG_KEY);
      pendingTicks = ticks;
      return true;
    },
    finish() {
      writePending(pendingTicks + lastDuration);
      return { frames, firstTicks };
    },
    free: () => pending.free(),
  };
}
