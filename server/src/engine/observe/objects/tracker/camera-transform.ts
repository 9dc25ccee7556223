import type { GlobalMotion } from '../../signals/global-motion.ts';
import { HEIGHT, WIDTH } from '../../signals/kernel.ts';

/** Motion of the whole frame between two samples, in fractions of the frame: `x' = scale · x + shiftX`. */
export type CameraTransform = { scale: number; shiftX: number; shiftY: number };

export const IDENTITY_TRANSFORM: CameraTransform = { scale: 1, shiftX: 0, shiftY: 0 };

/** Adds the motion of one more frame. */
export function accumulateMotion(
  step: CameraTransform,
  { x, y, zoom }: Pick<GlobalMotion, 'x' | 'y' | 'zoom'>,
): CameraTransform {
  const scale = 1 + zoom;
  // Scaling is relative to the center of the frame.
  const shift = (before: number, moved: number) => scale * before + moved + 0.5 * (1 - scale);
  return {
    scale: step.scale * scale,
    shiftX: shift(step.shiftX, x / WIDTH),
    shiftY: shift(step.shiftY, y / HEIGHT),
  };
}

/** Position of a point in the next sample if only the camera moves. */
export function applyTransform(
  x: number,
  y: number,
  { scale, shiftX, shiftY }: CameraTransform,
): [x: number, y: number] {
  return [scale * x + shiftX, scale * y + shiftY];
}
