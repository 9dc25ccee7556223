import type { Objects } from '../observe/observations.ts';
import type { PlannedSearch } from '../plan/index.ts';
import { mergeMatches } from './actions/index.ts';
import type { Span } from './time/intervals.ts';
import type { IntervalMatch, Scene, TrackEvidence } from './types.ts';

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
  if (pick === 'most') return pickBusiestOfAll(matches, scene);
  const rank = RANKS[pick];
  const place = PLACES[pick] ?? 0;
  return matches.toSorted((a, b) => rank(a) - rank(b) || a.start.timeS - b.start.timeS).slice(place, place + 1);
}

/** The busiest of the dense ranges and the rest of the video: tracks continue in neither. */
function pickBusiestOfAll(matches: readonly IntervalMatch[], scene: Scene): IntervalMatch[] {
  const subjectOf = ({ tracks }: IntervalMatch) => tracks.find(({ role }) => role === 'subject');
  const byOwner = Map.groupBy(matches, (match) => {
    const subject = subjectOf(match);
    return subject ? scene.observationsOf(subject.track) : scene.observations;
  });
  const busiest = [...byOwner].map(([{ objects }, own]) => pickBusiest(own, objects));
  return busiest.toSorted(([a], [b]) => b!.count - a!.count || a!.start.timeS - b!.start.timeS)[0] ?? [];
}

/**
 * The earliest interval with most objects at the same time. Matches without objects cannot be counted and all remain.
 */
function pickBusiest(matches: readonly IntervalMatch[], objects: Objects | null): IntervalMatch[] {
  const subjects = matches.flatMap((match) =>
    match.tracks.filter(({ role }) => role === 'subject').map((track) => ({ match, track, span: framesOf(track) })),
  );
  if (!objects || subjects.length === 0) return [...matches];
  const delta = new Int32Array(objects.timeS.length + 1);
  for (const { span } of subjects) {
    delta[span.from]!++;
    delta[span.to + 1]!--;
  }
  const counts = delta.slice(0, -1);
  for (let f = 1; f < counts.length; f++) counts[f]! += counts[f - 1]!;
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const from = counts.indexOf(most);
  let to = from;
  while (counts[to + 1] === most) to++;
  const present = subjects.filter(({ span }) => span.from <= from && span.to >= from);
  const frameTime = (f: number) => ({ timeS: objects.timeS[f]!, pts: objects.pts[f]! });
  return [
    {
      ...mergeMatches([...new Set(present.map(({ match }) => match))]),
      start: frameTime(from),
      end: frameTime(to),
      best: frameTime((from + to) >> 1),
      tracks: present.map(({ track }) => track),
      count: most,
      reasons: [`${most} at the same time, more than at any other time`],
    },
  ];
}

const framesOf = ({ track, from, to }: TrackEvidence): Span => ({ from: track.frame[from]!, to: track.frame[to]! });
