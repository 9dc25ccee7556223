import { turnOf, unwrapDirections, wrapDirection } from '../../channels/index.ts';
import { type MeasuredObject, type ObjectMeasure, type ObjectOperator, objectOperator } from '../../operators/index.ts';
import {
  type PlannedCalculation,
  type PlannedSearch,
  type Quantity,
  STATISTICS,
  type StatisticKind,
  type Step,
} from '../../plan/index.ts';
import { distinctSubjects, joinPresences, measureOccupancy } from '../counting/occupancy.ts';
import { paceOf } from '../pace.ts';
import { loudnessAt, loudnessTimes, meanLoudness, whyNoLevels } from '../sound/index.ts';
import { channelAt, findChannels, quantityAt } from '../telemetry/index.ts';
import type { IntervalMatch, Scene, SearchMatches, TimeWindow, TrackEvidence } from '../types.ts';
import { groupMatchesBy } from './group.ts';

/** A value that is calculated from the matches of one statement. */
export type CalculatedValue =
  /**
   * A number of objects or events, seconds, a share, or a time. `high`: the most that it may be if what was searched is
   * missed as often as elsewhere; the value itself where nothing is missed. `timeS`: when it is so, if that is one
   * moment; `from`: how many objects or intervals it is derived from.
   */
  | {
      readonly kind: 'number';
      readonly value: number;
      readonly high: number;
      readonly timeS?: number;
      readonly from: number;
    }
  /** A measured quantity, in SI units, at each of the times that it was requested for. */
  | {
      readonly kind: 'measured';
      readonly quantity: Quantity;
      /** The channel that it was read from. */
      readonly channel?: { readonly name: string; readonly unit: string | null };
      readonly readings: readonly { value: number; timeS: number }[];
    }
  /** Numbers of objects at moments. */
  | { readonly kind: 'counts'; readonly counts: readonly { value: number; timeS: number }[] }
  /** When each of them is, in the order of their search. `isCut`: it began before or ends after the searched part. */
  | { readonly kind: 'lengths'; readonly items: readonly { startS: number; endS: number; isCut: boolean }[] }
  /** The value of each group, in the order of a ranking, by name, or by time. `total`: of all of them together. */
  | {
      readonly kind: 'groups';
      readonly groups: readonly GroupValue[];
      /** The first group behind the requested places. */
      readonly next: GroupValue | null;
      readonly total: number;
      /** Some of what was searched may have been missed. */
      readonly isOpen: boolean;
    }
  /** Nothing was found that it could be calculated from. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

type NumberValue = Extract<CalculatedValue, { kind: 'number' }>;
/** The value of one group. `name`: of a kind or color; null for the part of the video `range`. */
export type GroupValue = { readonly name: string | null; readonly range: TimeWindow; readonly value: NumberValue };

type PlannedValue = PlannedCalculation['values'][number];

/**
 * Calculates a value from the results of its searches. `range`: the part of the video that they are about; `lengthS`:
 * its seconds, without those that the calendar leaves out.
 */
export function calculateValue(
  value: PlannedValue,
  results: readonly SearchMatches[],
  range: TimeWindow,
  scene: Scene,
  lengthS = range.to - range.from,
): CalculatedValue {
  const outcomes = results.flatMap((result) => result.outcomes);
  const missing = outcomes.find(({ status }) => status === 'not_looked_for');
  if (missing) return { kind: 'unknown', reason: missing.reasons.join('; ') };
  const matches = results.filter(({ at }) => at !== value.at).flatMap((result) => result.matches);
  const { measure } = value;
  if (measure === 'count_at')
    return countAt(
      matches,
      results.filter(({ at }) => at === value.at).flatMap((result) => result.matches),
    );
  if (isStatistic(measure)) return measureDuring({ ...value, measure }, matches, scene);
  const recall = Math.min(...results.map(recallOf));
  const isSampled = matches.some((match) => match.isSampled);
  if (isSampled && OF_EACH.has(measure))
    return { kind: 'unknown', reason: 'objects in single frames cannot be followed: use thinking mode' };
  const operator = objectOperator(measure);
  if (operator) return ofObjects(operator, matches, scene);
  const found = CALCULATIONS[measure as keyof typeof CALCULATIONS](matches, {
    recall,
    lengthS,
    countsObjects: results.every(countsObjects),
  });
  const mayBeThere = recall < SURE_RECALL || results.some(({ candidates }) => candidates.length > 0);
  // Nothing was found, and something may be there all the same.
  const isOpen = found.kind === 'number' && found.from === 0 && mayBeThere;
  return isOpen ? { ...found, high: Math.max(found.high, 1) } : found;
}

/** Calculates the value of each group of the matches of its searches. */
export function calculateGroups(
  value: PlannedValue,
  { by, period, rank }: Pick<PlannedCalculation, 'by' | 'period' | 'rank'>,
  results: readonly SearchMatches[],
  range: TimeWindow,
  scene: Scene,
): CalculatedValue {
  const whole = calculateValue(value, results, range, scene);
  if (whole.kind === 'unknown') return whole;
  const isOfObjects = results.every(countsObjects);
  const matches = results.flatMap((result) => result.matches);
  const isCounted = value.measure === 'count' && !isOfObjects;
  const groups = groupMatchesBy({ by, period }, matches, { range, scene, isCounted });
  if ('unavailable' in groups) return { kind: 'unknown', reason: groups.unavailable };
  const recall = Math.min(...results.map(recallOf));
  const calculate = CALCULATIONS[value.measure as keyof typeof CALCULATIONS];
  const values = groups.map((group): GroupValue => {
    const basis = { recall, lengthS: group.range.to - group.range.from, countsObjects: isOfObjects };
    const own = calculate(group.matches, basis);
    const none = { kind: 'number', value: 0, high: 0, from: 0 } as const;
    return { name: group.name, range: group.range, value: own.kind === 'number' ? own : none };
  });
  const isOpen = recall < SURE_RECALL || results.some(({ candidates }) => candidates.length > 0);
  const total = whole.kind === 'number' ? whole.value : 0;
  // A shorter period at the end has fewer.
  const isPart = ({ range: { from, to } }: GroupValue) => period !== undefined && to - from < period - 1e-6;
  const full = rank?.order === 'least' ? values.filter((group) => !isPart(group)) : values;
  const compared = full.length > 0 ? full : values;
  const ranked = rankGroups(compared, rank);
  const next = rank ? (rankGroups(compared, { ...rank, from: rank.to + 1, to: rank.to + 1 })[0] ?? null) : null;
  return { kind: 'groups', groups: ranked, next, total, isOpen };
}

/** The groups in the order of their values, the earlier first, in the requested places. */
export function rankGroups(groups: readonly GroupValue[], rank: PlannedCalculation['rank']): GroupValue[] {
  if (!rank) return [...groups];
  const sign = rank.order === 'most' ? -1 : 1;
  return groups
    .toSorted((a, b) => sign * (a.value.value - b.value.value) || a.range.from - b.range.from)
    .slice(rank.from - 1, rank.to);
}

/** Where the detector misses more than it finds, "not found" does not mean "not there". */
const SURE_RECALL = 0.5;

/** Measures of how long each object is there. */
const OF_EACH: ReadonlySet<PlannedValue['measure']> = new Set([
  'item_length',
  'lengths',
  'longest',
  'shortest',
  'pace',
]);

/** The number of objects at each start of the others. */
function countAt(matches: readonly IntervalMatch[], moments: readonly IntervalMatch[]): CalculatedValue {
  if (moments.length === 0) return NONE;
  const presences = joinPresences(presencesOf(matches));
  const counts = moments.map(({ start: { timeS } }) => ({
    timeS,
    value: new Set(presences.filter(({ start, end }) => start.timeS <= timeS && end.timeS >= timeS).map(({ id }) => id))
      .size,
  }));
  return { kind: 'counts', counts };
}

const recallOf = ({ outcomes }: SearchMatches) =>
  outcomes.reduce((product, each) => product * each.recall * each.detectorRecall, 1);

/** Objects are counted by their tracks, everything else by events. */
export const countsObjects = ({ search }: Pick<SearchMatches, 'search'>): boolean => {
  const step = countedStep(search);
  return step !== null && step.what.kind === 'object' && !step.negated;
};

/** The step whose matches are those of a search; null if they are those of several. */
export function countedStep({ steps }: PlannedSearch): Step | null {
  let own = steps[0]!;
  for (const step of steps.slice(1)) {
    if (!step.every) return null;
    if (step.every === 'this') own = step;
  }
  return own;
}

type Basis = { readonly recall: number; readonly lengthS: number; readonly countsObjects: boolean };
type Calculate = (matches: readonly IntervalMatch[], basis: Basis) => CalculatedValue;

const NONE: CalculatedValue = { kind: 'none' };

const CALCULATIONS: Record<Exclude<PlannedValue['measure'], ObjectMeasure | 'count_at' | StatisticKind>, Calculate> = {
  count: (matches, basis) => {
    const value = basis.countsObjects ? distinctSubjects(matches).length : matches.length;
    return { kind: 'number', value, high: mostOf(value, basis.recall), from: value };
  },
  most: (matches, { recall, countsObjects: isOfObjects }) => {
    const { peak } = measureOccupancy(isOfObjects ? presencesOf(matches) : asPresences(matches));
    if (!peak) return { kind: 'number', value: 0, high: mostOf(0, recall), from: 0 };
    return {
      kind: 'number',
      value: peak.count,
      high: mostOf(peak.count, recall),
      timeS: peak.start.timeS,
      from: peak.count,
    };
  },
  mean_count: (matches, { recall, lengthS }) => {
    const { sumS, total } = measureOccupancy(presencesOf(matches));
    const value = sumS / Math.max(lengthS, SHORTEST_S);
    return { kind: 'number', value, high: value / Math.max(recall, LEAST_RECALL), from: total };
  },
  length: (matches, { lengthS }) => {
    const intervals = unionOf(matches);
    const value = lengthOf(intervals);
    return {
      kind: 'number',
      value,
      high: Math.min(value + intervals.length * EDGE_S, lengthS),
      from: intervals.length,
    };
  },
  item_length: (matches, basis) => ofLengths(matches, basis, (lengths) => sumOf(lengths) / lengths.length),
  lengths: (matches) =>
    matches.length === 0
      ? NONE
      : {
          kind: 'lengths',
          items: matches.map(({ start, end, clipped }) => ({
            startS: start.timeS,
            endS: end.timeS,
            isCut: clipped !== undefined && (clipped.before || clipped.after),
          })),
        },
  longest: (matches, basis) => ofLengths(matches, basis, (lengths) => Math.max(...lengths)),
  shortest: (matches, basis) => ofLengths(matches, basis, (lengths) => Math.min(...lengths)),
  share: (matches, { lengthS }) => {
    const intervals = unionOf(matches);
    const value = Math.min(1, lengthOf(intervals) / Math.max(lengthS, SHORTEST_S));
    return { kind: 'number', value, high: value, from: intervals.length };
  },
  start: (matches) => {
    if (matches.length === 0) return NONE;
    const timeS = Math.min(...matches.map(({ start }) => start.timeS));
    return { kind: 'number', value: timeS, high: timeS, timeS, from: matches.length };
  },
};

/** A value of the objects that were found. */
function ofObjects(
  { calculate, tolerance }: ObjectOperator,
  matches: readonly IntervalMatch[],
  scene: Scene,
): CalculatedValue {
  const [first, ...others] = matches.flatMap(({ tracks }) => tracks.filter(({ role }) => role === 'subject'));
  if (!first) return NONE;
  const value = calculate([measured(first, scene), ...others.map((each) => measured(each, scene))]);
  if (value === null) return NONE;
  return { kind: 'number', value, high: value * (1 + tolerance), from: 1 + others.length };
}

function measured(evidence: TrackEvidence, scene: Scene): MeasuredObject {
  const { track, from, to } = evidence;
  const boxes = Array.from({ length: to - from + 1 }, (_, i) => ({
    width: track.width[from + i]!,
    height: track.height[from + i]!,
  }));
  return { boxes, pace: () => paceOf(evidence, scene) };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** A value of how long each object is there, or of how long each event lasts. */
function ofLengths(
  matches: readonly IntervalMatch[],
  { countsObjects: isOfObjects }: Basis,
  valueFrom: (lengths: readonly number[]) => number,
): CalculatedValue {
  const lengths = isOfObjects ? lengthsOfObjects(matches) : unionOf(matches).map(lengthOfOne);
  if (lengths.length === 0) return NONE;
  const value = valueFrom(lengths);
  return { kind: 'number', value, high: value + EDGE_S, from: lengths.length };
}

const SHORTEST_S = 1e-9;
/** Recall below which a count says little. */
const LEAST_RECALL = 0.05;
/** The edges of an interval are known to within this time. */
const EDGE_S = 0.4;
/** Deviations of a count from its mean, for a limit that one in ten exceeds. */
const DEVIATIONS = 1.28;

/** The most objects that there may be, if this many were found and each is found with a probability of `recall`. */
function mostOf(found: number, recall: number): number {
  if (recall >= 1) return found;
  const share = Math.max(recall, LEAST_RECALL);
  return Math.floor((found + DEVIATIONS * Math.sqrt((found + 1) * (1 - share))) / share);
}

const presencesOf = (matches: readonly IntervalMatch[]) => matches.flatMap(({ presences }) => presences);
/** Events that are counted like objects: how many of them at the same time. */
const asPresences = (matches: readonly IntervalMatch[]) =>
  matches.map(({ start, end }, id) => ({ id, start, end, sinceS: start.timeS, untilS: end.timeS }));

type Interval = { startS: number; endS: number };

/** The times of matches, without overlaps. Shots, which touch, stay apart. */
function unionOf(matches: readonly IntervalMatch[]): Interval[] {
  const intervals: Interval[] = [];
  for (const { start, end } of matches.toSorted((a, b) => a.start.timeS - b.start.timeS)) {
    const last = intervals.at(-1);
    if (last && start.timeS < last.endS) last.endS = Math.max(last.endS, end.timeS);
    else intervals.push({ startS: start.timeS, endS: end.timeS });
  }
  return intervals;
}

const lengthOfOne = ({ startS, endS }: Interval) => endS - startS;
const lengthOf = (intervals: readonly Interval[]) => intervals.reduce((sum, each) => sum + lengthOfOne(each), 0);

/** Time in which each object takes part, in seconds. */
const lengthsOfObjects = (matches: readonly IntervalMatch[]): number[] =>
  [...Map.groupBy(joinPresences(presencesOf(matches)), ({ id }) => id).values()].map((own) =>
    own.reduce((sum, { start, end }) => sum + end.timeS - start.timeS, 0),
  );

/** A measured quantity during matches, or at the start of each. */
function measureDuring(
  planned: PlannedValue & { measure: StatisticKind },
  matches: readonly IntervalMatch[],
  scene: Scene,
): CalculatedValue {
  const { measure, quantity, offset = 0 } = planned;
  if (quantity === undefined) return { kind: 'unknown', reason: 'no quantity is named' };
  const measured = readQuantity(planned, scene);
  if ('unavailable' in measured) return { kind: 'unknown', reason: measured.unavailable };
  if (matches.length === 0) return NONE;
  const { timeS, readAt, channel, isWindowed = false } = measured;
  const times =
    measure === 'at_start'
      ? matches
          .map(({ start }) => start.timeS + offset)
          .filter((time) => time >= 0 && time <= scene.observations.video.durationS)
      : unionOf(matches).flatMap(({ startS, endS }) => [
          ...(isWindowed ? [] : [startS]),
          ...timeS.filter((time) => time > startS && time < endS),
          ...(isWindowed ? [] : [endS]),
        ]);
  const values = readAt(times);
  const samples = times
    .map((time, i) => ({ value: values[i]!, timeS: time }))
    .filter(({ value }) => !Number.isNaN(value));
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return NONE;
  const measuredValue = (readings: readonly Sample[]): CalculatedValue => ({
    kind: 'measured',
    quantity,
    ...(channel && { channel }),
    readings,
  });
  switch (measure) {
    case 'at_start':
      return measuredValue(samples);
    case 'distance': {
      const { area } = sumOverTime(samples);
      return { kind: 'number', value: area, high: area * (1 + DISTANCE_ERROR), from: matches.length };
    }
    case 'mean':
      return measuredValue([
        {
          value: quantity === 'loudness' ? meanLoudness(samples.map(({ value }) => value)) : meanOf(samples, channel),
          timeS: first.timeS,
        },
      ]);
    case 'change':
      return measuredValue([first, withoutJumps(samples, channel).at(-1)!]);
    case 'highest':
    case 'lowest': {
      const sign = measure === 'highest' ? 1 : -1;
      return measuredValue([samples.reduce((most, each) => (sign * each.value > sign * most.value ? each : most))]);
    }
  }
}

type MeasuredQuantity = {
  /** Times of its samples. */
  readonly timeS: readonly number[];
  readonly readAt: (timeS: readonly number[]) => Float64Array;
  readonly channel?: { readonly name: string; readonly unit: string | null };
  /** True if each sample is of a window, so that the one at an edge is also of the time outside. */
  readonly isWindowed?: boolean;
};

/** The samples of a quantity of the vehicle, of the loudness, or of the channel that a question names. */
function readQuantity({ quantity, channel }: PlannedValue, scene: Scene): MeasuredQuantity | { unavailable: string } {
  if (channel) {
    const found = findChannels(channel, scene);
    if ('unavailable' in found) return found;
    const [only, ...others] = found;
    if (others.length > 0)
      return {
        unavailable: `"${channel.name}" may be ${found.map(({ name }) => name).join(' or ')}: name one of them`,
      };
    return { timeS: [...only!.timeS], readAt: (times) => channelAt(only!, times), channel: only! };
  }
  const { telemetry, sound, video } = scene.observations;
  if (quantity === 'loudness')
    return sound
      ? { timeS: loudnessTimes(sound), readAt: (times) => loudnessAt(sound, times), isWindowed: true }
      : { unavailable: whyNoLevels(video) };
  const measured = telemetry?.telemetry;
  const cause = telemetry?.reason ?? 'the telemetry of this video does not contain it';
  const unavailable = `${cause}, and ${quantity!.replaceAll('_', ' ')} cannot be measured in the frames`;
  if (!measured || quantity === undefined || quantity === 'channel') return { unavailable };
  const readAt = (times: readonly number[]) => {
    const timeS = Float64Array.from(times);
    return quantityAt(quantity, measured, { timeS, pts: timeS });
  };
  if (readAt([]) === null) return { unavailable };
  return { timeS: [...measured.timeS], readAt: (times) => readAt(times)! };
}

type Sample = { readonly value: number; readonly timeS: number };

/** Samples of a direction without its jumps after a full turn; others as they are. */
function withoutJumps(samples: readonly Sample[], channel: MeasuredQuantity['channel']): readonly Sample[] {
  const turn = channel ? turnOf(channel) : null;
  if (turn === null) return samples;
  const values = unwrapDirections(
    samples.map(({ value }) => value),
    turn,
  );
  return samples.map(({ timeS }, i) => ({ value: values[i]!, timeS }));
}

function meanOf(samples: readonly Sample[], channel: MeasuredQuantity['channel']): number {
  const mean = meanOverTime(withoutJumps(samples, channel));
  const turn = channel ? turnOf(channel) : null;
  return turn === null
    ? mean
    : wrapDirection(
        mean,
        turn,
        samples.map(({ value }) => value),
      );
}

/** The mean over time: samples that are close together count less. Gaps between intervals are few and short. */
function meanOverTime(samples: readonly Sample[]): number {
  const { area, lengthS } = sumOverTime(samples);
  return lengthS > 0 ? area / lengthS : samples[0]!.value;
}

/** The values times their time. */
function sumOverTime(samples: readonly Sample[]): { area: number; lengthS: number } {
  let [area, lengthS] = [0, 0];
  for (const [i, { value, timeS }] of samples.entries()) {
    const next = samples[i + 1];
    if (!next) continue;
    area += ((value + next.value) / 2) * (next.timeS - timeS);
    lengthS += next.timeS - timeS;
  }
  return { area, lengthS };
}

/** Share by which a distance may be longer than its speeds say. */
const DISTANCE_ERROR = 0.05;
const isStatistic = (measure: PlannedValue['measure']): measure is StatisticKind =>
  (STATISTICS as readonly string[]).includes(measure);
