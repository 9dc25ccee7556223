import type { Objects } from '../objects/observation.ts';
import type { Signals } from '../signals/observation.ts';
import type { Sound } from '../sound/observation.ts';

/**
 * One sparse look at a video: what single pictures of it show, and its sound. In the form of what dense observing leaves, so that the same rules read it; what takes
 * more than one picture to tell (motion, cuts, coming and going) is 0 or null in it.
 */
export type Glance = {
  /** One entry per picture that was looked at. */
  signals: Signals;
  /** Of each picture, what is in it. A thing is followed only as long as it stays in one place. Null without a detector. */
  objects: Objects | null;
  sound: Sound | null;
  /** Stretches in which nothing changes: looked at where they begin and end, and not in between. */
  quiet: { startS: number; endS: number }[];
};
