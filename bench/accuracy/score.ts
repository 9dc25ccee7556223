/**
 * When a finding is right.
 *
 * - A labelled happening of more than a second is found by a finding that shares at least 0.3 of their common time with it (intersection over union). A
 *   moment (shorter, or with one edge labelled) is found by a finding whose edges are within a second of the labelled ones. Each is found once: pairs are
 *   made greedily, the best first; a second finding of the same happening is a false one.
 * - Where only times are labelled, a finding is right when at least half of it lies in them (give or take the labels' tolerance), and a stretch is found when at least half of it is covered.
 * - A finding of which at least half lies where the labels leave it open counts neither way.
 *
 * Edges at the ends of the clip are not measured: nobody gets them wrong.
 */
import type { Happening, Span, Stretch } from './ask.ts';

export type Found = { startS: number; endS: number; confidence: number; label: string; category: string };

export type Score = {
  right: Found[];
  wrong: Found[];
  missed: Span[];
  expected: number;
  overlaps: number[];
  /** Distances in seconds of edges from where they were labelled. */
  edges: number[];
};

type Times = { expected: { events: readonly Span[] } | { during: readonly Stretch[] }; maybe: readonly Stretch[] };

const LEAST_OVERLAP = 0.3;
const MOMENT_S = 1;
const HALF = 0.5;
const AT_END_S = 0.3;

/** `toleranceS`: how exact the labels are. */
export function score(
  { expected, maybe }: Times,
  found: readonly Found[],
  { durationS, toleranceS }: { durationS: number; toleranceS: number },
): Score {
  const inside = (t: number) => t > AT_END_S && t < durationS - AT_END_S;
  return 'events' in expected
    ? scoreEvents(expected.events, maybe, found, inside)
    : scoreTimes(expected.during, maybe, found, { inside, toleranceS });
}

function scoreEvents(
  events: readonly Span[],
  maybe: readonly Stretch[],
  found: readonly Found[],
  inside: (t: number) => boolean,
): Score {
  const pairs = events
    .flatMap((event, e) => found.map((finding, f) => ({ e, f, fit: closeness(event, finding) })))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit || a.f - b.f);
  const eventOf = new Map<number, number>();
  const taken = new Set<number>();
  for (const { e, f } of pairs) {
    if (taken.has(e) || eventOf.has(f)) continue;
    taken.add(e);
    eventOf.set(f, e);
  }
  const matched = [...eventOf].map(([f, e]) => ({ event: events[e]!, finding: found[f]! }));
  return {
    right: matched.map(({ finding }) => finding),
    wrong: found.filter((finding, f) => !eventOf.has(f) && !isOpen(finding, maybe)),
    missed: events.filter((_, e) => !taken.has(e)),
    expected: events.length,
    overlaps: matched.flatMap(({ event, finding }) => (isMoment(event) ? [] : [overlap(event, finding)])),
    edges: matched.flatMap(({ event, finding }) => [
      ...(event[0] !== null && inside(event[0]) ? [Math.abs(finding.startS - event[0])] : []),
      ...(event[1] !== null && inside(event[1]) ? [Math.abs(finding.endS - event[1])] : []),
    ]),
  };
}

const isMoment = (span: Span): boolean => span[0] === null || span[1] === null || span[1] - span[0] <= MOMENT_S;

/** 0: not this; up to 1: exactly this. */
function closeness(event: Span, finding: Found): number {
  if (!isMoment(event)) {
    const share = overlap(event, finding);
    return share >= LEAST_OVERLAP ? share : 0;
  }
  const off = Math.max(
    event[0] === null ? 0 : Math.abs(finding.startS - event[0]),
    event[1] === null ? 0 : Math.abs(finding.endS - event[1]),
  );
  return off <= MOMENT_S ? 1 - off / (2 * MOMENT_S) : 0;
}

function overlap([from, to]: Span, { startS, endS }: Found): number {
  const both = Math.min(to!, endS) - Math.max(from!, startS);
  return Math.max(0, both) / (Math.max(to!, endS) - Math.min(from!, startS));
}

function scoreTimes(
  stretches: readonly Stretch[],
  maybe: readonly Stretch[],
  found: readonly Found[],
  { inside, toleranceS }: { inside: (t: number) => boolean; toleranceS: number },
): Score {
  const told = union(found.map(({ startS, endS }) => [startS, endS] as const));
  const so = union(stretches);
  const open = subtract(union(maybe), so);
  const wide = so.map(([from, to]): Stretch => [from - toleranceS, to + toleranceS]);
  const either = union([...wide, ...open]);
  const right = found.filter((finding) => shareOf(finding, union(wide)) > 0 && shareOf(finding, either) >= HALF);
  const hit = so.map((stretch) => length(cut(told, [stretch])) >= HALF * (stretch[1] - stretch[0]));
  const counted = subtract(told, open);
  const common = length(cut(counted, so));
  return {
    right,
    wrong: found.filter((finding) => !right.includes(finding) && shareOf(finding, open) < HALF),
    missed: so.filter((_, i) => !hit[i]),
    expected: so.length,
    overlaps: so.length > 0 ? [common / Math.max(1e-9, length(union([...counted, ...so])))] : [],
    edges: so.flatMap((stretch, i) => {
      if (!hit[i]) return [];
      const over = told.filter(([from, to]) => to > stretch[0] && from < stretch[1]);
      const labelled = (t: number) => inside(t) && !open.some(([from, to]) => t >= from - 1e-6 && t <= to + 1e-6);
      return [
        ...(labelled(stretch[0]) ? [Math.abs(over[0]![0] - stretch[0])] : []),
        ...(labelled(stretch[1]) ? [Math.abs(over.at(-1)![1] - stretch[1])] : []),
      ];
    }),
  };
}

const isOpen = (finding: Found, maybe: readonly Stretch[]) => shareOf(finding, union(maybe)) >= HALF;

/** How much of a finding lies in these stretches; of a single frame, whether it does. */
function shareOf({ startS, endS }: Found, stretches: readonly Stretch[]): number {
  const own: Stretch = endS - startS < 0.02 ? [startS - 0.01, startS + 0.01] : [startS, endS];
  return length(cut([own], stretches)) / (own[1] - own[0]);
}

const length = (stretches: readonly Stretch[]) => stretches.reduce((sum, [from, to]) => sum + to - from, 0);

export function union(stretches: readonly Stretch[]): Stretch[] {
  const merged: [number, number][] = [];
  for (const [from, to] of stretches.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Both lists in order and without overlaps. */
function cut(a: readonly Stretch[], b: readonly Stretch[]): Stretch[] {
  return a.flatMap(([from, to]) =>
    b.flatMap(([start, end]): Stretch[] => {
      const [low, high] = [Math.max(from, start), Math.min(to, end)];
      return high > low ? [[low, high]] : [];
    }),
  );
}

function subtract(from: readonly Stretch[], taken: readonly Stretch[]): Stretch[] {
  return taken.reduce<Stretch[]>(
    (left, [start, end]) =>
      left.flatMap(([low, high]): Stretch[] =>
        [[low, Math.min(high, start)] as const, [Math.max(low, end), high] as const].filter(([a, b]) => b > a),
      ),
    [...from],
  );
}

/** The times of a happening, with those of hand-labelled frames filled in. */
export function timesOf({ expected, maybe }: Happening, frames: Map<string, number[]>, fps: number): Times {
  if (!('labelled' in expected)) return { expected, maybe };
  const { column, sure, maybe: least } = expected.labelled;
  const shares = frames.get(column) ?? [];
  const runs = (from: number) =>
    union(shares.flatMap((share, i): Stretch[] => (share >= from ? [[i / fps, (i + 1) / fps]] : [])));
  return { expected: { during: runs(sure) }, maybe: runs(least) };
}
