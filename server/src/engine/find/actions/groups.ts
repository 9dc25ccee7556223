import type { ObjectTarget, Target } from '../../plan/index.ts';
import { measureOccupancy } from '../counting/occupancy.ts';
import { LIMITS } from '../thresholds.ts';
import { clipMatch } from '../time/clip-match.ts';
import { mergeGaps, runs, type Span } from '../time/intervals.ts';
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
  const { start, end, presences } = mergeMatches([match, inverse]);
  return { ...match, start, end, presences, tracks: match.tracks.map((use) => ({ ...use, role: 'subject' })) };
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
  const frames = actions.map(({ candidate, from, to }) => {
    const { frame } = candidate.view.track;
    return { from: frame[from]!, to: frame[to]! };
  });
  const counts = countInFrames(actions, frames, objects.timeS);
  const spans = mergeGaps(
    runs(counts.length, (f) => counts[f]! >= min && (max === null || counts[f]! <= max)),
    objects.timeS,
    LIMITS.relationGap.limit,
  );
  return spans
    .filter((s) => objects.timeS[s.to]! - objects.timeS[s.from]! >= LIMITS.relationMin.limit)
    .flatMap((span): IntervalMatch[] => {
      const [start, end] = [detectorFrameTime(scene, span.from), detectorFrameTime(scene, span.to)];
      const inside = matches.filter((_, i) => frames[i]!.from <= span.to && frames[i]!.to >= span.from);
      const untilS = objects.timeS[span.to + 1] ?? Number.POSITIVE_INFINITY;
      const counted = { sinceS: start.timeS, untilS };
      const group = clipMatch({ ...mergeMatches(inside), start, end }, start, end, scene, counted);
      const peak = group && measureOccupancy(group.presences).peak;
      if (!peak) return [];
      const confidences = inside.map((match) => match.confidence).toSorted((a, b) => b - a);
      return [
        {
          ...group,
          best: peak.start,
          // At least `min` have to be right, so the least confident of the best `min` counts.
          confidence: confidences[Math.min(min, confidences.length) - 1] ?? 0,
          reasons: firstReasons(inside),
        },
      ];
    });
}

/** Number of objects that perform an action in each frame. One that relates to two others at once counts once. */
function countInFrames(actions: readonly TrackMatch[], frames: readonly Span[], timeS: Float64Array): Int32Array {
  const delta = new Int32Array(timeS.length + 1);
  const byTrack = Map.groupBy(frames, (_, i) => actions[i]!.candidate.view.track.id);
  for (const own of byTrack.values()) {
    for (const { from, to } of mergeGaps(
      own.toSorted((a, b) => a.from - b.from),
      timeS,
      0,
    )) {
      delta[from]!++;
      delta[to + 1]!--;
    }
  }
  const counts = new Int32Array(timeS.length);
  for (let f = 0, sum = 0; f < counts.length; f++) {
    sum += delta[f]!;
    counts[f] = sum;
  }
  return counts;
}

const firstReasons = (matches: readonly IntervalMatch[]) =>
  matches
    .toSorted(compareMatches)
    .slice(0, 3)
    .flatMap((match) => match.reasons.slice(0, 1));

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
        reasons: firstReasons(inside),
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
    const group = mergeMatches(inside);
    const { peak } = measureOccupancy(group.presences);
    if (!peak || peak.count < LIMITS.crowd.limit) return inside;
    return { ...group, best: peak.start, reasons: firstReasons(inside) };
  });
}

/**
 * Merges matches into one, from the first start to the last end, with the details of the most confident one. Each of
 * its objects keeps the time in which it takes part. The order of the matches does not matter.
 */
export function mergeMatches(matches: readonly IntervalMatch[]): IntervalMatch {
  const sorted = matches.toSorted(compareMatches);
  const last = sorted.reduce((a, b) => (b.end.timeS > a.end.timeS ? b : a));
  const best = sorted.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  return {
    ...best,
    start: sorted[0]!.start,
    end: last.end,
    tracks: sorted.flatMap((match) => match.tracks),
    presences: sorted.flatMap((match) => match.presences),
    what: commonTarget(sorted),
  };
}

const subjectId = ({ tracks }: IntervalMatch) => tracks[0]?.track.id ?? 0;
const compareMatches = (a: IntervalMatch, b: IntervalMatch) =>
  a.start.timeS - b.start.timeS || a.end.timeS - b.end.timeS || subjectId(a) - subjectId(b);

/** The condition of all matches. A direction that only some of them have is left open. */
function commonTarget([first, ...others]: readonly IntervalMatch[]): Target {
  const { what } = first!;
  if (what.kind !== 'object') return what;
  const isCommon = (name: 'direction' | 'from' | 'to') =>
    others.every((match) => match.what.kind === 'object' && match.what[name] === what[name]);
  return {
    ...what,
    direction: isCommon('direction') ? what.direction : null,
    from: isCommon('from') ? what.from : null,
    to: isCommon('to') ? what.to : null,
  };
}
