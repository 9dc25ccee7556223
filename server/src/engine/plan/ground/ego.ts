import type { Modifier, Predicate } from '../meaning/types.ts';
import type { Action, CameraMove, CameraTarget } from '../schema.ts';
import { directionOf } from './actions.ts';
import type { Ledger } from './ledger.ts';
import { edgeOf, leavesOfSide } from './objects.ts';

/** Motions of the camera, and of the vehicle that carries it. */

/** Actions of objects that the camera does as well. */
const MOVES: Partial<Record<Action, CameraMove>> = {
  stops: 'stops',
  starts: 'starts',
  stands: 'still',
  moves: 'moves',
};
/** Motions that have no direction of their own. */
const UNDIRECTED: ReadonlySet<CameraMove> = new Set(['still', 'forward', 'backward', 'stops', 'starts', 'brakes']);

/** The direction that the modifiers of a motion say, and the modifiers that say something else. */
function takeDirection(modifiers: readonly Modifier[], ledger: Ledger) {
  let direction: ReturnType<typeof directionOf> | null = null;
  const others: Modifier[] = [];
  let from: ReturnType<typeof directionOf> | null = null;
  for (const modifier of modifiers) {
    const edge = modifier.type === 'side' ? edgeOf(modifier.place) : null;
    if (modifier.type === 'side' && edge && modifier.role === 'from' && from === null) {
      ledger.use(...leavesOfSide(modifier.place));
      from = directionOf(edge);
    } else if (modifier.type === 'side' && edge && modifier.role !== 'at' && direction === null) {
      ledger.use(...leavesOfSide(modifier.place));
      direction = directionOf(edge);
    } else if (modifier.type === 'direction' && direction === null) {
      ledger.use(modifier.word);
      direction = modifier.word.sense.direction;
    } else others.push(modifier);
  }
  return { direction, from, others };
}

type Motion = { what: CameraTarget; others: readonly Modifier[] };

/** "The camera pans left", "we slow down". Null where the motion has no such direction. */
export function groundCameraMove(predicate: Predicate, ledger: Ledger): Motion | null {
  const { head, modifiers } = predicate;
  if (head.type !== 'camera_move') return null;
  const { sense } = head.word;
  ledger.use(head.word);
  const { direction, from, others } = takeDirection(modifiers, ledger);
  const isAcross = from !== null && direction !== null && from !== direction;
  if (from !== null && !isAcross) return null;
  const isDepth = direction === 'towards' || direction === 'away';
  if (isDepth || (direction !== null && (UNDIRECTED.has(sense.move) || (sense.direction ?? direction) !== direction)))
    return null;
  ledger.caveat(head.word, sense.caveat, sense.decides ? { decides: true } : {});
  const stated = sense.direction ?? direction;
  const what: CameraTarget = {
    kind: 'camera',
    move: sense.move,
    direction: stated,
    ...(sense.hard ? { hard: true } : {}),
  };
  return { what: tilted(what), others };
}

/** "Pans up" is a tilt, "camera motion to the left" a pan. */
function tilted(what: CameraTarget): CameraTarget {
  const isVertical = what.direction === 'up' || what.direction === 'down';
  const isSideways = what.direction === 'left' || what.direction === 'right';
  if (isVertical && (what.move === 'pans' || what.move === 'turns' || what.move === 'moves'))
    return { ...what, move: 'tilts' };
  return isSideways && what.move === 'moves' ? { ...what, move: 'pans' } : what;
}

/** "The camera stops", "we move forward". Null for what a camera is not observed to do. */
export function groundCameraAction(predicate: Predicate, ledger: Ledger): Motion | null {
  const { head, object, modifiers } = predicate;
  if (object || predicate.passive || (head.type !== 'action' && head.type !== 'state')) return null;
  const action =
    head.type === 'action' ? head.word.sense.action : head.word.sense.state === 'moving' ? 'moves' : 'stands';
  const move = MOVES[action];
  if (!move || (head.type === 'action' && head.word.sense.direction)) return null;
  ledger.use(head.word);
  if (head.type === 'action')
    ledger.caveat(head.word, head.word.sense.caveat, head.word.sense.decides ? { decides: true } : {});
  const { direction, from, others } = takeDirection(modifiers, ledger);
  if (from !== null || (direction !== null && move !== 'moves')) return null;
  if (direction === 'towards' || direction === 'away')
    return {
      what: { kind: 'camera', move: direction === 'towards' ? 'forward' : 'backward', direction: null },
      others,
    };
  return { what: tilted({ kind: 'camera', move, direction }), others };
}
