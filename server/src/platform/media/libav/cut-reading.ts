import { AV_PKT_FLAG_KEY, AVDISCARD_ALL, AVDISCARD_DEFAULT, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { SEEK_BACK_S } from '../seek.ts';
import { AV_NOPTS, type Input, isPaletted } from './input.ts';

/** A track being written: what one step adds, and up to which time it has come. */
export type Track = {
  /** Adds what comes next; false at the end. */
  step(): boolean;
  /** Seconds in the cut's own time. */
  readonly timeS: number;
  free(): void;
};

/**
 * Puts the file so that the next packet of the stream (the next keyframe, if one is needed) is not after a time stamp. From the start where the file has
 * nothing before it.
 */
export function seekBefore(
  { format }: Input,
  stream: Stream,
  stamp: number,
  { keyframe }: { keyframe: boolean },
): void {
  const tick = stream.timeBase.num / stream.timeBase.den;
  for (const other of format.streams) other.discard = other.index === stream.index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  if (isPaletted(stream)) return;
  const packet = new Packet();
  packet.alloc();
  try {
    for (const backS of SEEK_BACK_S) {
      const start = stream.startTime === AV_NOPTS ? 0 : Number(stream.startTime);
      const wanted = Math.max(start, stamp - (backS + 1) / tick);
      // A file that was just opened stands at its start, where not every container can seek to.
      if (wanted === start && backS === 0) return;
      const seek = () => format.seekFrameSync(stream.index, BigInt(Math.floor(wanted)), AVSEEK_FLAG_BACKWARD) >= 0;
      if (!seek()) return;
      const first = nextOf(format, stream, packet, (next) => !keyframe || next.hasFlags(AV_PKT_FLAG_KEY));
      if ((first && Number(packet.pts) <= stamp) || wanted === start) return void seek();
    }
  } finally {
    packet.free();
  }
}

/** Reads into `packet` the stream's next one that is wanted; false at the end. */
export function nextOf(
  format: FormatContext,
  stream: Stream,
  packet: Packet,
  wanted: (packet: Packet) => boolean = () => true,
): boolean {
  for (;;) {
    packet.unref();
    if (format.readFrameSync(packet) < 0) return false;
    if (packet.streamIndex === stream.index && packet.pts !== AV_NOPTS && wanted(packet)) return true;
  }
}
