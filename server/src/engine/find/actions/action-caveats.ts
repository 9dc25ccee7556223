import type { ObjectTarget } from '../../plan/index.ts';
import { round } from '../format.ts';
import { LIMITS } from '../thresholds.ts';
import { median } from '../time/intervals.ts';
import type { Caveat, TrackView } from '../types.ts';
import { isUpright } from './track/posture.ts';

/** Reasons to doubt an action that its tracks suggest and do not show, and what its absence rests on. */

const CAVEATS: Partial<Record<ObjectTarget['action'], string>> = {
  falls:
    'a fall is looked for as the box of a person that becomes much lower at once: bending and sitting down fast look alike, and a person who is lost from view meanwhile is not found',
  lies: 'lying is looked for as the box of a person that is wider than high, and people who lie are detected less often',
  sits_down:
    'sitting down is looked for as the box of a person that becomes lower in place: bending and crouching look alike',
  crouches: 'this is looked for as the box of a person that becomes lower in place: sitting down looks alike',
  collides:
    'contact is looked for as two boxes that meet, of which one changes its motion at once: passing close and stopping there looks alike, and a light touch is not found',
  stands_up: 'standing up is looked for as the box of a person that becomes higher in place',
};
const FROM_ABOVE = 'people are seen from above here, so their boxes do not show whether they stand or lie';

/** The caveats of an action; each decides what was found, so that matches are candidates. */
export function caveatsOf({ action }: ObjectTarget): Caveat[] {
  const text = CAVEATS[action];
  return text === undefined ? [] : [{ text, decides: true }];
}

const POSTURES: ReadonlySet<ObjectTarget['action']> = new Set(['falls', 'lies', 'sits_down', 'crouches', 'stands_up']);

/** The objects of a video, and the width of its frame in heights. */
type Footage = { timeS: Float64Array; views: readonly TrackView[]; aspect: number };

/** Reason why an action cannot be seen in this footage; null if it can. */
export function whyHidden({ action }: ObjectTarget, { timeS, views, aspect }: Footage): string | null {
  const gapS = median(timeS.subarray(1).map((t, i) => t - timeS[i]!));
  if (action === 'collides' && timeS.length > 1 && gapS > LIMITS.impactTime.limit)
    return `frames are ${round(gapS, 1)} s apart, too far to see a contact`;
  const people = POSTURES.has(action) ? views.filter(({ track }) => track.className === 'person') : [];
  const upright = people.filter((view) => isUpright(view, aspect));
  return action !== 'lies' && people.length > 0 && upright.length * 2 < people.length ? FROM_ABOVE : null;
}
