import type { DecodedFrame, PictureRequest } from './decoder.ts';
import { copyUpright, fitWithin, type Orientation, type Size } from './geometry.ts';

/** Containers round time stamps to milliseconds: a distance this much short of the wanted one is the wanted one. */
export const ROUNDING_S = 0.0015;

/** FFmpeg's scaler in both engines: area averaging is right for shrinking and as fast as any; without accurate rounding whole areas are off by two. */
export const SCALER_FLAGS = 'area+accurate_rnd';

/** Turns scaled coded pictures into what a `PictureRequest` asked for; both engines use it, so that they agree. */
export type PictureSink = {
  /** Size to scale the coded picture to (before turning it upright). */
  scaled: Size;
  channels: 1 | 3;
  /** Whether a picture at this time would be wanted. */
  due(timeS: number): boolean;
  /** The same, and says yes once. */
  wants(timeS: number): boolean;
  deliver(pixels: Uint8Array, stride: number, frame: Omit<DecodedFrame, 'data'>): void | Promise<void>;
};

/** `shown` is the video's size as shown; `request` sizes are of the upright picture. */
export function createPictureSink(request: PictureRequest, shown: Size, orientation: Orientation): PictureSink {
  const channels = request.format === 'gray' ? 1 : 3;
  const inner = request.letterbox === undefined ? request : fitWithin(shown, request);
  const scaled = orientation.transpose ? { width: inner.height, height: inner.width } : inner;
  const left = Math.floor((request.width - inner.width) / 2);
  const top = Math.floor((request.height - inner.height) / 2);
  const rowBytes = request.width * channels;
  // The border is written once; frames only touch the inside.
  const target = new Uint8Array(rowBytes * request.height).fill(request.letterbox ?? 0);
  const asIs = !orientation.transpose && !orientation.flipX && !orientation.flipY && request.letterbox === undefined;
  const interval = request.minIntervalS ?? 0;
  let last = Number.NEGATIVE_INFINITY;
  const due = (timeS: number) => interval === 0 || timeS - last >= interval - ROUNDING_S;
  return {
    scaled: { width: scaled.width, height: scaled.height },
    channels,
    due,
    wants(timeS) {
      if (!due(timeS)) return false;
      last = timeS;
      return true;
    },
    deliver(pixels, stride, frame) {
      if (asIs && stride === rowBytes) {
        return request.onFrame({ ...frame, data: pixels.subarray(0, rowBytes * request.height) });
      }
      copyUpright(pixels, scaled, stride, channels, orientation, target, rowBytes, left, top);
      return request.onFrame({ ...frame, data: target });
    },
  };
}
