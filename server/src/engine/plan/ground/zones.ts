import type { Entity, Nominal, PlaceRole, Surface } from '../meaning/types.ts';
import { REASONS } from '../reasons.ts';
import type { Action, Line, Region } from '../schema.ts';

/** The role of a zone in a statement: its border is crossed, an object is inside, or nothing can be checked. */
type ZoneUse =
  | { kind: 'border'; action: 'enters' | 'leaves' | 'crosses' }
  | { kind: 'place' }
  | { kind: 'blocked'; reason: string };

/** The zone that was drawn by the name of an entity. */
export function zoneOf(nominal: Nominal): { region: Region; entity: Entity } | null {
  if (nominal.kind === 'group' || nominal.head.type !== 'place') return null;
  const { zone } = nominal.head.word.sense;
  return zone ? { region: zone, entity: nominal } : null;
}

/** The line that was drawn by the name of an entity. */
export function drawnLineOf(nominal: Nominal): Line | null {
  if (nominal.kind === 'group' || nominal.head.type !== 'line') return null;
  const { line } = nominal.head.word.sense;
  return typeof line === 'object' && line?.zone ? line : null;
}

/** Actions of motion through the border that a preposition names: "walks into zone door". */
const MOTIONS: Partial<Record<PlaceRole, 'enters' | 'leaves' | 'crosses'>> = {
  // "Comes out of zone door" is one verb.
  bare: 'leaves',
  into: 'enters',
  to: 'enters',
  out: 'leaves',
  from: 'leaves',
  across: 'crosses',
};
/** Places of the zone beside a verb that crosses its border; `bare`: its object. */
const AT_BORDER: Partial<Record<Action, readonly PlaceRole[]>> = {
  enters: ['bare', 'into', 'at', 'to'],
  leaves: ['bare', 'out', 'from', 'at'],
  crosses: ['bare', 'across', 'into', 'out'],
};
/** Verbs of motion that leave it open if a border is crossed, and which way. */
const WEAK: ReadonlySet<Action> = new Set(['moves', 'appears', 'passes']);

/** Reads a zone beside an action. `isTaken`: another zone belongs to the same object. */
export function useZone(
  action: Action,
  role: PlaceRole,
  { surface, isTaken, isOutside }: { surface: Surface; isTaken: boolean; isOutside: boolean },
): ZoneUse {
  if (isTaken) return { kind: 'blocked', reason: REASONS.twoZones };
  if (isOutside) return { kind: 'blocked', reason: REASONS.outsideZone };
  const motion = WEAK.has(action) ? MOTIONS[role] : undefined;
  if (motion) return { kind: 'border', action: motion };
  if (AT_BORDER[action]?.includes(role) && (role !== 'at' || surface !== 'on'))
    return { kind: 'border', action: action as 'enters' | 'leaves' | 'crosses' };
  return role === 'at' ? { kind: 'place' } : { kind: 'blocked', reason: REASONS.besideZone };
}

/** Verbs with which a line is crossed, and which way. */
const CROSSING: Partial<Record<Action, Line['way'] | null>> = {
  crosses: null,
  passes: null,
  moves: null,
  enters: 'in',
  leaves: 'out',
};

/** The line as an action crosses it, and the way that the action says; null where it does not. */
export function crossLine(action: Action, line: Line): Line | null {
  const way = CROSSING[action];
  return way === undefined ? null : { ...(way ? { way } : {}), ...line };
}
