import type { ObjectWhat } from '../plan/index.ts';
import { isMoment } from './actions.ts';
import { type Deed, hitOf, momentOf } from './deeds.ts';
import type { Hit } from './hit.ts';
import { mergeGaps, runs } from './intervals.ts';
import type { Scene } from './scene.ts';
import { LIMITS } from './thresholds.ts';

/** Deeds of single things as hits; where several at the same time were asked for, or there are very many, as groups. */
export function group(what: ObjectWhat, deeds: readonly Deed[], scene: Scene): Hit[] {
  const { min, max } = what.subject.count;
  const hits = deeds.map((deed) => hitOf(what, deed, scene));
  if (min === 1 && max === null) return isMoment(what) ? mutual(hits) : crowds(mutual(hits));
  if (isMoment(what)) return clusters(hits, min, max);
  return atTheSameTime(hits, deeds, scene, min, max);
}

/** "Two cars next to each other": what is so of the one and of the other is told once, of both. */
function mutual(hits: readonly Hit[]): Hit[] {
  const byPair = new Map<string, Hit[]>();
  for (const hit of hits) {
    const [a, b] = hit.tracks.map(({ track }) => track.id);
    const inverse = byPair.get(`${b} ${a}`);
    const at =
      inverse?.findIndex(({ start, end }) => start.timeS <= hit.end.timeS && hit.start.timeS <= end.timeS) ?? -1;
    if (inverse && at >= 0) inverse[at] = ofBoth(inverse[at]!, hit);
    else byPair.set(`${a} ${b}`, [...(byPair.get(`${a} ${b}`) ?? []), hit]);
  }
  return [...byPair.values()].flat();
}

function ofBoth(hit: Hit, inverse: Hit): Hit {
  const { start, end } = joined([hit, inverse]);
  return { ...hit, start, end, tracks: hit.tracks.map((use) => ({ ...use, role: 'subject' })) };
}

/** Runs of frames in which as many as asked do it at once. */
function atTheSameTime(
  hits: readonly Hit[],
  deeds: readonly Deed[],
  scene: Scene,
  min: number,
  max: number | null,
): Hit[] {
  const objects = scene.observations.objects!;
  const n = objects.timeS.length;
  const delta = new Int32Array(n + 1);
  const frames = deeds.map((deed) => {
    const { frame } = deed.candidate.view.track;
    return { from: frame[deed.from]!, to: frame[deed.to]! };
  });
  // What does it to two others at once is one all the same.
  const byTrack = Map.groupBy(frames, (_, i) => deeds[i]!.candidate.view.track.id);
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
      const inside = hits.filter((_, i) => frames[i]!.from <= span.to && frames[i]!.to >= span.from);
      let most = span.from;
      for (let f = span.from; f <= span.to; f++) if (counts[f]! > counts[most]!) most = f;
      const sure = inside.map((hit) => hit.confidence).toSorted((a, b) => b - a);
      return {
        ...joined(inside),
        start: momentOf(scene, span.from),
        end: momentOf(scene, span.to),
        best: momentOf(scene, most),
        // At least `min` have to be right: the least sure of the `min` surest.
        confidence: sure[Math.min(min, sure.length) - 1] ?? 0,
        count: counts[most]!,
        because: [
          `${counts[most]} at the same time at ${objects.timeS[most]!.toFixed(2)} s`,
          ...inside.slice(0, 3).flatMap((hit) => hit.because.slice(0, 1)),
        ],
      };
    });
}

/** Moments within a few seconds of each other. */
function clusters(hits: readonly Hit[], min: number, max: number | null): Hit[] {
  const sorted = hits.toSorted((a, b) => a.start.timeS - b.start.timeS);
  const found: Hit[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1]!.start.timeS - sorted[i]!.start.timeS <= LIMITS.together.limit) j++;
    const inside = sorted.slice(i, j + 1);
    if (inside.length >= min && (max === null || inside.length <= max)) {
      found.push({
        ...joined(inside),
        confidence: inside.map((h) => h.confidence).toSorted((a, b) => b - a)[min - 1]!,
        count: inside.length,
        because: [
          `${inside.length} within ${LIMITS.together.limit} s`,
          ...inside.slice(0, 3).flatMap((h) => h.because.slice(0, 1)),
        ],
      });
    }
    i = j + 1;
  }
  return found;
}

/** Things are told one by one, but where very many overlap in time they become one hit. */
function crowds(hits: readonly Hit[]): Hit[] {
  const byClass = Map.groupBy(hits, (hit) => hit.tracks[0]!.track.className);
  return [...byClass.values()].flatMap(crowdsOfOne);
}

function crowdsOfOne(hits: readonly Hit[]): Hit[] {
  const sorted = hits.toSorted((a, b) => a.start.timeS - b.start.timeS);
  const groups: Hit[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const hit of sorted) {
    const current = groups.at(-1);
    if (current && hit.start.timeS <= end + LIMITS.trackGap.limit) current.push(hit);
    else groups.push([hit]);
    end = Math.max(end, hit.end.timeS);
  }
  return groups.flatMap((inside) => {
    const { count } = mostAtOnce(inside);
    if (count < LIMITS.crowd.limit) return inside;
    return {
      ...joined(inside),
      confidence: Math.max(...inside.map((h) => h.confidence)),
      count,
      because: [
        `${new Set(inside.map((h) => h.tracks[0]!.track.id)).size} in all, up to ${count} at the same time`,
        ...inside.slice(0, 3).flatMap((h) => h.because.slice(0, 1)),
      ],
    };
  });
}

/** How many do it at the same time at most, when first, and for how long all of them together: one thing that does it to two others is one. */
export function mostAtOnce(hits: readonly Hit[]): { count: number; timeS: number; sumS: number } {
  const edges = hits
    .flatMap((hit) => [
      { hit, timeS: hit.start.timeS, sign: 1 },
      { hit, timeS: hit.end.timeS, sign: -1 },
    ])
    .toSorted((a, b) => a.timeS - b.timeS || b.sign - a.sign);
  const held = new Map<number, number>();
  let now = 0;
  let most = { count: 0, timeS: 0 };
  let sumS = 0;
  for (const [i, { hit, timeS, sign }] of edges.entries()) {
    sumS += now * (timeS - (edges[i - 1]?.timeS ?? timeS));
    if (hit.count > 1) now += sign * hit.count;
    else {
      for (const { role, track } of hit.tracks) {
        if (role !== 'subject') continue;
        const times = (held.get(track.id) ?? 0) + sign;
        held.set(track.id, times);
        if (sign > 0 ? times === 1 : times === 0) now += sign;
      }
    }
    if (now > most.count) most = { count: now, timeS };
  }
  return { ...most, sumS };
}

/** Several hits as one: from the first's start to the last's end, by what is surest. */
export function joined(hits: readonly Hit[]): Hit {
  const first = hits.reduce((a, b) => (b.start.timeS < a.start.timeS ? b : a));
  const final = hits.reduce((a, b) => (b.end.timeS > a.end.timeS ? b : a));
  const best = hits.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  return { ...best, start: first.start, end: final.end, tracks: hits.flatMap((h) => h.tracks), what: hits[0]!.what };
}
