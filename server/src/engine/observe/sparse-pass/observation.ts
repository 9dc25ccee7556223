import type { AudioLevels } from '../audio/observation.ts';
import type { Objects } from '../objects/observation.ts';
import type { Signals } from '../signals/observation.ts';

/**
 * Result of the sparse pass: observations of single frames, and the complete audio. It has the form of the dense
 * observations, so that the same rules read it. Values that need more than one frame (motion, cuts, entering and
 * leaving) are 0 or null.
 */
export type SparsePass = {
  /** One entry per sampled frame. */
  signals: Signals;
  /** Objects in the sampled frames. A track continues only while its object stays in place. Null without a detector. */
  objects: Objects | null;
  sound: AudioLevels | null;
  /** Intervals without changes: sampled where they start and end, and not in between. */
  quiet: { startS: number; endS: number }[];
};
