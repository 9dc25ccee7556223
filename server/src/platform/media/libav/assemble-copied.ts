import { AV_CODEC_ID_H264, AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FFmpegError, Packet, Rational, type Stream } from 'node-av/lib';
import { readAccessUnit } from '../h264.ts';
import { mediaProblem } from '../problems.ts';
import { checkDimensions } from '../refusals.ts';
import type { Output, ReelTrack } from './assemble.ts';
import { CLOCK } from './encode.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
const TIME_BASE = new Rational(1, CLOCK);

/** The stream is one that a file can only hold encoded anew. */
export class NotCopiable extends Error {}

/**
 * H.264 as it came, from the first keyframe on. Throws `NotCopiable` for a stream whose frames are not in the order of their times, or whose
 * parameters change: a file has one description for all of its frames.
 */
export function createCopiedTrack({ format, begin }: Output): ReelTrack {
  let stream: Stream | null = null;
  let timeBase = TIME_BASE;
  let parameters: Buffer | null = null;
  /** The frame that waits for its end to be known. */
  const pending = new Packet();
  pending.alloc();
  let [pendingTicks, firstTicks, frames, lastDuration] = [-1, 0, 0, CLOCK / 10];

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
    // The muxer may have chosen another one; asking each time would cost more than copying.
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
    // One track has nothing to be interleaved with.
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
        throw new NotCopiable();
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
