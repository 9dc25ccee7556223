import {
  ANYTHING,
  actionOf,
  type Clause,
  hasPart,
  partOf,
  pathOf,
  ROAD_VEHICLES,
  relationOf,
  sideDirection,
} from '../clause/index.ts';
import { REASONS } from '../reasons.ts';
import type { Action, ObjectQuery, ObjectTarget, Unchecked } from '../schema.ts';
import { COLLIDING, OF_PEOPLE } from './implied-subject.ts';

/** "From left to right": a path through the frame, not an edge. */
const ACROSS = { left: 'right', right: 'left', top: 'down', bottom: 'up' } as const;
const ENTRY_EDGE = { left: 'right', right: 'left', up: 'bottom', down: 'top' } as const;
const EXIT_EDGE = { left: 'left', right: 'right', up: 'top', down: 'bottom' } as const;
/** Actions that take a direction. */
const DIRECTED: ReadonlySet<Action> = new Set(['moves', 'crosses']);
/** Actions that have a border. */
const BOUNDED: ReadonlySet<Action> = new Set(['enters', 'leaves', 'crosses']);
/** Classes that vehicles collide with. */
const HIT = [...COLLIDING, 'person', 'train', 'cat', 'dog', 'horse', 'sheep', 'cow', 'bear'];
const isOf = (classes: readonly string[], query: ObjectQuery) =>
  query.classes.every((name) => classes.includes(name)) && (query.classes.length > 0 || classes === HIT);
/** Actions of vehicles ahead of the one with the camera. */
const AHEAD: ReadonlySet<Action> = new Set(['cuts_in', 'blocks_way']);
const MAX_COLORS = 20;
const isDrawnZone = (place: ObjectQuery['place']) => place !== null && 'points' in place && place.zone === true;

/**
 * Builds the target for an object and its action. Remarks of the clause are preserved; a direction that the action
 * does not use is reported.
 */
export function buildObject(
  clause: Clause,
  subject: ObjectQuery,
): { what: ObjectTarget; unchecked: readonly Unchecked[] } {
  const action = resolveAction(clause);
  const { direction, from, to } = pathOf(clause);
  const isEntering = action === 'enters' || action === 'overtakes';
  const isLeaving = action === 'leaves' || action === 'disappears';
  const isDirected = DIRECTED.has(action);
  const sideways = direction === 'towards' || direction === 'away' ? null : direction;
  const parsed = relationOf(clause);
  const relation = parsed && { kind: parsed.relation, other: parsed.other, negated: parsed.negated };
  // "A car is following": another one.
  const isVehicle = subject.classes.every((name) => ROAD_VEHICLES.includes(name));
  const others = { ...ANYTHING, classes: isVehicle ? subject.classes : [] };
  const another = { kind: 'near', other: others, negated: false } as const;
  const other = relation ?? (action === 'follows' ? another : null);
  const line = partOf(clause, 'line')?.line;
  // "In zone door a person leaves": the zone, not the frame while in it.
  const left = line === undefined && from === null && to === null && isDrawnZone(subject.place) ? subject.place : null;
  const region = partOf(clause, 'border')?.region ?? (BOUNDED.has(action) ? (left ?? undefined) : undefined);
  const what: ObjectTarget = {
    kind: 'object',
    subject: normalize(region !== undefined && region === subject.place ? { ...subject, place: null } : subject),
    action,
    idle: hasPart(clause, 'idle') && !hasPart(clause, 'negation') && action !== 'present' && action !== 'appears',
    direction: isDirected
      ? (direction ?? (from ? ACROSS[from] : to ? sideDirection(to) : null))
      : action === 'approaches' && !relation
        ? 'towards'
        : null,
    from: isEntering ? (from ?? (sideways && action === 'enters' ? ENTRY_EDGE[sideways] : null)) : null,
    to: isLeaving ? (to ?? from ?? (sideways && EXIT_EDGE[sideways])) : null,
    ...(action === 'crosses' && line ? { line } : {}),
    ...(BOUNDED.has(action) && region ? { region } : {}),
    relation: other && { ...other, other: normalize(other.other) },
  };
  if (OF_PEOPLE.has(action) && subject.classes.join() !== 'person')
    return { what, unchecked: [...clause.unchecked, { text: subject.text, reason: REASONS.people, blocks: true }] };
  if (action === 'collides' && !(isOf(COLLIDING, subject) && (!relation || isOf(HIT, relation.other))))
    return { what, unchecked: [...clause.unchecked, { text: clause.text, reason: REASONS.onRoads, blocks: true }] };
  if (AHEAD.has(action) && !isOf(COLLIDING, subject))
    return { what, unchecked: [...clause.unchecked, { text: clause.text, reason: REASONS.ahead, blocks: true }] };
  const isUsed =
    isDirected || (isEntering && (what.from || !direction)) || (isLeaving && (what.to || !direction)) || what.direction;
  // "Driving away from the bottom": a path of depth has no edge of the frame.
  const isDepth = what.direction === 'towards' || what.direction === 'away';
  const hasNoEdge = isDepth && (isDirected || action === 'approaches');
  const unused = isUsed ? (hasNoEdge ? (from ?? to) : null) : (from ?? to ?? direction);
  // "Approaching left"
  const isSideways = actionOf(clause)?.action === 'approaches' && action === 'moves';
  if (isSideways)
    return { what, unchecked: [...clause.unchecked, { text: clause.text, reason: SIDEWAYS, blocks: false }] };
  if (!unused) return { what, unchecked: clause.unchecked };
  const reason = 'a direction applies only to objects that move, enter or leave';
  return { what, unchecked: [...clause.unchecked, { text: unused, reason, blocks: false }] };
}

const SIDEWAYS = 'read as motion to this side; whether it comes closer is not checked';

/** Colors are a list of a bounded length without duplicates; of an object there is at least one. */
function normalize(query: ObjectQuery): ObjectQuery {
  const { min, max } = query.count;
  const count = { min: Math.max(1, min), max: max && Math.max(1, max) };
  return { ...query, count, colors: [...new Set(query.colors)].slice(0, MAX_COLORS) };
}

function resolveAction(clause: Clause): Action {
  const verb = actionOf(clause);
  const relation = relationOf(clause);
  const hasSubject = hasPart(clause, 'subject');
  const { direction, from, to } = pathOf(clause);
  const action = verb?.action ?? (direction || from || to ? 'moves' : 'present');
  // "Stopped" without a subject: what is parked has not stopped.
  if (action === 'stands' && !hasSubject && !relation && !verb?.by) return 'stops';
  // "A truck tailgates" follows another vehicle; "we tailgate" has one ahead.
  if (action === 'close_ahead' && hasSubject) return relation ? 'follows' : action;
  if (action === 'approaches' && !relation) return direction && direction !== 'towards' ? 'moves' : action;
  // "Passes in front of a car": moves while it is there.
  if (action === 'passes' && relation?.relation !== 'near') return 'moves';
  if (action === 'appears' && from) return 'enters';
  if (action === 'disappears' && (to || from)) return 'leaves';
  // "Appears for 5 s": is there that long; "no one arrives for 5 s" is no arrival.
  if (action === 'appears' && hasPart(clause, 'duration') && !hasPart(clause, 'negation')) return 'present';
  return action;
}

/** "Something moves": no class, color, count or direction. */
export const isAnyMotion = ({ action, idle, direction, relation, subject }: ObjectTarget): boolean =>
  action === 'moves' &&
  !idle &&
  direction === null &&
  relation === null &&
  subject.classes.length === 0 &&
  subject.colors.length === 0 &&
  subject.count.min === 1 &&
  subject.count.max === null;
