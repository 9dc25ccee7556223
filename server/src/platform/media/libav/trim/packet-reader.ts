import { AV_PKT_FLAG_KEY, AVDISCARD_ALL, AVDISCARD_DEFAULT, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { SEEK_BACK_S } from '../../engine/index.ts';
import { AV_NOPTS, isPaletted, type LibavInput } from '../core/index.ts';

/** A track being written, step by step. */
export type TrackWriter = {
  /** Writes the next packets; false at the end. */
  step(): boolean;
  /** Progress in seconds of the output's time. */
  readonly timeS: number;
  free(): void;
};

/**
 * Seeks so that the next packet of the stream (the next keyframe with `keyframe`) is not after a timestamp, or to the
 * start of the file if there is none.
 */
export function seekBefore(
  { format }: LibavInput,
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
      // A file that was just opened is at its start. Not every container can seek there.
      if (wanted === start && backS === 0) return;
      const seek = () => format.seekFrameSync(stream.index, BigInt(Math.floor(wanted)), AVSEEK_FLAG_BACKWARD) >= 0;
      if (!seek()) return;
      const first = readNextPacket(format, stream, packet, (next) => !keyframe || next.hasFlags(AV_PKT_FLAG_KEY));
      if ((first && Number(packet.pts) <= stamp) || wanted === start) return void seek();
    }
  } finally {
    packet.free();
  }
}

/** Reads the stream's next packet that matches `wanted` into `packet`; false at the end. */
export function readNextPacket(
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
