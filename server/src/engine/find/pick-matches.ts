import type { PlannedSearch } from '../plan/index.ts';
import { mergeMatches } from './actions/index.ts';
import { clipPresences, measureOccupancy } from './counting/occupancy.ts';
import { clipMatch } from './time/clip-match.ts';
import type { IntervalMatch, Scene } from './types.ts';

const lengthOf = (match: IntervalMatch) => match.end.timeS - match.start.timeS;

/** Sort keys: the match with the lowest value is picked, of equals the earliest. */
const RANKS: Record<Exclude<PlannedSearch['pick'], 'most' | null>, (match: IntervalMatch) => number> = {
  first: (match) => match.start.timeS,
  second: (match) => match.start.timeS,
  third: (match) => match.start.timeS,
  fourth: (match) => match.start.timeS,
  fifth: (match) => match.start.timeS,
  last: (match) => -match.start.timeS,
  longest: (match) => -lengthOf(match),
  shortest: lengthOf,
};

/** Place of the match that is picked, if it is not the first in order. */
export const PLACES: Partial<Record<NonNullable<PlannedSearch['pick']>, number>> = {
  second: 1,
  third: 2,
  fourth: 3,
  fifth: 4,
};

/** Picks the first, nth, last, longest or shortest match, or the time with most objects, as the search requests. */
export function pickMatches(
  pick: PlannedSearch['pick'],
  matches: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  if (pick === null) return [...matches];
  if (pick === 'most') return pickBusiest(matches, scene);
  const rank = RANKS[pick];
  const place = PLACES[pick] ?? 0;
  return matches.toSorted((a, b) => rank(a) - rank(b) || a.start.timeS - b.start.timeS).slice(place, place + 1);
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
