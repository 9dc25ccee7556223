import { applyTransform } from '../tracker/camera-transform.ts';
import type { FrameSample } from '../tracker/tracker.ts';

type Step = { x: number; y: number; width: number; height: number; sample: number };

/** Shorter intervals are a pause in a step, or jitter. */
const MIN_S = 1;
/**
 * A stationary object stays within this distance of one place: a part of its own size, and at least the jitter of
 * boxes.
 */
const DRIFT_SIZES = 0.15;
const JITTER = 0.006;
/** An object that grows or shrinks by more approaches or recedes. */
const MAX_GROWTH = 1.25;
/**
 * If the camera moves forward faster than this (growth per second), near objects move differently from far ones and
 * nothing can be concluded.
 */
const MAX_FORWARD = 0.08;

/**
 * Intervals in which an object did not move relative to the scene. Camera motion is subtracted; an interval is the
 * longest run of samples that stay near the first one.
 */
export function findStationaryIntervals(
  steps: readonly Step[],
  samples: readonly FrameSample[],
): { startS: number; endS: number }[] {
  const found: { startS: number; endS: number }[] = [];
  let start = 0;
  while (start < steps.length) {
    const end = findLastNear(steps, samples, start);
    const startS = samples[steps[start]!.sample]!.timeS;
    const endS = samples[steps[end]!.sample]!.timeS;
    if (endS - startS >= MIN_S) {
      const previous = found.at(-1);
      // Slow drift moves the reference place; the interval continues.
      if (previous && previous.endS === startS) previous.endS = endS;
      else found.push({ startS, endS });
      start = end;
    } else {
      start++;
    }
    if (end === steps.length - 1) break;
  }
  return found;
}

/** The last step up to which all steps stay near the one at `start`. */
function findLastNear(steps: readonly Step[], samples: readonly FrameSample[], start: number): number {
  const first = steps[start]!;
  let [placeX, placeY] = [first.x, first.y];
  let { width, height } = first;
  let last = start;
  for (let at = start + 1; at < steps.length; at++) {
    const step = steps[at]!;
    const sample = samples[step.sample]!;
    const { scale } = sample.camera;
    if (Math.abs(scale - 1) > MAX_FORWARD * (sample.timeS - samples[step.sample - 1]!.timeS)) break;
    [placeX, placeY] = applyTransform(placeX, placeY, sample.camera);
    width *= scale;
    height *= scale;
    const near = (off: number, size: number) => Math.abs(off) <= Math.max(JITTER, DRIFT_SIZES * size);
    const grown = Math.sqrt((step.width * step.height) / (width * height));
    if (!near(step.x - placeX, step.width) || !near(step.y - placeY, step.height)) break;
    if (grown > MAX_GROWTH || grown < 1 / MAX_GROWTH) break;
    last = at;
  }
  return last;
}
