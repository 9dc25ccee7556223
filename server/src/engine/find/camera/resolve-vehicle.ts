import type { CameraMove, ObjectTarget, PlannedSearch, Step } from '../../plan/index.ts';
import type { Scene } from '../types.ts';
import { whyNotDrive } from './vehicle-footage.ts';

/** Actions of "the car" that the vehicle with the camera can have. */
const MOVES: Partial<Record<string, CameraMove>> = {
  stops: 'stops',
  starts: 'starts',
  stands: 'still',
  moves: 'moves',
  collides: 'jolts',
};

const NOT_IN_VIEW = 'who drives the recording vehicle is not in view';

/**
 * Chooses what "the car" means in this footage: in a drive, the vehicle that carries the camera (and for "car stops"
 * also a car in the frame); otherwise an object in the frame.
 */
export function resolveVehicle(search: PlannedSearch, scene: Scene): PlannedSearch[] {
  const readings = search.steps.flatMap(({ what }) => (what.kind === 'object' && what.vehicle ? [what.vehicle] : []));
  const kind = readings.length === 0 ? 'other' : scene.footageKind();
  if (kind === 'unknown') return [{ ...search, steps: search.steps.map(doubtVehicle) }];
  if (kind === 'other') return [search];
  const steps = stepsOfVehicle(search.steps);
  // "The car stops and leaves" the frame: not the one that carries the camera.
  if (steps === null) return [search];
  const ofVehicle = { ...search, steps };
  return readings.includes('also') ? [ofVehicle, search] : [ofVehicle];
}

/** "The car" as one in the frame, where it may be the vehicle that carries the camera. */
function doubtVehicle(step: Step): Step {
  const { what, unchecked } = step;
  if (what.kind !== 'object' || !what.vehicle) return step;
  const reason = `${whyNotDrive('unknown')}; only objects in the picture were looked for`;
  return { ...step, unchecked: [...unchecked, { text: what.subject.text, reason, blocks: false, decides: true }] };
}

/** The steps with the recording vehicle as "the car"; null if it then does what only an object in the frame can. */
function stepsOfVehicle(steps: readonly Step[]): Step[] | null {
  const read: Step[] = [];
  let isVehicle = false;
  for (const step of steps) {
    const { what } = step;
    const target = what.kind === 'object' ? what : null;
    const isSame: boolean = isVehicle && step.same && target !== null;
    if (isSame && !(target!.action in MOVES)) return null;
    isVehicle = isSame || target?.vehicle !== undefined;
    read.push(isVehicle && target ? asVehicle(step, target) : step);
  }
  return read;
}

function asVehicle(step: Step, what: ObjectTarget): Step {
  // "The driver"
  if (what.action === 'present')
    return { ...step, unchecked: [...step.unchecked, { text: what.subject.text, reason: NOT_IN_VIEW, blocks: true }] };
  const remark = what.relation && {
    text: what.relation.other.text,
    reason: 'what the recording vehicle is close to is not checked',
    blocks: false,
  };
  // "It stops": then it is known what this is about.
  const known = step.unchecked.filter(({ presumed }) => presumed !== 'vehicle');
  return {
    ...step,
    what: { kind: 'camera', move: MOVES[what.action] ?? 'moves', direction: null, vehicle: true },
    negated: step.negated !== what.idle,
    same: false,
    unchecked: remark ? [...known, remark] : known,
  };
}
