/**
 * Rules for a right event.
 *
 * - A labeled event of more than a second is found by an event with an intersection over union of at least 0.3. A
 * moment (shorter, or with one labeled edge) is found by an event whose edges are within a second of the labeled ones.
 * Each is found once: pairs are matched greedily, best first; a second event for the same label is wrong.
 * - If only intervals are labeled, an event is right if at least half of it is inside them (within the labels'
 * tolerance), and an interval is found if at least half of it is covered.
 * - An event that is mostly in unlabeled time does not count.
 *
 * Edges at the ends of the clip are not measured.
 */
import type { Expectation, LabeledInterval, LabeledSpan } from './ask.ts';

export type ScoredEvent = { startS: number; endS: number; confidence: number; label: string; category: string };

export type Score = {
  right: ScoredEvent[];
  wrong: ScoredEvent[];
  missed: LabeledSpan[];
  expected: number;
  overlaps: number[];
  /** Distances in seconds of edges from where they were labeled. */
  edges: number[];
};

type Times = {
  expected: { events: readonly LabeledSpan[] } | { during: readonly LabeledInterval[] };
  maybe: readonly LabeledInterval[];
};

const LEAST_OVERLAP = 0.3;
const MOMENT_S = 1;
const HALF = 0.5;
const AT_END_S = 0.3;

/** `toleranceS`: how exact the labels are. */
export function score(
  { expected, maybe }: Times,
  found: readonly ScoredEvent[],
  { durationS, toleranceS }: { durationS: number; toleranceS: number },
): Score {
  const inside = (t: number) => t > AT_END_S && t < durationS - AT_END_S;
  return 'events' in expected
    ? scoreEvents(expected.events, maybe, found, inside)
    : scoreTimes(expected.during, maybe, found, { inside, toleranceS });
}

function scoreEvents(
  events: readonly LabeledSpan[],
  maybe: readonly LabeledInterval[],
  found: readonly ScoredEvent[],
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

const isMoment = (span: LabeledSpan): boolean => span[0] === null || span[1] === null || span[1] - span[0] <= MOMENT_S;

/** 0: not this; up to 1: exactly this. */
function closeness(event: LabeledSpan, finding: ScoredEvent): number {
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

function overlap([from, to]: LabeledSpan, { startS, endS }: ScoredEvent): number {
  const both = Math.min(to!, endS) - Math.max(from!, startS);
  return Math.max(0, both) / (Math.max(to!, endS) - Math.min(from!, startS));
}

function scoreTimes(
  intervals: readonly LabeledInterval[],
  maybe: readonly LabeledInterval[],
  found: readonly ScoredEvent[],
  { inside, toleranceS }: { inside: (t: number) => boolean; toleranceS: number },
): Score {
  const reported = union(found.map(({ startS, endS }) => [startS, endS] as const));
  const so = union(intervals);
  const open = subtract(union(maybe), so);
  const wide = so.map(([from, to]): LabeledInterval => [from - toleranceS, to + toleranceS]);
  const either = union([...wide, ...open]);
  const right = found.filter((finding) => shareOf(finding, union(wide)) > 0 && shareOf(finding, either) >= HALF);
  const hit = so.map((interval) => length(cut(reported, [interval])) >= HALF * (interval[1] - interval[0]));
  const counted = subtract(reported, open);
  const common = length(cut(counted, so));
  return {
    right,
    wrong: found.filter((finding) => !right.includes(finding) && shareOf(finding, open) < HALF),
    missed: so.filter((_, i) => !hit[i]),
    expected: so.length,
    overlaps: so.length > 0 ? [common / Math.max(1e-9, length(union([...counted, ...so])))] : [],
    edges: so.flatMap((interval, i) => {
      if (!hit[i]) return [];
      const over = reported.filter(([from, to]) => to > interval[0] && from < interval[1]);
      const labeled = (t: number) => inside(t) && !open.some(([from, to]) => t >= from - 1e-6 && t <= to + 1e-6);
      return [
        ...(labeled(interval[0]) ? [Math.abs(over[0]![0] - interval[0])] : []),
        ...(labeled(interval[1]) ? [Math.abs(over.at(-1)![1] - interval[1])] : []),
      ];
    }),
  };
}

const isOpen = (finding: ScoredEvent, maybe: readonly LabeledInterval[]) => shareOf(finding, union(maybe)) >= HALF;

/** Share of an event inside these intervals; 1 or 0 for a single frame. */
function shareOf({ startS, endS }: ScoredEvent, intervals: readonly LabeledInterval[]): number {
  const own: LabeledInterval = endS - startS < 0.02 ? [startS - 0.01, startS + 0.01] : [startS, endS];
  return length(cut([own], intervals)) / (own[1] - own[0]);
}

const length = (intervals: readonly LabeledInterval[]) => intervals.reduce((sum, [from, to]) => sum + to - from, 0);

export function union(intervals: readonly LabeledInterval[]): LabeledInterval[] {
  const merged: [number, number][] = [];
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Both lists in order and without overlaps. */
function cut(a: readonly LabeledInterval[], b: readonly LabeledInterval[]): LabeledInterval[] {
  return a.flatMap(([from, to]) =>
    b.flatMap(([start, end]): LabeledInterval[] => {
      const [low, high] = [Math.max(from, start), Math.min(to, end)];
      return high > low ? [[low, high]] : [];
    }),
  );
}

function subtract(from: readonly LabeledInterval[], taken: readonly LabeledInterval[]): LabeledInterval[] {
  return taken.reduce<LabeledInterval[]>(
    (left, [start, end]) =>
      left.flatMap(([low, high]): LabeledInterval[] =>
        [[low, Math.min(high, start)] as const, [Math.max(low, end), high] as const].filter(([a, b]) => b > a),
      ),
    [...from],
  );
}

/** The intervals of an expectation, including those of hand-labeled frames. */
export function timesOf({ expected, maybe }: Expectation, frames: Map<string, number[]>, fps: number): Times {
  if (!('labeled' in expected)) return { expected, maybe };
  const { column, sure, maybe: least } = expected.labeled;
  const shares = frames.get(column) ?? [];
  const runs = (from: number) =>
    union(shares.flatMap((share, i): LabeledInterval[] => (share >= from ? [[i / fps, (i + 1) / fps]] : [])));
  return { expected: { during: runs(sure) }, maybe: runs(least) };
}
