import type { Objects, Track } from '../objects/observation.ts';

/** A view of a person to examine: an entry of a track. */
export type PoseSample = { track: Track; entry: number };

type Size = { width: number; height: number };

/** Height of a person in pixels of the video from which joints are found. */
export const MIN_HEIGHT = 40;
/** Views of a video at most for each frame of `objects`: six a second, for three people about the usual number each. */
const BUDGET_PER_FRAME = 1.2;
/** Views that a short video has at least, and a long one at most: as many as half an hour with two people. */
const MIN_BUDGET = 120;
const MAX_BUDGET = 7200;
/** Part of the budget that is spread evenly over all people, and their interval in seconds if that is enough. */
const EVEN_SHARE = 0.7;
const EVEN_INTERVAL_S = 0.5;
/** Longest interval in seconds: of people beyond the budget, the largest ones are examined. */
const MAX_INTERVAL_S = 2;
/** Length in seconds of a part of a track in which every detection is examined because something changes. */
const BURST_S = 2;
/** Change of a box in a second, in its sizes, that is more than jitter. */
const MIN_CHANGE = 0.15;

/**
 * Selects views of people to examine, about two a second for each, and all views of the parts in which boxes change
 * most: somebody who falls, waves or runs changes faster. The budget depends on the length of the video; where it does
 * not suffice, people are examined less often, and then the largest ones only. Views where nothing was detected, or of
 * people who are too small, are never selected. Returns them by track, ascending in time.
 */
export function selectSamples(objects: Objects, video: Size): PoseSample[] {
  const budget = Math.min(MAX_BUDGET, Math.max(MIN_BUDGET, Math.floor(BUDGET_PER_FRAME * objects.timeS.length)));
  const people = objects.tracks.flatMap((track): Person[] => {
    if (track.className !== 'person') return [];
    const entries = [...track.frame.keys()].filter(
      (entry) => track.score[entry]! > 0 && track.height[entry]! * video.height >= MIN_HEIGHT,
    );
    return entries.length > 0 ? [{ track, entries, size: sizeOf(track, entries) }] : [];
  });
  const even = spreadEvenly(people, objects, EVEN_SHARE * budget);
  const selected = new Set(even.map(keyOf));
  for (const burst of findBursts(people, objects)) {
    const added = burst.samples.filter((sample) => !selected.has(keyOf(sample)));
    if (selected.size + added.length > budget) continue;
    for (const sample of added) selected.add(keyOf(sample));
  }
  return people.flatMap(({ track, entries }) =>
    entries.map((entry): PoseSample => ({ track, entry })).filter((sample) => selected.has(keyOf(sample))),
  );
}

type Person = { track: Track; entries: number[]; size: number };

const keyOf = ({ track, entry }: PoseSample) => `${track.id} ${entry}`;

const sizeOf = ({ width, height }: Track, entries: readonly number[]) =>
  entries.reduce((most, entry) => Math.max(most, width[entry]! * height[entry]!), 0);

/** Views of all people at the shortest interval that fits, or those of the largest people at the longest one. */
function spreadEvenly(people: readonly Person[], objects: Objects, budget: number): PoseSample[] {
  const at = (intervalS: number) => people.map((person) => atInterval(person, objects, intervalS));
  for (let intervalS = EVEN_INTERVAL_S; intervalS < MAX_INTERVAL_S; intervalS += EVEN_INTERVAL_S / 2) {
    const samples = at(intervalS).flat();
    if (samples.length <= budget) return samples;
  }
  let left = budget;
  const largestFirst = people.toSorted((a, b) => b.size - a.size || a.track.id - b.track.id);
  return largestFirst.flatMap((person) => {
    const samples = atInterval(person, objects, MAX_INTERVAL_S);
    if (samples.length > left) return [];
    left -= samples.length;
    return samples;
  });
}

function atInterval({ track, entries }: Person, { timeS }: Objects, intervalS: number): PoseSample[] {
  let lastS = Number.NEGATIVE_INFINITY;
  return entries.flatMap((entry) => {
    const atS = timeS[track.frame[entry]!]!;
    if (atS < lastS + intervalS - 1e-6) return [];
    lastS = atS;
    return [{ track, entry }];
  });
}

type Burst = { samples: PoseSample[]; rank: number; change: number };

/** Parts of tracks in which the box changes: the most changed part of each person first, then the next one. */
function findBursts(people: readonly Person[], { timeS }: Objects): Burst[] {
  const bursts = people.flatMap(({ track, entries }) => {
    const timeOf = (entry: number) => timeS[track.frame[entry]!]!;
    const parts = Map.groupBy(entries, (entry) => Math.floor((timeOf(entry) - timeOf(entries[0]!)) / BURST_S));
    return [...parts.values()]
      .map((part) => ({ samples: part.map((entry) => ({ track, entry })), change: changeOf(track, part, timeOf) }))
      .filter(({ change }) => change >= MIN_CHANGE)
      .toSorted((a, b) => b.change - a.change)
      .map((burst, rank): Burst => ({ ...burst, rank }));
  });
  return bursts.toSorted((a, b) => a.rank - b.rank || b.change - a.change);
}

/** Mean change of place and shape in a second, in heights of the box. */
function changeOf(track: Track, part: readonly number[], timeOf: (entry: number) => number): number {
  const { x, y, width, height } = track;
  const [first, last] = [part[0]!, part.at(-1)!];
  const durationS = timeOf(last) - timeOf(first);
  if (durationS <= 0) return 0;
  let total = 0;
  for (const [k, to] of part.entries()) {
    const from = part[k - 1];
    if (from === undefined) continue;
    const moved = Math.abs(x[to]! - x[from]!) + Math.abs(y[to]! - y[from]!);
    const grown = Math.abs(width[to]! - width[from]!) + Math.abs(height[to]! - height[from]!);
    total += (moved + grown) / height[from]!;
  }
  return total / durationS;
}
