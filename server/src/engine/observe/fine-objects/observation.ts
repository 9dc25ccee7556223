import type { Track } from '../objects/observation.ts';

/**
 * Objects that `objects` has no track of: the detector finds them in larger copies of some of the same frames. Their
 * tracks are numbered after those of `objects` and index its frames; boxes between the examined frames are bridged.
 */
export type FineObjects = {
  /** Name and digest of the detector. */
  model: string;
  /** Times of the examined frames in seconds. */
  timeS: Float64Array;
  tracks: Track[];
};
