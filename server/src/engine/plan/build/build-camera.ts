import { actionOf, type Clause, partOf, pathOf } from '../clause/index.ts';
import type { CameraMove, CameraTarget } from '../schema.ts';
import type { SenseOf } from '../tokens/senses.ts';

/** "Pans left", "zooms in": a motion of the camera with its direction. */
export function cameraMotion(clause: Clause, { move, direction: own, hard }: SenseOf<'camera_move'>): CameraTarget {
  const stated = pathOf(clause).direction;
  const inOrOut = move === 'zooms' ? (stated === 'away' ? 'out' : 'in') : null;
  const direction = own ?? (stated === 'towards' || stated === 'away' ? inOrOut : stated);
  // "Pans up" is a tilt, "camera motion to the left" a pan.
  const vehicle = partOf(clause, 'camera')?.vehicle ? { vehicle: true } : {};
  if ((move === 'pans' || move === 'turns' || move === 'moves') && (direction === 'up' || direction === 'down'))
    return { kind: 'camera', move: 'tilts', direction };
  if (move === 'moves' && (direction === 'left' || direction === 'right'))
    return { kind: 'camera', move: 'pans', direction };
  return { kind: 'camera', move, direction, ...(hard ? { hard } : {}), ...vehicle };
}

const MOVES: Partial<Record<string, CameraMove>> = {
  stops: 'stops',
  starts: 'starts',
  stands: 'still',
  collides: 'jolts',
};

/** "The camera stops", "we move forward": null for a verb that is no motion. */
export function cameraSubjectMotion(clause: Clause): CameraTarget | null {
  const action = actionOf(clause)?.action;
  const { direction } = pathOf(clause);
  const camera = (move: CameraMove): CameraTarget => ({ kind: 'camera', move, direction: null });
  if (action !== 'moves') {
    const move = action && MOVES[action];
    return move ? camera(move) : null;
  }
  if (direction === 'left' || direction === 'right') return { kind: 'camera', move: 'pans', direction };
  if (direction === 'up' || direction === 'down') return { kind: 'camera', move: 'tilts', direction };
  if (direction === null) return camera('moves');
  return camera(direction === 'towards' ? 'forward' : 'backward');
}
