import type { PlannedCalculation, Target } from '../../plan/index.ts';
import { clipPresences } from '../counting/occupancy.ts';
import { findSignals } from '../frame/index.ts';
import { mainColor } from '../main-color.ts';
import type { IntervalMatch, Scene, TimeWindow } from '../types.ts';

/** Matches that have something in common, and the part of the video that they are from. */
export type MatchGroup = {
  /** Name of the kind or color, or null for a part of the video. */
  readonly name: string | null;
  readonly range: TimeWindow;
  readonly matches: readonly IntervalMatch[];
};

type Basis = { readonly range: TimeWindow; readonly scene: Scene; readonly isCounted: boolean };

/**
 * Divides matches into groups; every part of a match is in one of them. Periods and shots without any match are groups,
 * too. `isCounted`: what lasts over several periods belongs to that in which it starts.
 */
export function groupMatchesBy(
  { by, period }: Pick<PlannedCalculation, 'by' | 'period'>,
  matches: readonly IntervalMatch[],
  basis: Basis,
): MatchGroup[] | { unavailable: string } {
  switch (by!) {
    case 'kind':
      return byName(matches, kindsOf, basis);
    case 'color':
      return byName(matches, colorsOf, basis);
    case 'period':
      return periodsOf(basis.range, period ?? DEFAULT_PERIOD_S).map((range, i, { length }) => ({
        name: null,
        range,
        matches: basis.isCounted
          ? matches.filter((match) => isIn(range, match.start.timeS, i === length - 1))
          : matches.flatMap((match) => partOf(match, range)),
      }));
    case 'shot': {
      const shots = findSignals({ kind: 'signal', signal: 'shot' }, basis.scene);
      if ('unavailable' in shots) return shots;
      return shots.matches
        .map(({ start, end }) => ({
          from: Math.max(start.timeS, basis.range.from),
          to: Math.min(end.timeS, basis.range.to),
        }))
        .filter(({ from, to }) => to > from)
        .map((range) => ({ name: null, range, matches: matches.flatMap((match) => partOf(match, range)) }));
    }
  }
}

const DEFAULT_PERIOD_S = 60;
/** A last period that is shorter than this share belongs to the one before. */
const LEAST_PERIOD = 0.05;

/** Periods of a range, in order. */
export function periodsOf({ from, to }: TimeWindow, lengthS: number): TimeWindow[] {
  const count = Math.max(1, Math.ceil((to - from) / lengthS - LEAST_PERIOD));
  return Array.from({ length: count }, (_, i) => ({
    from: from + i * lengthS,
    to: i === count - 1 ? to : from + (i + 1) * lengthS,
  }));
}

const isIn = ({ from, to }: TimeWindow, timeS: number, isLast: boolean) =>
  timeS >= from && (timeS < to || (isLast && timeS <= to));

/** Shortest part of a match in a period or shot: tracks may last a frame longer than a shot. */
const LEAST_PART_S = 0.15;

/** The part of a match in a range, with the objects that are present in it. */
function partOf(match: IntervalMatch, { from, to }: TimeWindow): IntervalMatch[] {
  const start = match.start.timeS < from ? { ...match.start, timeS: from } : match.start;
  const end = match.end.timeS > to ? { ...match.end, timeS: to } : match.end;
  const isCut = start !== match.start || end !== match.end;
  if (end.timeS < start.timeS || (isCut && end.timeS - start.timeS < Math.min(LEAST_PART_S, (to - from) / 2)))
    return [];
  const presences = clipPresences(match.presences, start, end, { sinceS: from, untilS: to });
  if (match.presences.length > 0 && presences.length === 0) return [];
  const ids = new Set(presences.map(({ id }) => id));
  const tracks = match.tracks.filter(({ track, role }) => role !== 'subject' || ids.size === 0 || ids.has(track.id));
  return [{ ...match, start, end, presences, tracks }];
}

/** Divides matches by the names of their objects. */
function byName(
  matches: readonly IntervalMatch[],
  namesOf: (match: IntervalMatch) => ReadonlyMap<string, ReadonlySet<number> | null>,
  { range }: Basis,
): MatchGroup[] {
  const groups = new Map<string, IntervalMatch[]>();
  for (const match of matches) {
    for (const [name, ids] of namesOf(match)) {
      const own = ids === null ? [match] : ofObjects(match, ids);
      groups.set(name, [...(groups.get(name) ?? []), ...own]);
    }
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => ({ name, range, matches: own }));
}

/** A match of some of its objects alone, from the first to the last time that one of them is in it. */
function ofObjects(match: IntervalMatch, ids: ReadonlySet<number>): IntervalMatch[] {
  const presences = match.presences.filter(({ id }) => ids.has(id));
  const tracks = match.tracks.filter(({ track, role }) => role !== 'subject' || ids.has(track.id));
  if (presences.length === match.presences.length) return [{ ...match, tracks }];
  // Where they are not there all the time, each presence is an interval.
  return presences.map((presence) => ({
    ...match,
    tracks: tracks.filter(({ track, role }) => role !== 'subject' || track.id === presence.id),
    presences: [presence],
    start: presence.start,
    end: presence.end,
  }));
}

/** Objects of a match by a name of each. */
function namedObjects(
  { tracks }: IntervalMatch,
  nameOf: (track: IntervalMatch['tracks'][number]['track']) => string,
): Map<string, Set<number>> {
  const named = new Map<string, Set<number>>();
  for (const { track, role } of tracks) {
    if (role !== 'subject') continue;
    const name = nameOf(track);
    named.set(name, (named.get(name) ?? new Set()).add(track.id));
  }
  return named;
}

const kindsOf = (match: IntervalMatch): ReadonlyMap<string, ReadonlySet<number> | null> =>
  match.what.kind === 'object'
    ? namedObjects(match, ({ className }) => className)
    : new Map([[kindOf(match.what), null]]);

/** Name of what is found, other than an object. */
function kindOf(what: Target): string {
  switch (what.kind) {
    case 'sound':
      return what.sound;
    case 'signal':
      return what.signal;
    case 'camera':
      return what.move;
    case 'traffic_light':
      return what.color ?? what.event;
    default:
      return what.kind;
  }
}

/** Objects whose color is not clear. */
const NO_COLOR = 'no clear color';

const colorsOf = (match: IntervalMatch): ReadonlyMap<string, ReadonlySet<number> | null> =>
  namedObjects(match, ({ colors }) => mainColor(colors) ?? NO_COLOR);
