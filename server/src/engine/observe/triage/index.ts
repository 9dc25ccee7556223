import type { DecodedFrame, VideoPacket } from '#platform/media/index';
import { createColumn, float32, float64, uint8 } from '../columns.ts';
import type { Triage } from './observation.ts';

/** Size of the grey pictures it takes, and of the squares they are cut into, in pixels. */
export const WIDTH = 320;
export const HEIGHT = 180;
const SQUARE = 10;
export const COLUMNS = WIDTH / SQUARE;
export const ROWS = HEIGHT / SQUARE;
/** Seconds between two keyframes that are decoded: an hour has at most 1,800, however many the camera made. */
export const KEYFRAME_EVERY_S = 2;

/**
 * The triage observer: what a video tells without being decoded as a whole. How many bytes each packet took, and its keyframes, small. Costs
 * a few seconds an hour per core where dense observing takes minutes.
 */
export type TriageObserver = {
  packet(packet: VideoPacket): void;
  /** Takes a keyframe's grey picture of `WIDTH × HEIGHT`. */
  take(frame: DecodedFrame): void;
  finish(): Triage;
};

export function createTriageObserver(): TriageObserver {
  const packetS = createColumn(float64);
  const packetBytes = createColumn((length) => new Int32Array(length));
  const packetKey = createColumn(uint8);
  const timeS = createColumn(float64);
  const pts = createColumn(float64);
  const difference = createColumn(float32);
  const pictures = createColumn(uint8);
  let before: Uint8Array | null = null;
  return {
    packet({ timeS, bytes, keyframe }) {
      packetS.push(timeS);
      packetBytes.push(bytes);
      packetKey.push(Number(keyframe));
    },
    take(frame) {
      // Where a file gives no time stamps, the first ones may be those of decoding, a little before the first picture.
      timeS.push(Math.max(0, frame.timeS));
      pts.push(frame.pts);
      difference.push(before ? largestDifference(frame.data, before) : 0);
      for (const mean of squareMeans(frame.data)) pictures.push(mean);
      before = frame.data.slice();
    },
    finish() {
      const [times, bytes, keys] = [packetS.done(), packetBytes.done(), packetKey.done()];
      const order = Int32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]! || a - b);
      return {
        packetS: Float64Array.from(order, (at) => times[at]!),
        packetBytes: Int32Array.from(order, (at) => bytes[at]!),
        packetKey: Uint8Array.from(order, (at) => keys[at]!),
        timeS: timeS.done(),
        pts: pts.done(),
        difference: difference.done(),
        pictures: pictures.done(),
        rows: ROWS,
        columns: COLUMNS,
      };
    },
  };
}

/** Mean absolute difference of the square that differs most: a small thing is lost in the mean of a picture, not in its own square's. */
function largestDifference(now: Uint8Array, then: Uint8Array): number {
  const sums = squareSums((at) => Math.abs(now[at]! - then[at]!));
  return Math.max(...sums) / SQUARE ** 2;
}

const squareMeans = (picture: Uint8Array) =>
  squareSums((at) => picture[at]!).map((sum) => Math.round(sum / SQUARE ** 2));

function squareSums(value: (at: number) => number): Float64Array {
  const sums = new Float64Array(ROWS * COLUMNS);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    const row = Math.floor(y / SQUARE) * COLUMNS;
    for (let x = 0; x < WIDTH; x++, at++) sums[row + Math.floor(x / SQUARE)]! += value(at);
  }
  return sums;
}
