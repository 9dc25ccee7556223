import { MOVING_OBJECT } from '../../observe/objects/index.ts';
import type { TrackView } from '../types.ts';
import { createRelativeDoubts } from './relative-doubts.ts';
import { ownDoubts } from './track-doubts.ts';
import type { Plausibility } from './types.ts';

export type { Plausibility } from './types.ts';

const PLAUSIBLE: Plausibility = { weight: 1, reasons: [] };

/**
 * Judges how plausible it is that a track is an object of its class, by what is known of the class and by the tracks
 * around it. `aspect` is the width of the frame in heights. See docs/decisions/0020.
 */
export function createPlausibility(views: readonly TrackView[], aspect: number): (view: TrackView) => Plausibility {
  const relativeDoubts = createRelativeDoubts(views, aspect);
  return (view) => {
    if (view.track.className === MOVING_OBJECT) return PLAUSIBLE;
    const doubts = [...ownDoubts(view, aspect), ...relativeDoubts(view)];
    return {
      weight: doubts.reduce((product, { weight }) => product * weight, 1),
      reasons: doubts.flatMap(({ reason }) => reason ?? []),
    };
  };
}
