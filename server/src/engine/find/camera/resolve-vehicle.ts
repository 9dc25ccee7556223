import type { CameraMove, PlannedSearch, Step } from '../../plan/index.ts';
import type { Scene } from '../types.ts';

/** Actions of "the car" that the vehicle with the camera can have. */
const MOVES: Partial<Record<string, CameraMove>> = {
  stops: 'stops',
  starts: 'starts',
  stands: 'still',
  moves: 'moves',
};

/**
 * Chooses what "the car" means in this footage: in a drive, the vehicle that carries the camera (and for "car stops"
 * also a car in the frame); otherwise an object in the frame.
 */
export function resolveVehicle(search: PlannedSearch, scene: Scene): PlannedSearch[] {
  const readings = search.steps.flatMap(({ what }) => (what.kind === 'object' && what.vehicle ? [what.vehicle] : []));
  if (readings.length === 0 || !scene.isVehicleFootage()) return [search];
  const ofVehicle = { ...search, steps: search.steps.map(asVehicle) };
  return readings.includes('also') ? [ofVehicle, search] : [ofVehicle];
}

function asVehicle(step: Step): Step {
  const { what } = step;
  if (what.kind !== 'object' || !what.vehicle) return step;
  const move = MOVES[what.action] ?? 'moves';
  const remark = what.relation && {
    text: what.relation.other.text,
    reason: 'what the recording vehicle is close to is not checked',
    blocks: false,
  };
  return {
    ...step,
    what: { kind: 'camera', move, direction: null, vehicle: true },
    negated: step.negated !== what.idle,
    same: false,
    unchecked: remark ? [...step.unchecked, remark] : step.unchecked,
  };
}
