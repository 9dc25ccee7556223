import { MIN_HEIGHT } from '../../observe/poses/select-samples.ts';
import type { ObjectTarget } from '../../plan/index.ts';
import { whyNotDrive } from '../camera/index.ts';
import type { FootageKind } from '../camera/vehicle-footage.ts';
import { round } from '../format.ts';
import { LIMITS } from '../thresholds.ts';
import { median } from '../time/intervals.ts';
import type { LimitDescriber, TrackView } from '../types.ts';
import { whyNoFlow } from './flow.ts';
import { isPosed, needsPoses, showsPoses } from './poses/pose-actions.ts';
import { isUpright } from './track/posture.ts';

/** Reasons to doubt an action that its tracks suggest and do not show, and what its absence rests on. */

const CAVEATS: Partial<Record<ObjectTarget['action'], string>> = {
  falls:
    'a fall is looked for as the box of a person that becomes much lower at once: bending and sitting down fast look alike, and the detector loses most people who lie',
  lies: 'lying is looked for as the box of a person that is wider than high, and the detector finds about 2 in 10 people who lie',
  sits_down:
    'sitting down is looked for as the box of a person that becomes lower in place: bending and crouching look alike',
  crouches: 'this is looked for as the box of a person that becomes lower in place: sitting down looks alike',
  collides:
    'contact is looked for as two boxes that meet, of which one changes its motion at once: passing close and stopping there looks alike, and a light touch is not found',
  cuts_in:
    'cutting in is looked for as a vehicle that comes from the side into the middle of the picture ahead and stays there: markings on the road are not recognized',
  blocks_way:
    'looked for as a vehicle close ahead while the recording vehicle stands: what keeps it from driving is not checked',
  stands_up: 'standing up is looked for as the box of a person that becomes higher in place',
  sits: 'sitting is looked for by the joints of people: those who crouch or bend their knees look alike, and legs behind a table are not seen',
  bends: 'bending is looked for as a torso that is about level above the knees, and was not measured',
  waves:
    'waving is looked for as a raised hand that changes its direction several times: playing with a ball looks alike',
  points: 'pointing is looked for as one arm stretched out at the height of the shoulder, and was not measured',
  hand_at_face: 'looked for as a wrist close to the nose or an ear, as of people who drink or lift something',
  phones:
    'looked for as one hand at an ear: the phone in it is not recognized, and drinking or holding up a camera looks alike',
};
/** The clause of an action that is found by motion where poses were not observed. */
const WITHOUT_POSES: Partial<Record<ObjectTarget['action'], string>> = {
  runs: 'looked for as any motion, because poses were not examined; the pace is not checked',
  sits: 'sitting is looked for as staying in one place, because poses were not examined',
};
/** Limits that are worth a clause where most of what is found is right. */
const REMARKS: Partial<Record<ObjectTarget['action'], string>> = {
  raises_hand: 'a raised hand is looked for as a wrist above the shoulder',
  runs: 'running is looked for as moving with bent arms: walking with something in the hand may look alike',
};
/** Share of the actions of examined people that are found, of those that were labeled (docs/models.md). */
const POSE_RECALL: Partial<Record<ObjectTarget['action'], number>> = {
  sits: 0.63,
  raises_hand: 0.67,
  hand_at_face: 0.71,
  phones: 0.33,
  runs: 0.63,
};
/** The same where too few were labeled. Assumed. */
const UNMEASURED_RECALL = 0.5;
const FROM_ABOVE = 'people are seen from above here, so their boxes do not show whether they stand or lie';

/**
 * Share of people who lie that the detector finds, as weakly as a track continues: 17 of 100 in five labeled clips with
 * frames turned by 90°.
 */
const LYING_RECALL = 0.17;

const LYING: ReadonlySet<ObjectTarget['action']> = new Set(['falls', 'lies']);

/** The limit of comparing directions. */
const AGAINST =
  'directions are compared in the picture, with those of most others of the same kind, or of the ones that pass the same place where they go both ways';

/** The limits of an action. A caveat decides what was found, so that matches are candidates. */
export const describeAction: LimitDescriber<ObjectTarget> = ({ action }, part) => {
  const without = WITHOUT_POSES[action];
  if (without && part.trackViews().some((view) => view.poses() === null)) return [{ text: without, doubts: 'decides' }];
  const text = CAVEATS[action];
  const recall = LYING.has(action) ? LYING_RECALL : isPosed(action) ? (POSE_RECALL[action] ?? UNMEASURED_RECALL) : 1;
  if (action === 'goes_against') return [{ text: AGAINST }];
  if (text !== undefined) return [{ text, recall, doubts: 'decides' }];
  return [{ recall, ...(REMARKS[action] ? { text: REMARKS[action] } : {}) }];
};

/** People whose poses were not examined: too small, or beyond the budget of a pass. */
export const describeUnexamined: LimitDescriber<ObjectTarget> = ({ action, subject }, part) => {
  if (!showsPoses(action) || !subject.classes.includes('person')) return [];
  const people = part.trackViews().filter(({ track }) => track.className === 'person');
  const unexamined = people.filter((view) => view.poses()?.length === 0);
  if (unexamined.length === 0) return [];
  const text = `the poses of ${unexamined.length} of ${people.length} people were not examined: they are lower than ${MIN_HEIGHT} pixels, or there were too many`;
  return [isPosed(action) ? { text, recall: 1 - unexamined.length / people.length } : { text }];
};

const POSTURES: ReadonlySet<ObjectTarget['action']> = new Set(['falls', 'lies', 'sits_down', 'crouches', 'stands_up']);

/** The objects of a video, and the width of its frame in heights. */
type Footage = { timeS: Float64Array; views: readonly TrackView[]; aspect: number; kind: () => FootageKind };

const NO_POSES =
  'the poses of people were not examined: this takes the pose estimator, and an observation of every frame of the whole video';
const FIXED_ONLY = 'directions are compared in footage of fixed cameras only';

/** Reason why an action cannot be seen in this footage; null if it can. */
export function whyHidden({ action }: ObjectTarget, { timeS, views, aspect, kind }: Footage): string | null {
  if (needsPoses(action) && views.some((view) => view.poses() === null)) return NO_POSES;
  if ((action === 'cuts_in' || action === 'blocks_way') && kind() !== 'drive')
    return `${whyNotDrive(kind())}, so nothing is known to be ahead of one`;
  if (action === 'goes_against') {
    if (kind() === 'other') return whyNoFlow(views, aspect);
    return `${FIXED_ONLY}, and ${kind() === 'drive' ? 'this camera moves' : whyNotDrive(kind())}`;
  }
  const gapS = median(timeS.subarray(1).map((t, i) => t - timeS[i]!));
  if (action === 'collides' && timeS.length > 1 && gapS > LIMITS.impactTime.limit)
    return `frames are ${round(gapS, 1)} s apart, too far to see a contact`;
  const people = POSTURES.has(action) ? views.filter(({ track }) => track.className === 'person') : [];
  const upright = people.filter((view) => isUpright(view, aspect));
  return action !== 'lies' && people.length > 0 && upright.length * 2 < people.length ? FROM_ABOVE : null;
}
