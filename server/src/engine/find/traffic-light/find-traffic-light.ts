import type { LightTarget } from '../../plan/index.ts';
import { describeDetector, describeUnknownClasses, findUnknownClasses, whyNoObjects } from '../actions/index.ts';
import { whyNotDrive } from '../camera/index.ts';
import { MAX_CONFIDENCE } from '../confidence.ts';
import { limitsOf } from '../limits/index.ts';
import type { IntervalMatch, Limit, Scene, StepResult } from '../types.ts';
import { describeUnknownLights, type Lit, litConfidence, litIntervals, toTrackEvidence } from './lights.ts';
import { findRuns, findWaits, NEVER_CERTAIN } from './red-light-actions.ts';

/** Lights that show the same color at most this many seconds apart are one event: a crossing has several. */
const SAME_EVENT_S = 2;
const CLASS = { classes: ['traffic light'] };

/** Finds what traffic lights show, when they change, and what the recording vehicle does at them. */
export function findTrafficLight(what: LightTarget, scene: Scene): StepResult {
  const { objects } = scene.observations;
  if (!objects) return { unavailable: whyNoObjects(scene) };
  const unknown = findUnknownClasses(CLASS, objects);
  if (unknown.length > 0) return { unavailable: describeUnknownClasses(unknown, objects.model) };
  if (what.event === 'runs' && scene.footageKind() !== 'drive')
    return { unavailable: `${whyNotDrive(scene.footageKind())}, and ${WHICH_APPLIES}` };
  const found = FINDERS[what.event](what, scene);
  const limits = limitsOf(
    found.isComplete ? [describeUnknownLights] : [describeDetector, describeUnknownLights],
    CLASS,
  );
  return {
    matches: found.matches.toSorted((a, b) => a.start.timeS - b.start.timeS),
    by: ['objects (color of traffic lights)', ...(found.by ?? [])],
    limits: (part) => [...limits(part), ...(found.limits ?? [])],
    frames: { timeS: objects.timeS, pts: objects.pts },
  };
}

const WHICH_APPLIES = 'which light applies to a vehicle in the frame is not known';

/** `isComplete`: nothing was missed, whatever the detector finds. */
type Found = { matches: IntervalMatch[]; limits?: Limit[]; by?: string[]; isComplete?: boolean };

const FINDERS: Record<LightTarget['event'], (what: LightTarget, scene: Scene) => Found> = {
  shows: findShown,
  turns: findTurns,
  waits: findWaits,
  runs: (what, scene) => ({ matches: findRuns(what, scene), limits: [{ text: NEVER_CERTAIN, doubts: 'slightly' }] }),
};

/** Intervals in which at least one light shows the color. */
function findShown(what: LightTarget, scene: Scene): Found {
  const groups: Lit[][] = [];
  for (const lit of litIntervals(scene)) {
    if (what.color !== null && lit.color !== what.color) continue;
    const group = groups.find(
      (each) => each[0]!.color === lit.color && Math.max(...each.map(({ endS }) => endS)) >= lit.startS - SAME_EVENT_S,
    );
    if (group) group.push(lit);
    else groups.push([lit]);
  }
  return {
    matches: groups.map((group) =>
      toMatch(
        { ...what, color: group[0]!.color },
        group,
        Math.min(...group.map(({ startS }) => startS)),
        Math.max(...group.map(({ endS }) => endS)),
        scene,
      ),
    ),
  };
}

/** Moments at which a light takes the color, from another one. */
function findTurns(what: LightTarget, scene: Scene): Found {
  const groups: Lit[][] = [];
  for (const lit of litIntervals(scene)) {
    if (lit.before === null || (what.color !== null && lit.color !== what.color)) continue;
    const group = groups.at(-1);
    const first = group?.[0];
    if (first?.color === lit.color && lit.startS - first.startS <= SAME_EVENT_S) group!.push(lit);
    else groups.push([lit]);
  }
  return {
    matches: groups.map((group) => {
      const [{ color, startS }] = group as [Lit];
      return toMatch({ ...what, color }, group, startS, startS, scene);
    }),
  };
}

function toMatch(what: LightTarget, group: readonly Lit[], startS: number, endS: number, scene: Scene): IntervalMatch {
  const best = group.reduce((a, b) => (litConfidence(b) > litConfidence(a) ? b : a));
  const from = best.before && what.event === 'turns' ? ` after ${best.before.color}` : '';
  return {
    what,
    negated: false,
    signals: [],
    stepMatches: [],
    presences: [],
    start: scene.frameTimeAt(startS),
    end: scene.frameTimeAt(endS),
    best: scene.frameTimeAt((best.startS + (what.event === 'turns' ? best.startS : best.endS)) / 2),
    confidence: Math.min(MAX_CONFIDENCE, litConfidence(best)),
    tracks: group.map(({ view, ...lit }) => toTrackEvidence(view, lit.startS, lit.endS)),
    reasons: [
      `${best.color} lamp of traffic light ${best.view.track.id}${from}`,
      `detector score ${best.view.score.toFixed(2)} over ${best.view.detectionCount} detections`,
    ],
  };
}
