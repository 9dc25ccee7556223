import { isSilentLeaf, leavesOf } from '../meaning/leaves.ts';
import type { Dimension } from '../meaning/senses.ts';
import type { Entity, Modifier, Nominal, Predicate, UnseenWord, Word } from '../meaning/types.ts';
import { NAMES, REASONS } from '../reasons.ts';
import type { Action, CameraMove, CameraTarget, ObjectQuery, Quantity, Region } from '../schema.ts';
import { directionOf, isImmobile } from './actions.ts';
import { ROAD_VEHICLES } from './classes.ts';
import type { Ledger } from './ledger.ts';
import { ANYTHING, edgeOf, leavesOfSide } from './objects.ts';

/** Motions of the camera, and of the vehicle that carries it. */

/** Actions of objects that the camera does as well. */
const MOVES: Partial<Record<Action, CameraMove>> = {
  stops: 'stops',
  starts: 'starts',
  stands: 'still',
  moves: 'moves',
  collides: 'jolts',
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
  const { direction: named, from, others } = takeDirection(modifiers, ledger);
  // "Turned away": to any side.
  const direction = named === 'away' && sense.move === 'turns' && !sense.direction ? null : named;
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

/** "The camera stops", "we move forward", "the camera is moved". Null for what a camera is not observed to do. */
export function groundCameraAction(predicate: Predicate, ledger: Ledger): Motion | null {
  const { head, object, modifiers } = predicate;
  if (object || predicate.agent || (head.type !== 'action' && head.type !== 'state')) return null;
  const action =
    head.type === 'action' ? head.word.sense.action : head.word.sense.state === 'moving' ? 'moves' : 'stands';
  const move = MOVES[action];
  if (predicate.passive && action !== 'moves') return null;
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

/** The quantity that a measure beside a motion states: "braking harder than 0.4 g" is a deceleration. */
const MEASURED: readonly (readonly [CameraMove, Dimension, Quantity])[] = [
  ['brakes', 'acceleration', 'deceleration'],
  ['turns', 'angular_rate', 'yaw_rate'],
  ['turns', 'acceleration', 'lateral_acceleration'],
  ['moves', 'speed', 'speed'],
  ['forward', 'speed', 'speed'],
];

/** The quantity that a measure beside a motion of the camera states; `beside`: the motion is looked for as well. */
export function quantityOf(
  { move, direction }: CameraTarget,
  dimension: Dimension,
): { quantity: Quantity; beside: boolean } | null {
  const found = MEASURED.find((each) => each[0] === move && each[1] === dimension);
  if (found && (direction === null || dimension !== 'speed')) return { quantity: found[2], beside: direction !== null };
  return dimension === 'speed' ? { quantity: 'speed', beside: true } : null;
}

/** Where "in front of us" is in the frame. */
const AHEAD: Region = { name: NAMES.ahead, x: 0.3333, y: 0, width: 0.3333, height: 1 };
/** Actions whose place in the frame is that of the object. */
const PLACED: ReadonlySet<Action> = new Set(['present', 'stands', 'stops', 'moves']);

type CameraRelation = Extract<Modifier, { type: 'relation' }> & { other: Entity };

/**
 * "In front of us", "behind the camera": a remark on what the camera sees of it. Returns the part of the frame that it
 * means, and null where the camera does not see it.
 */
export function groundViewpoint(
  { word, negation, other }: CameraRelation,
  action: Action,
  ledger: Ledger,
  { classes, colors }: ObjectQuery,
): { place: Region | null } | null {
  if (other.head.type !== 'camera' || negation) return null;
  ledger.use(other.head.word);
  const isAnything = classes.length + colors.length === 0;
  const { relation } = word.sense;
  // Objects behind or beside the camera are not in view.
  switch (isAnything && relation !== 'in_front_of' ? null : relation) {
    case 'in_front_of':
      ledger.use(word);
      // Everything in view, and everything that crosses it, is in front of the camera.
      if (!other.head.word.sense.carrier || action === 'crosses') return { place: null };
      ledger.caveat(word, PLACED.has(action) ? REASONS.middleAhead : REASONS.notAhead);
      return { place: PLACED.has(action) ? AHEAD : null };
    case 'behind':
      ledger.note([word], REASONS.behindCamera);
      return { place: null };
    case 'near':
      ledger.note([word], REASONS.nearCamera, { presumed: 'vehicle' });
      return { place: null };
    default:
      ledger.block([word], REASONS.besideCamera);
      return { place: null };
  }
}

/**
 * The noun of the vehicle that carries the camera, or of its driver: "the car turns left", "the driver stops". Null for
 * an object in the frame.
 */
export function carrierOf(entity: Entity, predicate: Predicate): Word<'noun'> | null {
  const { head, determiner, amount, attributes, modifiers, negation, pick, plural } = entity;
  if (head.type !== 'object' || head.indefinite || plural || amount || negation || pick) return null;
  if (attributes.length + modifiers.length > 0 || (determiner && determiner.type !== 'definite')) return null;
  // "The car brakes in front of us": one that the camera sees.
  if (predicate.modifiers.some(isSeenFromCamera)) return null;
  const { classes, carrier, caveat } = head.word.sense;
  const isMove = predicate.head.type === 'camera_move' || predicate.head.type === 'runs' || isMeasured(predicate);
  if (carrier) return isMove || isDriven(predicate) ? head.word : null;
  // "The truck reverses": one in the frame, as in "the truck stops".
  const isCar =
    caveat === undefined && classes.includes('car') && classes.every((name) => ROAD_VEHICLES.includes(name));
  return isMove && isCar ? head.word : null;
}

/** "In front of us", "up ahead". */
function isSeenFromCamera(modifier: Modifier): boolean {
  const other = 'other' in modifier ? modifier.other : null;
  if (!other || !('head' in other)) return false;
  return other.head.type === 'camera' || (other.head.type === 'place' && other.head.word.sense.viewed === true);
}

/** "Faster than 50 km/h", "accelerates": measured of the recording vehicle only. */
export const isMeasured = ({ head, modifiers }: Predicate): boolean =>
  head.type === 'quantity' || modifiers.some(({ type }) => type === 'measure');

/** True for what a driver does with the vehicle: "stops at the stop sign", not "stands next to the car". */
const isDriven = ({ head, passive, modifiers }: Predicate): boolean =>
  !passive &&
  (head.type === 'state' || (head.type === 'action' && MOVES[head.word.sense.action] !== undefined)) &&
  modifiers.every(
    (each) =>
      each.type !== 'mutual' &&
      (each.type !== 'side' || each.role === 'bare') &&
      ((each.type !== 'relation' && each.type !== 'role') || isFixed(each.other)),
  );

/** A place, or an object that never moves. */
const isFixed = (other: Nominal) =>
  other.kind === 'entity' &&
  (other.head.type === 'place' ||
    (other.head.type === 'object' && isImmobile({ ...ANYTHING, classes: [...other.head.word.sense.classes] })));

/** Names an object beside a motion of the camera, which may have nothing to do with it: "brakes for a car". */
export function nameBeside(other: Nominal, move: CameraMove, ledger: Ledger): boolean {
  const members = other.kind === 'group' ? other.members : [other];
  if (members.some(({ negation, doing, pick }) => negation || doing || pick)) return false;
  const leaves = leavesOf(other, isSilentLeaf);
  const unseen = members.flatMap(({ head, attributes }): UnseenWord[] => [
    ...(head.type === 'unseen' ? head.words : []),
    ...attributes.flatMap((each) => (each.type === 'unseen' ? [each.word] : [])),
  ]);
  if (unseen.length > 0) ledger.block(leaves, unseen.at(-1)!.reason);
  else ledger.note(leaves, move === 'stops' || move === 'still' ? REASONS.notPlaced : REASONS.besideMotion);
  return true;
}
