import { LOOK_PICKS, MOST_PLACES, type PlannedSearch } from '../plan/index.ts';
import { mergeMatches } from './actions/index.ts';
import { clipPresences, joinPresences, measureOccupancy } from './counting/occupancy.ts';
import { paceOf } from './pace.ts';
import { pickAcross } from './pick-across.ts';
import { clipMatch } from './time/clip-match.ts';
import type { IntervalMatch, Scene } from './types.ts';

const lengthOf = (match: IntervalMatch) => match.end.timeS - match.start.timeS;

type Order = Exclude<PlannedSearch['pick'], 'most' | 'leftmost' | 'rightmost' | null>;

/**
 * Sort keys: the match with the lowest value is picked, of equals the earliest. Null for a match that has no place in
 * the order.
 */
const RANKS: Record<Order, (match: IntervalMatch, scene: Scene) => number | null> = {
  first: (match) => match.start.timeS,
  second: (match) => match.start.timeS,
  third: (match) => match.start.timeS,
  fourth: (match) => match.start.timeS,
  fifth: (match) => match.start.timeS,
  last: (match) => -match.start.timeS,
  longest: (match) => -lengthOf(match),
  shortest: lengthOf,
  largest: (match) => negative(sizeOf(match)),
  smallest: sizeOf,
  fastest: (match, scene) => negative(speedOf(match, scene)),
  slowest: speedOf,
};
const negative = (value: number | null) => value && -value;

/** Place of the match that is picked, if it is not the first in order. */
export const PLACES: Partial<Record<NonNullable<PlannedSearch['pick']>, number>> = {
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
};

/** "The 3 longest", "number 2 of the longest", "what follows the first". */
export function placesText(pick: string, { from, to }: Places): string {
  if (pick === 'leftmost' || pick === 'rightmost') {
    const side = pick === 'leftmost' ? 'left' : 'right';
    return from === to ? `number ${from} from the ${side}` : `numbers ${from} to ${to} from the ${side}`;
  }
  if (from === to) return `number ${from} of the ${pick}`;
  if (from > 1 && to === MOST_PLACES)
    return `what follows ${from === 2 ? `the ${pick}` : placesText(pick, { from: 1, to: from - 1 })}`;
  if (pick === 'first' || pick === 'last')
    return from === 1 ? `the ${pick} ${to}` : `numbers ${from} to ${to} of the ${pick}`;
  return from === 1 ? `the ${to} ${pick}` : `numbers ${from} to ${to} of the ${pick}`;
}

type Places = NonNullable<PlannedSearch['places']>;

/** Picks by length or look, for which each object of a crowd is one by itself. */
const OF_OBJECTS: ReadonlySet<PlannedSearch['pick']> = new Set(['longest', 'shortest', ...LOOK_PICKS]);

/**
 * Picks the places of an order that the search requests, or the time with most objects. Of an order,
 * the result is sorted.
 */
export function pickMatches(
  { pick, places }: Pick<PlannedSearch, 'pick' | 'places'>,
  matches: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  if (pick === null) return [...matches];
  if (pick === 'most') return pickBusiest(matches, scene);
  const items = OF_OBJECTS.has(pick) ? matches.flatMap((match) => objectsOf(match, scene)) : matches;
  const place = PLACES[pick] ?? 1;
  const { from, to } = places ?? { from: place, to: place };
  if (pick === 'leftmost' || pick === 'rightmost')
    return pickAcross(pick === 'leftmost' ? 'left' : 'right', { from, to }, items, scene);
  const rank = RANKS[pick];
  return items
    .flatMap((match) => {
      const value = rank(match, scene);
      return value === null ? [] : [{ match, value }];
    })
    .toSorted((a, b) => a.value - b.value || a.match.start.timeS - b.match.start.timeS)
    .slice(from - 1, to)
    .map(({ match }) => match);
}

/** Area of the largest box of its object, in shares of the frame. */
function sizeOf({ tracks }: IntervalMatch): number | null {
  const areas = tracks.flatMap(({ track, role, from, to }) =>
    role === 'subject' ? entriesOf(from, to).map((k) => track.width[k]! * track.height[k]!) : [],
  );
  return areas.length === 0 ? null : Math.max(...areas);
}

/** Mean speed of its object relative to the scene, in lengths of the object per second. */
function speedOf({ tracks }: IntervalMatch, scene: Scene): number | null {
  const speeds = tracks.flatMap((each) => (each.role === 'subject' ? (paceOf(each, scene) ?? []) : []));
  return speeds.length === 0 ? null : speeds.reduce((sum, each) => sum + each, 0) / speeds.length;
}
const entriesOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A crowd as the objects in it, each with its own time; other matches as they are. */
function objectsOf(match: IntervalMatch, scene: Scene): IntervalMatch[] {
  const { what, presences, isSampled } = match;
  const isCrowd =
    what.kind === 'object' && what.subject.count.min === 1 && !isSampled && match.stepMatches.length === 0;
  if (!isCrowd || new Set(presences.map(({ id }) => id)).size < 2) return [match];
  return joinPresences(presences).flatMap((presence) => {
    const { start, end } = presence;
    return clipMatch({ ...match, best: start, presences: [presence] }, start, end, scene) ?? [];
  });
}

/**
 * The earliest interval with most objects at the same time. Matches without objects cannot be counted and all remain.
 */
function pickBusiest(matches: readonly IntervalMatch[], scene: Scene): IntervalMatch[] {
  const { peak } = measureOccupancy(matches.flatMap(({ presences }) => presences));
  if (!peak) return [...matches];
  const { start, end } = peak;
  const present = matches.filter(
    ({ presences }) => clipPresences(presences, start, end).length > 0 || presences.length === 0,
  );
  const { clipped: _, ...merged } = mergeMatches(present);
  const busiest = clipMatch({ ...merged, start, end }, start, end, scene);
  return busiest ? [{ ...busiest, reasons: ['more than at any other time'] }] : [];
}
