import { turnOf, unwrapDirections } from '../../channels/index.ts';
import type { Target } from '../../plan/index.ts';
import { round } from '../format.ts';
import { limitsOf } from '../limits/index.ts';
import { LIMITS } from '../thresholds.ts';
import { complement, mergeGaps, runs, type Span } from '../time/intervals.ts';
import { type SignalInterval, toSignalMatches } from '../time/signal-intervals.ts';
import type { IntervalMatch, Limits, Scene, StepResult } from '../types.ts';
import { channelTimes, type FoundChannel, findChannels } from './channels.ts';
import { durationOf } from './telemetry-columns.ts';
import { findSwings, isOfTrend, type Swing } from './trends.ts';

type ChannelTarget = Extract<Target, { kind: 'quantity' }> & {
  channel: NonNullable<Extract<Target, { kind: 'quantity' }>['channel']>;
};

/** Longest name of a channel in a plan. */
const MOST_LETTERS = 100;
/** Margin of what is within a limit: a recorded number is exact. Whether the channel is the right one is stated. */
const CLEAR = 3;

/**
 * Finds intervals in which a recorded number is in a range or changes. Where the words of the prompt name several
 * channels, each is searched, and stated in the reasons.
 */
export function findChannel(what: ChannelTarget, scene: Scene): StepResult {
  const found = findChannels(what.channel, scene);
  if ('unavailable' in found) return found;
  const matches: IntervalMatch[] = [];
  for (const channel of found) {
    const times = channelTimes(channel, scene);
    const intervals = what.trend ? trendIntervals(channel, what.trend) : rangeIntervals(channel, what);
    const named = { ...what, channel: { name: channel.name.slice(0, MOST_LETTERS), unit: channel.unit } };
    matches.push(...toSignalMatches(named, intervals, { ...scene, frames: times }));
  }
  const names = found.map(({ name }) => name).join(', ');
  return {
    matches: matches.toSorted((a, b) => a.start.timeS - b.start.timeS),
    by: [`recorded channel ${names}`],
    limits: notesOf(found),
    frames: channelTimes(longestOf(found), scene),
  };
}

const longestOf = ([first, ...others]: readonly FoundChannel[]): FoundChannel =>
  others.reduce((longest, each) => (each.timeS.length > longest.timeS.length ? each : longest), first!);

function notesOf(found: readonly FoundChannel[]): Limits {
  const several =
    found.length > 1
      ? [`several channels have this name, and each was searched: ${found.map(({ name }) => name).join(', ')}`]
      : [];
  const notes = [...several, ...found.flatMap((channel) => channel.notes)];
  return limitsOf([() => notes.map((text) => ({ text }))], null);
}

function rangeIntervals(channel: FoundChannel, { range: { min, max } }: ChannelTarget): SignalInterval[] {
  const { values } = channel;
  const inRange = runs(
    values.length,
    (i) => values[i]! >= (min ?? Number.NEGATIVE_INFINITY) && values[i]! <= (max ?? Number.POSITIVE_INFINITY),
  );
  const isFalling = min === null;
  return splitAtGaps(mergeGaps(inRange, channel.timeS, LIMITS.measuredGap.limit), channel)
    .filter((span) => lengthOf(channel, span) >= LIMITS.measuredMin.limit)
    .map((span) => {
      const best = extremeOf(values, span, isFalling);
      return toInterval(channel, span, best, {
        threshold: min ?? max ?? 0,
        text: `was ${textOf(channel, values[best]!)} at ${isFalling ? 'least' : 'most'}`,
      });
    });
}

function trendIntervals(channel: FoundChannel, trend: NonNullable<ChannelTarget['trend']>): SignalInterval[] {
  const { values } = channel;
  const turn = turnOf(channel);
  const swings = findSwings(turn === null ? values : unwrapDirections(values, turn));
  if (trend === 'constant') {
    return splitAtGaps(complement(swings, values.length), channel)
      .filter((span) => lengthOf(channel, span) >= LIMITS.measuredMin.limit)
      .map((span) =>
        toInterval(channel, span, span.from, {
          threshold: values[span.from]!,
          text: `stayed at about ${textOf(channel, values[span.from]!)}`,
        }),
      );
  }
  return swings
    .filter((swing) => isOfTrend(swing, trend))
    .map((swing) =>
      toInterval(channel, swing, swing.to, { threshold: values[swing.from]!, text: changeText(channel, swing) }),
    );
}

const changeText = (channel: FoundChannel, { from, to, change }: Swing) =>
  `${change > 0 ? 'rose' : 'fell'} from ${textOf(channel, channel.values[from]!)} to ${textOf(channel, channel.values[to]!)}`;

function toInterval(
  channel: FoundChannel,
  { from, to }: Span,
  best: number,
  { threshold, text }: { threshold: number; text: string },
): SignalInterval {
  const { name, unit, values } = channel;
  const reason = `${name} ${text} in ${round(lengthOf(channel, { from, to }))} s`;
  const evidence = { name, value: round(values[best]!, DIGITS), threshold: round(threshold, DIGITS), unit: unit ?? '' };
  return { from, to, best, margin: CLEAR, signals: [evidence], reason };
}
const DIGITS = 6;

/** Spans without the gaps in which nothing was recorded. */
function splitAtGaps(spans: readonly Span[], { timeS, gapS }: FoundChannel): Span[] {
  return spans.flatMap(({ from, to }) => {
    const parts: Span[] = [];
    let start = from;
    for (let i = from; i < to; i++) {
      if (timeS[i + 1]! - timeS[i]! <= gapS) continue;
      parts.push({ from: start, to: i });
      start = i + 1;
    }
    return [...parts, { from: start, to }];
  });
}

function extremeOf(values: ArrayLike<number>, { from, to }: Span, isFalling: boolean): number {
  let best = from;
  for (let i = from; i <= to; i++) if (isFalling ? values[i]! < values[best]! : values[i]! > values[best]!) best = i;
  return best;
}

const lengthOf = ({ timeS }: FoundChannel, span: Span) => durationOf({ timeS, pts: timeS }, span);

/** "11.8 V", with four significant digits. */
export const textOf = ({ unit }: Pick<FoundChannel, 'unit'>, value: number): string => {
  const number = Number(value.toPrecision(4));
  return unit ? `${number} ${unit}` : String(number);
};
