import type { MediaEngine, TrimRequest, VideoPacket } from '../engine/index.ts';
import { decodeDelay } from './segment-plan.ts';

/** Largest distance in seconds between a boundary and the frame that it means: boundaries come from frame rates. */
const SAME_FRAME_S = 1e-3;

/**
 * A request that copies the packets of a range, so that its frames equal those of the video; it encodes if the range
 * does not start and end at keyframes, or if browsers do not play the codec.
 */
export async function preferCopy(decoder: MediaEngine, path: string, request: TrimRequest): Promise<TrimRequest> {
  const packets = await decoder.copyablePackets(path);
  const copied = packets && findCopy(packets, request);
  return copied ? { ...request, ...copied } : request;
}

/** Exact times of a range that can be copied on its own; null if it must be encoded. */
export function findCopy(
  packets: readonly VideoPacket[],
  { fromS, untilS }: Pick<TrimRequest, 'fromS' | 'untilS'>,
): Pick<TrimRequest, 'fromS' | 'untilS' | 'video'> | null {
  const delayS = decodeDelay(packets);
  const keyframeAt = (atS: number) =>
    packets.findIndex(({ keyframe, timeS }) => keyframe && Math.abs(timeS - atS) < SAME_FRAME_S);
  const first = keyframeAt(fromS);
  if (delayS === null || first < 0) return null;
  const lastShownS = packets.reduce((latest, { timeS }) => Math.max(latest, timeS), 0);
  const next = untilS > lastShownS ? packets.length : keyframeAt(untilS);
  if (next < 0) return null;
  const from = packets[first]!.timeS;
  const until = packets[next]?.timeS ?? untilS;
  // In an open group of pictures, frames before the keyframe depend on the previous group.
  const isClosed = (at: number, startS: number) => packets.slice(at).every(({ timeS }) => timeS >= startS);
  if (!isClosed(first, from) || !isClosed(next, until)) return null;
  return { fromS: from, untilS: until, video: { delayS } };
}
