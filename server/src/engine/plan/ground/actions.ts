import { REASONS } from '../reasons.ts';
import type { Action, Direction, ObjectQuery, ObjectTarget, Relation, Side } from '../schema.ts';
import { PORTABLE, ROAD_VEHICLES } from './classes.ts';

/** Tables of what tracks of boxes show, by action. */

const COLLIDING: readonly string[] = [...ROAD_VEHICLES, 'bicycle'];
/** Classes that vehicles collide with. */
const HIT: readonly string[] = [...COLLIDING, 'person', 'train', 'cat', 'dog', 'horse', 'sheep', 'cow', 'bear'];
const VEHICLES: readonly string[] = [...ROAD_VEHICLES, 'train', 'boat', 'airplane'];
const WALKED: readonly string[] = ['dog', 'horse', 'bicycle', 'motorcycle'];
const IMMOBILE: readonly string[] = ['traffic light', 'fire hydrant', 'stop sign', 'parking meter', 'bench'];

/** Actions done to another object, which is then close by. */
export const TRANSITIVE: ReadonlySet<Action> = new Set([
  'approaches',
  'passes',
  'overtakes',
  'follows',
  'close_ahead',
  'collides',
]);
/** Actions that only the bodies of people show. */
const OF_PEOPLE: ReadonlySet<Action> = new Set([
  'falls',
  'lies',
  'sits_down',
  'crouches',
  'stands_up',
  'sits',
  'bends',
  'raises_hand',
  'waves',
  'points',
  'hand_at_face',
  'phones',
  'runs',
]);
/** Actions of vehicles ahead of the one with the camera. */
const AHEAD: ReadonlySet<Action> = new Set(['cuts_in', 'blocks_way']);
/** Actions that something else does to the subject. */
export const MOVED: ReadonlySet<Action> = new Set(['left_behind', 'taken_away']);
/** States that last, and can hold during a whole video. */
export const LASTING: ReadonlySet<Action> = new Set(['present', 'stands', 'moves', 'sits', 'runs']);
/** Actions that the vehicle with the camera may do: "the car stops". */
export const OF_CARRIERS: ReadonlySet<Action> = new Set(['stops', 'starts', 'stands', 'moves']);

const MOVING: ReadonlySet<Action> = new Set([
  'moves',
  'crosses',
  'enters',
  'leaves',
  'starts',
  'stops',
  'approaches',
  'passes',
]);

const all = (classes: readonly string[], query: ObjectQuery) => query.classes.every((name) => classes.includes(name));
const named = (classes: readonly string[], query: ObjectQuery) => query.classes.length > 0 && all(classes, query);

export const isVehicle = (query: ObjectQuery) => query.classes.some((name) => VEHICLES.includes(name));
export const isRoadVehicle = (query: ObjectQuery) => named(ROAD_VEHICLES, query);
/** Vehicles that overtake others. */
export const isRidden = (query: ObjectQuery) => named(COLLIDING, query);
export const isWalked = (query: ObjectQuery) => named(WALKED, query);
export const isPortable = (query: ObjectQuery) => named(PORTABLE, query);
export const isImmobile = (query: ObjectQuery) => named(IMMOBILE, query);

/** The reason why an object cannot be observed to do something; null where it can. */
export function incapable({ action, subject, relation }: ObjectTarget): string | null {
  if (isImmobile(subject) && MOVING.has(action)) return REASONS.interaction;
  if (OF_PEOPLE.has(action) && subject.classes.join() !== 'person') return REASONS.people;
  const mayCollide = named(COLLIDING, subject) && (!relation || all(HIT, relation.other));
  if (action === 'collides' && !mayCollide) return REASONS.onRoads;
  if (AHEAD.has(action) && !named(COLLIDING, subject)) return REASONS.ahead;
  return null;
}

/** Classes that a verb without a subject is of; null where it says too little. */
export function impliedClasses(action: Action, by: 'person' | 'camera' | undefined): readonly string[] | null {
  if (by === 'camera') return null;
  if (by === 'person') return ['person'];
  return IMPLIED[action] ?? null;
}

const IMPLIED: Partial<Record<Action, readonly string[]>> = {
  appears: [],
  disappears: [],
  enters: [],
  leaves: [],
  crosses: [],
  approaches: [],
  starts: [],
  loiters: ['person'],
  falls: ['person'],
  lies: ['person'],
  sits_down: ['person'],
  crouches: ['person'],
  stands_up: ['person'],
  sits: ['person'],
  bends: ['person'],
  raises_hand: ['person'],
  waves: ['person'],
  points: ['person'],
  hand_at_face: ['person'],
  phones: ['person'],
  runs: ['person'],
  close_ahead: ROAD_VEHICLES,
  left_behind: PORTABLE,
  taken_away: PORTABLE,
  goes_against: COLLIDING,
  cuts_in: ROAD_VEHICLES,
  blocks_way: ROAD_VEHICLES,
  collides: COLLIDING,
};

/** A path as the prompt states it. */
export type Path = { direction: Direction | null; from: Side | null; to: Side | null };

const ACROSS = { left: 'right', right: 'left', top: 'down', bottom: 'up' } as const satisfies Record<Side, Direction>;
const ENTRY_EDGE = { left: 'right', right: 'left', up: 'bottom', down: 'top' } as const;
const EXIT_EDGE = { left: 'left', right: 'right', up: 'top', down: 'bottom' } as const;

export const directionOf = (side: Side): Direction => (side === 'top' ? 'up' : side === 'bottom' ? 'down' : side);

/**
 * The fields of a target for a path, by the action; null where the action has no such path. "From left to right" is a
 * direction, "enters from the left" an edge.
 */
export function pathOf(
  action: Action,
  { direction, from, to }: Path,
): Pick<ObjectTarget, 'direction' | 'from' | 'to'> | null {
  const none = { direction: null, from: null, to: null };
  // One of them would change nothing.
  if ([direction, from, to].filter((each) => each !== null).length > 1) return null;
  const sideways = direction === 'towards' || direction === 'away' ? null : direction;
  switch (action) {
    case 'moves':
    case 'runs':
    case 'crosses':
      return { ...none, direction: direction ?? (from ? ACROSS[from] : to ? directionOf(to) : null) };
    case 'approaches':
      return from || to || (direction && direction !== 'towards') ? null : none;
    case 'enters':
      return to || (direction && !sideways) ? null : { ...none, from: from ?? (sideways && ENTRY_EDGE[sideways]) };
    case 'overtakes':
      return to || direction ? null : { ...none, from };
    case 'leaves':
    case 'disappears':
      return direction && !sideways ? null : { ...none, to: to ?? from ?? (sideways && EXIT_EDGE[sideways]) };
    default:
      return direction || from || to ? null : none;
  }
}

/** Relations that a preposition before an object says. */
export const RELATION_OF_SURFACE = { in: 'inside', on: 'on', at: 'near' } as const satisfies Record<string, Relation>;
