import type { Backend } from './backend.ts';
import type { VideoPacket } from './decoder.ts';
import type { Probe } from './index.ts';
import { mediaProblem } from './problems.ts';

/** Segments of a video: `startsS` are the times they begin at, the first at 0; the last one ends at `endS`. */
export type Segments = {
  /** Whether they can be copied: cut at keyframes, in a codec that every player knows. Otherwise they are encoded, and may be cut anywhere. */
  video: 'copy' | 'encode';
  startsS: number[];
  endS: number;
};

/** Segments last at least this long, where keyframes allow, and copied ones at most this. */
const TARGET_S = 6;
const LONGEST_S = 20;
/** A copied segment is in memory as a whole while it is written. */
const LARGEST_BYTES = 64 * 2 ** 20;
/** What every browser plays. */
const PLAYED = { codec: 'h264', pixelFormats: ['yuv420p', 'yuvj420p'] };
/** Containers that hold when each packet is to be decoded, and an index that leads to each keyframe: without either, packets cannot be copied from the middle. */
const INDEXED = ['mp4', 'mov', 'flv'];

/** Task behind `Media.segments`. */
export async function segments({ path }: { path: string }, { decoder }: { decoder: Backend }): Promise<Segments> {
  const { container, video, durationS } = await decoder.probe(path, Number.POSITIVE_INFINITY);
  const packets: VideoPacket[] = [];
  const onPacket = (packet: VideoPacket) => void packets.push(packet);
  await decoder.decode(path, { pictures: [], skip: 'non-key', onPacket });
  const copiable = decoder.name === 'node-av' && isPlayed(video) && INDEXED.includes(container);
  const copied = copiable ? atKeyframes(packets, durationS) : null;
  const startsS = copied ?? anywhere(packets);
  if (startsS.length === 0) throw mediaProblem.media_damaged();
  return { video: copied ? 'copy' : 'encode', startsS, endS: durationS };
}

const isPlayed = ({ codec, pixelFormat }: Probe['video']) =>
  codec === PLAYED.codec && PLAYED.pixelFormats.includes(pixelFormat);

/** Keyframes to cut at, from the packets in the file's order; null where they lie too far apart. */
export function atKeyframes(packets: readonly VideoPacket[], endS: number): number[] | null {
  const starts: number[] = [];
  let bytes = 0;
  for (const { timeS, keyframe, bytes: size } of packets) {
    const startS = starts.at(-1);
    if (startS === undefined) {
      // What comes before the first frame on screen, or before any keyframe, is not shown.
      if (!keyframe) continue;
      if (Math.abs(timeS) > 1e-6) return null;
      starts.push(timeS);
    } else if (keyframe && timeS >= startS + TARGET_S) {
      if (timeS > startS + LONGEST_S) return null;
      starts.push(timeS);
      bytes = 0;
    }
    bytes += size;
    if (bytes > LARGEST_BYTES) return null;
  }
  const last = starts.at(-1);
  return last === undefined || endS - last > LONGEST_S ? null : starts;
}

/** Frames to cut at: every `TARGET_S`, or later where a frame is on screen for longer. */
export function anywhere(packets: readonly VideoPacket[]): number[] {
  const times = packets
    .map(({ timeS }) => timeS)
    .filter((timeS) => timeS >= 0)
    .sort((a, b) => a - b);
  const starts: number[] = [];
  for (const timeS of times) {
    if (starts.length === 0 || timeS >= starts.at(-1)! + TARGET_S) starts.push(starts.length === 0 ? 0 : timeS);
  }
  return starts;
}
