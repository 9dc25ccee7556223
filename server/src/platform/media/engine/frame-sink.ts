import type { DecodedFrame, FrameRequest } from './decoder.ts';
import { copyUpright, fitWithin, type Orientation, type Size } from './geometry.ts';

/** Tolerance of intervals: containers round timestamps to milliseconds. */
export const ROUNDING_S = 0.0015;

/** Scaler flags. Without accurate rounding, flat areas are off by two levels. */
export const SCALER_FLAGS = 'area+accurate_rnd';
/** The same for requests that are `sharp`. */
const SHARP_FLAGS = 'bicubic+accurate_rnd';

/** Converts scaled coded frames to those of a `FrameRequest`. */
export type FrameSink = {
  /** Size to scale the coded frame to, before rotation. */
  scaled: Size;
  scalerFlags: string;
  channels: 1 | 3;
  /** True if a frame at this time is due by `minIntervalS` or `atS`. */
  isDue(timeS: number): boolean;
  /** Same as `isDue`, and starts the next interval if it is. */
  takeIfDue(timeS: number): boolean;
  /** The state that decides on the next frame, to continue a pass. */
  saveDue(): number;
  restoreDue(saved: number): void;
  deliver(pixels: Uint8Array, stride: number, frame: Omit<DecodedFrame, 'data'>): void | Promise<void>;
};

/** `display` is the size of the upright video; sizes in `request` refer to upright frames. */
export function createFrameSink(request: FrameRequest, shown: Size, orientation: Orientation): FrameSink {
  const channels = request.format === 'gray' ? 1 : 3;
  const inner = request.letterbox === undefined ? request : fitWithin(shown, request);
  const scaled = orientation.transpose ? { width: inner.height, height: inner.width } : inner;
  const left = Math.floor((request.width - inner.width) / 2);
  const top = Math.floor((request.height - inner.height) / 2);
  const rowBytes = request.width * channels;
  // The border is filled once; frames overwrite the inner area only.
  const target = new Uint8Array(rowBytes * request.height).fill(request.letterbox ?? 0);
  const asIs = !orientation.transpose && !orientation.flipX && !orientation.flipY && request.letterbox === undefined;
  const due = request.atS ? dueAt(request.atS) : dueEvery(request.minIntervalS ?? 0);
  return {
    scaled: { width: scaled.width, height: scaled.height },
    scalerFlags: request.sharp ? SHARP_FLAGS : SCALER_FLAGS,
    channels,
    ...due,
    deliver(pixels, stride, frame) {
      if (asIs && stride === rowBytes) {
        return request.onFrame({ ...frame, data: pixels.subarray(0, rowBytes * request.height) });
      }
      copyUpright(pixels, scaled, stride, channels, orientation, target, rowBytes, left, top);
      return request.onFrame({ ...frame, data: target });
    },
  };
}

type Due = Pick<FrameSink, 'isDue' | 'takeIfDue' | 'saveDue' | 'restoreDue'>;

function dueEvery(interval: number): Due {
  let last = Number.NEGATIVE_INFINITY;
  const isDue = (timeS: number) => interval === 0 || timeS - last >= interval - ROUNDING_S;
  return {
    isDue,
    takeIfDue(timeS) {
      if (!isDue(timeS)) return false;
      last = timeS;
      return true;
    },
    saveDue: () => last,
    restoreDue(saved) {
      last = saved;
    },
  };
}

function dueAt(times: readonly number[]): Due {
  let next = 0;
  const isDue = (timeS: number) => {
    while (next < times.length && times[next]! < timeS - ROUNDING_S) next++;
    return next < times.length && times[next]! <= timeS + ROUNDING_S;
  };
  return {
    isDue,
    takeIfDue(timeS) {
      if (!isDue(timeS)) return false;
      next++;
      return true;
    },
    saveDue: () => next,
    restoreDue(saved) {
      next = saved;
    },
  };
}
