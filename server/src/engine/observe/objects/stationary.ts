import { carried } from './camera.ts';
import type { Look } from './tracker.ts';

type Step = { x: number; y: number; width: number; height: number; look: number };

/** Shorter standing is a pause in a step, or jitter. */
const LEAST_S = 1;
/** Standing is staying within this of one place: a part of the thing's own size, and at least what boxes jitter by. */
const OF_ITS_SIZE = 0.15;
const JITTER = 0.006;
/** A thing that grows or shrinks by more comes nearer or goes away. */
const GROWTH = 1.25;
/** A camera that goes forward faster than this (growth per second) moves near things otherwise than far ones: nothing can be said then. */
const FORWARD = 0.08;

/**
 * Intervals in which a thing did not move against the scene. Its way is followed with the camera's own motion taken out; the interval is the longest run of looks that stay
 * near the first one.
 */
export function findStationary(steps: readonly Step[], looks: readonly Look[]): { startS: number; endS: number }[] {
  const found: { startS: number; endS: number }[] = [];
  let start = 0;
  while (start < steps.length) {
    const end = lastNear(steps, looks, start);
    const startS = looks[steps[start]!.look]!.timeS;
    const endS = looks[steps[end]!.look]!.timeS;
    if (endS - startS >= LEAST_S) {
      const before = found.at(-1);
      // Slow drift moves the place that is stayed near; the standing goes on.
      if (before && before.endS === startS) before.endS = endS;
      else found.push({ startS, endS });
      start = end;
    } else {
      start++;
    }
    if (end === steps.length - 1) break;
  }
  return found;
}

/** The last step that stays near the one at `start`, and all before it do. */
function lastNear(steps: readonly Step[], looks: readonly Look[], start: number): number {
  const first = steps[start]!;
  let [placeX, placeY] = [first.x, first.y];
  let { width, height } = first;
  let last = start;
  for (let at = start + 1; at < steps.length; at++) {
    const step = steps[at]!;
    const look = looks[step.look]!;
    const { scale } = look.camera;
    if (Math.abs(scale - 1) > FORWARD * (look.timeS - looks[step.look - 1]!.timeS)) break;
    [placeX, placeY] = carried(placeX, placeY, look.camera);
    width *= scale;
    height *= scale;
    const near = (off: number, size: number) => Math.abs(off) <= Math.max(JITTER, OF_ITS_SIZE * size);
    const grown = Math.sqrt((step.width * step.height) / (width * height));
    if (!near(step.x - placeX, step.width) || !near(step.y - placeY, step.height)) break;
    if (grown > GROWTH || grown < 1 / GROWTH) break;
    last = at;
  }
  return last;
}
