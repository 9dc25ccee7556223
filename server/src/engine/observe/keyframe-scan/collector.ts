import type { DecodedFrame, VideoPacket } from '#platform/media/index';
import { createColumn, float32, float64, uint8 } from '../columns.ts';
import type { KeyframeScan } from './observation.ts';

/** Size of the gray frames and of the square cells that they are divided into, in pixels. */
export const WIDTH = 320;
export const HEIGHT = 180;
const CELL_PIXELS = 10;
export const COLUMNS = WIDTH / CELL_PIXELS;
export const ROWS = HEIGHT / CELL_PIXELS;
/** Minimum interval of decoded keyframes in seconds: at most 1,800 an hour. */
export const KEYFRAME_EVERY_S = 2;

/**
 * Collects the packet sizes and small keyframes of a video. Costs a few seconds of CPU time per hour of video, where
 * the pass over every frame takes minutes.
 */
export type KeyframeCollector = {
  addPacket(packet: VideoPacket): void;
  /** Adds a gray keyframe of `WIDTH × HEIGHT`. */
  addKeyframe(frame: DecodedFrame): void;
  finish(): KeyframeScan;
};

export function createKeyframeCollector(): KeyframeCollector {
  const packetS = createColumn(float64);
  const packetBytes = createColumn((length) => new Int32Array(length));
  const packetKey = createColumn(uint8);
  const timeS = createColumn(float64);
  const pts = createColumn(float64);
  const difference = createColumn(float32);
  const cells = createColumn(uint8);
  let previous: Uint8Array | null = null;
  return {
    addPacket({ timeS, bytes, keyframe }) {
      packetS.push(timeS);
      packetBytes.push(bytes);
      packetKey.push(Number(keyframe));
    },
    addKeyframe(frame) {
      // Without presentation timestamps the first times may be those of decoding, before the first frame.
      timeS.push(Math.max(0, frame.timeS));
      pts.push(frame.pts);
      difference.push(previous ? largestDifference(frame.data, previous) : 0);
      for (const mean of cellMeans(frame.data)) cells.push(mean);
      previous = frame.data.slice();
    },
    finish() {
      const [times, bytes, keys] = [packetS.toArray(), packetBytes.toArray(), packetKey.toArray()];
      const order = Int32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]! || a - b);
      return {
        packetS: Float64Array.from(order, (at) => times[at]!),
        packetBytes: Int32Array.from(order, (at) => bytes[at]!),
        packetKey: Uint8Array.from(order, (at) => keys[at]!),
        timeS: timeS.toArray(),
        pts: pts.toArray(),
        difference: difference.toArray(),
        cells: cells.toArray(),
        rows: ROWS,
        columns: COLUMNS,
      };
    },
  };
}

/** Mean absolute difference of the cell that differs most: the mean of the whole frame would hide a small object. */
function largestDifference(now: Uint8Array, before: Uint8Array): number {
  const sums = cellSums((at) => Math.abs(now[at]! - before[at]!));
  return Math.max(...sums) / CELL_PIXELS ** 2;
}

const cellMeans = (frame: Uint8Array) => cellSums((at) => frame[at]!).map((sum) => Math.round(sum / CELL_PIXELS ** 2));

function cellSums(value: (at: number) => number): Float64Array {
  const sums = new Float64Array(ROWS * COLUMNS);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    const row = Math.floor(y / CELL_PIXELS) * COLUMNS;
    for (let x = 0; x < WIDTH; x++, at++) sums[row + Math.floor(x / CELL_PIXELS)]! += value(at);
  }
  return sums;
}
