import type { ObjectTarget } from '../../plan/index.ts';
import { LIMITS } from '../thresholds.ts';
import { mergeGaps, runs } from '../time/intervals.ts';
import type { IntervalMatch, Scene } from '../types.ts';
import { isInstant } from './track/track-actions.ts';
import { detectorFrameTime, toMatch } from './track-match.ts';
import type { TrackMatch } from './types.ts';

/** Converts actions of single tracks to matches, grouped if a count was requested or if there are very many. */
export function groupMatches(what: ObjectTarget, actions: readonly TrackMatch[], scene: Scene): IntervalMatch[] {
  const { min, max } = what.subject.count;
  const matches = actions.map((action) => toMatch(what, action, scene));
  if (min === 1 && max === null) return isInstant(what) ? mergeMutual(matches) : groupCrowds(mergeMutual(matches));
  if (isInstant(what)) return groupInstants(matches, min, max);
  return groupConcurrent(matches, actions, scene, min, max);
}

/** Merges symmetric matches ("two cars next to each other") into one match with both as subjects. */
function mergeMutual(matches: readonly IntervalMatch[]): IntervalMatch[] {
  const byPair = new Map<string, IntervalMatch[]>();
  for (const match of matches) {
    const [a, b] = match.tracks.map(({ track }) => track.id);
    const inverse = byPair.get(`${b} ${a}`);
    const overlapping =
      inverse?.findIndex(({ start, end }) => start.timeS <= match.end.timeS && match.start.timeS <= end.timeS) ?? -1;
    if (inverse && overlapping >= 0) inverse[overlapping] = mergePair(inverse[overlapping]!, match);
    else byPair.set(`${a} ${b}`, [...(byPair.get(`${a} ${b}`) ?? []), match]);
  }
  return [...byPair.values()].flat();
}

function mergePair(match: IntervalMatch, inverse: IntervalMatch): IntervalMatch {
  const { start, end } = mergeMatches([match, inverse]);
  return { ...match, start, end, tracks: match.tracks.map((use) => ({ ...use, role: 'subject' })) };
}

/** Spans of frames in which the requested number of objects performs the action at the same time. */
function groupConcurrent(
  matches: readonly IntervalMatch[],
  actions: readonly TrackMatch[],
  scene: Scene,
  min: number,
  max: number | null,
): IntervalMatch[] {
  const objects = scene.observations.objects!;
  const n = objects.timeS.length;
  const delta = new Int32Array(n + 1);
  const frames = actions.map(({ candidate, from, to }) => {
    const { frame } = candidate.view.track;
    return { from: frame[from]!, to: frame[to]! };
  });
  // An object that relates to two others at once counts once.
  const byTrack = Map.groupBy(frames, (_, i) => actions[i]!.candidate.view.track.id);
  for (const own of byTrack.values()) {
    for (const { from, to } of mergeGaps(
      own.toSorted((a, b) => a.from - b.from),
      objects.timeS,
      0,
    )) {
      delta[from]!++;
      delta[to + 1]!--;
    }
  }
  const counts = new Int32Array(n);
  for (let f = 0, sum = 0; f < n; f++) {
    sum += delta[f]!;
    counts[f] = sum;
  }
  const spans = mergeGaps(
    runs(n, (f) => counts[f]! >= min && (max === null || counts[f]! <= max)),
    objects.timeS,
    LIMITS.relationGap.limit,
  );
  return spans
    .filter((s) => objects.timeS[s.to]! - objects.timeS[s.from]! >= LIMITS.relationMin.limit)
    .map((span) => {
      const inside = matches.filter((_, i) => frames[i]!.from <= span.to && frames[i]!.to >= span.from);
      let peak = span.from;
      for (let f = span.from; f <= span.to; f++) if (counts[f]! > counts[peak]!) peak = f;
      const confidences = inside.map((match) => match.confidence).toSorted((a, b) => b - a);
      return {
        ...mergeMatches(inside),
        start: detectorFrameTime(scene, span.from),
        end: detectorFrameTime(scene, span.to),
        best: detectorFrameTime(scene, peak),
        // At least `min` have to be right, so the least confident of the best `min` counts.
        confidence: confidences[Math.min(min, confidences.length) - 1] ?? 0,
        count: counts[peak]!,
        reasons: [
          `${counts[peak]} at the same time at ${objects.timeS[peak]!.toFixed(2)} s`,
          ...inside.slice(0, 3).flatMap((match) => match.reasons.slice(0, 1)),
        ],
      };
    });
}

/** Groups instantaneous actions within a few seconds of each other. */
function groupInstants(matches: readonly IntervalMatch[], min: number, max: number | null): IntervalMatch[] {
  const sorted = matches.toSorted((a, b) => a.start.timeS - b.start.timeS);
  const windowS = LIMITS.instantGroupGap.limit;
  const groups: IntervalMatch[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1]!.start.timeS - sorted[i]!.start.timeS <= windowS) j++;
    const inside = sorted.slice(i, j + 1);
    if (inside.length >= min && (max === null || inside.length <= max)) {
      groups.push({
        ...mergeMatches(inside),
        confidence: inside.map((match) => match.confidence).toSorted((a, b) => b - a)[min - 1]!,
        count: inside.length,
        reasons: [
          `${inside.length} within ${windowS} s`,
          ...inside.slice(0, 3).flatMap((match) => match.reasons.slice(0, 1)),
        ],
      });
    }
    i = j + 1;
  }
  return groups;
}

/** Groups matches of one class where very many overlap in time; other matches stay single. */
function groupCrowds(matches: readonly IntervalMatch[]): IntervalMatch[] {
  const byClass = Map.groupBy(matches, (match) => match.tracks[0]!.track.className);
  return [...byClass.values()].flatMap(groupCrowdsOfClass);
}

function groupCrowdsOfClass(matches: readonly IntervalMatch[]): IntervalMatch[] {
  const sorted = matches.toSorted((a, b) => a.start.timeS - b.start.timeS);
  const groups: IntervalMatch[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const match of sorted) {
    const current = groups.at(-1);
    if (current && match.start.timeS <= end + LIMITS.trackGap.limit) current.push(match);
    else groups.push([match]);
    end = Math.max(end, match.end.timeS);
  }
  return groups.flatMap((inside) => {
    const { count } = findPeakConcurrency(inside);
    if (count < LIMITS.crowd.limit) return inside;
    const trackCount = new Set(inside.map((match) => match.tracks[0]!.track.id)).size;
    return {
      ...mergeMatches(inside),
      confidence: Math.max(...inside.map((match) => match.confidence)),
      count,
      reasons: [
        `${trackCount} in all, up to ${count} at the same time`,
        ...inside.slice(0, 3).flatMap((match) => match.reasons.slice(0, 1)),
      ],
    };
  });
}

/**
 * Largest number of subjects at the same time, when it is first reached, and the sum of all durations in seconds.
 * A subject that relates to two others at once counts once.
 */
export function findPeakConcurrency(matches: readonly IntervalMatch[]): { count: number; timeS: number; sumS: number } {
  const edges = matches
    .flatMap((match) => [
      { match, timeS: match.start.timeS, sign: 1 },
      { match, timeS: match.end.timeS, sign: -1 },
    ])
    .toSorted((a, b) => a.timeS - b.timeS || b.sign - a.sign);
  const openByTrack = new Map<number, number>();
  let now = 0;
  let peak = { count: 0, timeS: 0 };
  let sumS = 0;
  for (const [i, { match, timeS, sign }] of edges.entries()) {
    sumS += now * (timeS - (edges[i - 1]?.timeS ?? timeS));
    if (match.count > 1) now += sign * match.count;
    else {
      for (const { role, track } of match.tracks) {
        if (role !== 'subject') continue;
        const open = (openByTrack.get(track.id) ?? 0) + sign;
        openByTrack.set(track.id, open);
        if (sign > 0 ? open === 1 : open === 0) now += sign;
      }
    }
    if (now > peak.count) peak = { count: now, timeS };
  }
  return { ...peak, sumS };
}

/** Merges matches into one, from the first start to the last end, with the details of the most confident one. */
export function mergeMatches(matches: readonly IntervalMatch[]): IntervalMatch {
  const first = matches.reduce((a, b) => (b.start.timeS < a.start.timeS ? b : a));
  const last = matches.reduce((a, b) => (b.end.timeS > a.end.timeS ? b : a));
  const best = matches.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  return {
    ...best,
    start: first.start,
    end: last.end,
    tracks: matches.flatMap((match) => match.tracks),
    what: matches[0]!.what,
  };
}
