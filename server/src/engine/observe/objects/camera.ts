import { HEIGHT, WIDTH } from '../signals/kernel.ts';
import type { GlobalMotion } from '../signals/motion.ts';

/** How the picture as a whole moved between two looks, in fractions of the picture: `x' = scale · x + shiftX`. */
export type CameraStep = { scale: number; shiftX: number; shiftY: number };

export const NO_STEP: CameraStep = { scale: 1, shiftX: 0, shiftY: 0 };

/** Adds the motion of one more frame to a step. */
export function followCamera(step: CameraStep, { x, y, zoom }: Pick<GlobalMotion, 'x' | 'y' | 'zoom'>): CameraStep {
  const scale = 1 + zoom;
  // Growth is about the picture's centre.
  const shift = (before: number, moved: number) => scale * before + moved + 0.5 * (1 - scale);
  return {
    scale: step.scale * scale,
    shiftX: shift(step.shiftX, x / WIDTH),
    shiftY: shift(step.shiftY, y / HEIGHT),
  };
}

/** Where a point of one look lies in the next one's picture when only the camera moves. */
export function carried(x: number, y: number, { scale, shiftX, shiftY }: CameraStep): [x: number, y: number] {
  return [scale * x + shiftX, scale * y + shiftY];
}
