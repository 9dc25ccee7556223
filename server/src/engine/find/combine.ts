import type { Plan, Search, Step } from '../plan/index.ts';
import { HAPPENINGS } from './actions.ts';
import { absenceConfidence, MOST, UNCHECKED_FACTOR } from './confidence.ts';
import { joined } from './groups.ts';
import type { Domain, Hit, Looked, TrackUse } from './hit.ts';
import { complement, indexAt, mergeGaps, type Span } from './intervals.ts';
import type { Scene } from './scene.ts';
import { LIMITS } from './thresholds.ts';

type Found = Exclude<Looked, { unavailable: string }>;

/** What the step says beyond what it looks for: negation, how long, how sure. */
export function applyStep(step: Step, { hits, domain, recall = 1 }: Found): Hit[] {
  const held = step.negated
    ? otherwise(step, hits, domain).map((hit) => ({ ...hit, confidence: hit.confidence * recall }))
    : hits;
  const { min, max } = step.duration ?? { min: null, max: null };
  const unsure = step.unchecked.length > 0 ? UNCHECKED_FACTOR : 1;
  return held
    .filter((hit) => {
      const length = hit.end.timeS - hit.start.timeS;
      return (min === null || length >= min - 1e-9) && (max === null || length <= max + 1e-9);
    })
    .map((hit) => ({ ...hit, confidence: hit.confidence * unsure }));
}

/** Where it was not so: the rest of what was looked at. Of happenings that take a moment, only their never happening is a finding. */
function otherwise(step: Step, hits: readonly Hit[], domain: Domain): Hit[] {
  const n = domain.timeS.length;
  if (n === 0) return [];
  const isObject = step.what.kind === 'object';
  if (step.what.kind === 'object' && HAPPENINGS.has(step.what.action) && hits.length > 0) return [];
  const spans = hits.map(
    (hit): Span => ({
      from: Math.max(0, indexAt(domain.timeS, hit.start.timeS)),
      to: Math.max(0, indexAt(domain.timeS, hit.end.timeS)),
    }),
  );
  const held = mergeGaps(
    spans.toSorted((a, b) => a.from - b.from),
    domain.timeS,
    isObject ? LIMITS.absentMin.limit : 0,
  );
  return complement(held, n)
    .filter((span) => domain.timeS[span.to]! - domain.timeS[span.from]! >= (isObject ? LIMITS.absentMin.limit : 0))
    .map((span) => {
      const moment = (i: number) => ({ timeS: domain.timeS[i]!, pts: domain.pts[i]! });
      const looked = span.to - span.from + 1;
      return {
        what: step.what,
        negated: true,
        start: moment(span.from),
        end: moment(span.to),
        best: moment((span.from + span.to) >> 1),
        confidence: isObject ? absenceConfidence(looked) : 0.9,
        tracks: [],
        signals: [],
        count: 0,
        because: [`not found in ${looked} frames looked at`],
        parts: [],
      };
    });
}

/** A part of the video, in seconds from its start. */
type Part = { from: number; to: number };

export function partOf(window: Plan['window'], scene: Scene): Part {
  const end = scene.observations.video.durationS;
  const place = (t: number) => (t < 0 ? Math.max(0, end + t) : t);
  if (!window) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return { from: place(window.from), to: window.to === null ? Number.POSITIVE_INFINITY : place(window.to) };
}

/** What was looked at in one part of the video, so that "nobody in the first minute" is about that minute. */
export function inPart(looked: Found, { from, to }: Part): Found {
  const { timeS, pts } = looked.domain;
  const first = timeS.findIndex((t) => t >= from);
  const last = timeS.findLastIndex((t) => t <= to);
  const cut = first < 0 ? [0, 0] : [first, last + 1];
  return {
    ...looked,
    hits: looked.hits.filter((hit) => hit.end.timeS >= from && hit.start.timeS <= to),
    domain: { timeS: timeS.subarray(cut[0], cut[1]), pts: pts.subarray(cut[0], cut[1]) },
  };
}

/** Edges are cut to the first and last frames of the asked part. */
export function cutTo({ from, to }: Part, hits: readonly Hit[], scene: Scene): Hit[] {
  return hits.flatMap((hit) => {
    const start = hit.start.timeS < from ? scene.momentAfter(from) : hit.start;
    const stop = hit.end.timeS > to ? scene.momentAt(to) : hit.end;
    if (stop.timeS < start.timeS) return [];
    const best = hit.best.timeS < start.timeS ? start : hit.best.timeS > stop.timeS ? stop : hit.best;
    return [{ ...hit, start, end: stop, best }];
  });
}

const lengthOf = (hit: Hit) => hit.end.timeS - hit.start.timeS;
/** How the one that is asked for compares to the others: the least comes out; of equals the earlier. */
const RANKS: Record<Exclude<Search['pick'], 'most' | null>, (hit: Hit) => number> = {
  first: (hit) => hit.start.timeS,
  last: (hit) => -hit.start.timeS,
  longest: (hit) => -lengthOf(hit),
  shortest: lengthOf,
};

/** The first, last, longest or shortest of all, or when there were most at the same time, where one was asked for. */
export function picked(pick: Search['pick'], hits: readonly Hit[], scene: Scene): Hit[] {
  if (pick === null) return [...hits];
  if (pick === 'most') return busiest(hits, scene);
  const rank = RANKS[pick];
  return hits.toSorted((a, b) => rank(a) - rank(b) || a.start.timeS - b.start.timeS).slice(0, 1);
}

/** The stretch with most things at the same time, the earliest of equals. What is no thing has no number: all of it stays. */
function busiest(hits: readonly Hit[], scene: Scene): Hit[] {
  const { objects } = scene.observations;
  const uses = hits.flatMap((hit) =>
    hit.tracks.filter(({ role }) => role === 'subject').map((use) => ({ hit, use, span: framesOf(use) })),
  );
  if (!objects || uses.length === 0) return [...hits];
  const delta = new Int32Array(objects.timeS.length + 1);
  for (const { span } of uses) {
    delta[span.from]!++;
    delta[span.to + 1]!--;
  }
  const counts = delta.slice(0, -1);
  for (let f = 1; f < counts.length; f++) counts[f]! += counts[f - 1]!;
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const from = counts.indexOf(most);
  let to = from;
  while (counts[to + 1] === most) to++;
  const there = uses.filter(({ span }) => span.from <= from && span.to >= from);
  const moment = (f: number) => ({ timeS: objects.timeS[f]!, pts: objects.pts[f]! });
  return [
    {
      ...joined([...new Set(there.map(({ hit }) => hit))]),
      start: moment(from),
      end: moment(to),
      best: moment((from + to) >> 1),
      tracks: there.map(({ use }) => use),
      count: most,
      because: [`${most} at the same time, more than at any other time`],
    },
  ];
}

const framesOf = ({ track, from, to }: TrackUse): Span => ({ from: track.frame[from]!, to: track.frame[to]! });

/** Ties the hits of a sequence's steps together, from the first step on. */
export function inSequence(steps: readonly Step[], hitsOf: readonly (readonly Hit[])[]): Hit[] {
  let found: Hit[] = hitsOf[0]!.map((hit) => hit);
  for (let i = 1; i < steps.length; i++) {
    const step = steps[i]!;
    const next = hitsOf[i]!.toSorted((a, b) => a.start.timeS - b.start.timeS);
    found = step.join === 'while' ? together(found, next, step.same) : following(found, next, step);
  }
  return found;
}

const lastPart = (hit: Hit) => hit.parts.at(-1) ?? hit;

function isSame(a: Hit, b: Hit): boolean {
  const ids = new Set(
    lastPart(a)
      .tracks.filter((t) => t.role === 'subject')
      .map((t) => t.track.id),
  );
  return b.tracks.some((t) => t.role === 'subject' && ids.has(t.track.id));
}

/** Each later hit with the latest earlier one it can follow: it starts after that one starts, and not too long after it ends. */
function following(first: readonly Hit[], next: readonly Hit[], step: Step): Hit[] {
  const apart = step.apart ?? 0;
  const within = step.within ?? (step.apart === undefined ? LIMITS.within.limit : Number.POSITIVE_INFINITY);
  const byStart = first.toSorted((a, b) => lastPart(a).start.timeS - lastPart(b).start.timeS);
  const used = new Set<Hit>();
  return next.flatMap((hit) => {
    for (let i = byStart.length - 1; i >= 0; i--) {
      const before = byStart[i]!;
      const part = lastPart(before);
      if (part.start.timeS >= hit.start.timeS - 1e-9 || used.has(before)) continue;
      const gap = hit.start.timeS - part.end.timeS;
      if (gap > within || (apart > 0 && gap < apart)) continue;
      if (step.same && !isSame(before, hit)) continue;
      used.add(before);
      return [tied(before, hit, before.start, hit.end.timeS > before.end.timeS ? hit.end : before.end)];
    }
    return [];
  });
}

/** Where both hold at once. */
function together(first: readonly Hit[], next: readonly Hit[], same: boolean): Hit[] {
  return first.flatMap((a) =>
    next.flatMap((b) => {
      const start = a.start.timeS >= b.start.timeS ? a.start : b.start;
      const end = a.end.timeS <= b.end.timeS ? a.end : b.end;
      if (end.timeS < start.timeS || (same && !isSame(a, b))) return [];
      const hit = tied(a, b, start, end);
      const best = [a.best, b.best].find((m) => m.timeS >= start.timeS && m.timeS <= end.timeS) ?? start;
      return [{ ...hit, best }];
    }),
  );
}

function tied(a: Hit, b: Hit, start: Hit['start'], end: Hit['end']): Hit {
  return {
    ...b,
    start,
    end,
    confidence: Math.min(MOST, a.confidence * b.confidence),
    tracks: [...a.tracks, ...b.tracks],
    signals: [...a.signals, ...b.signals],
    because: [...a.because.slice(0, 2), ...b.because.slice(0, 2)],
    parts: [...(a.parts.length > 0 ? a.parts : [a]), b],
  };
}
