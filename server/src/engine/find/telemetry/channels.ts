import { convertUnit, matchChannels, nearestChannels } from '../../channels/index.ts';
import type { Channel, Telemetry } from '../../observe/observations.ts';
import { hasMeasure, type Measure } from '../../observe/telemetry/samples.ts';
import { indexAt, median } from '../time/intervals.ts';
import type { FrameTimes, Scene } from '../types.ts';

/** A channel as a plan names it: in words of the prompt, with the unit of its limits. */
export type ChannelName = { readonly name: string; readonly unit: string | null };

/** A channel in the unit of the question, within the video. Its samples are farther apart than `gapS` at gaps. */
export type FoundChannel = Channel & {
  gapS: number;
  /** Limits of reading it: an assumed unit. */
  notes: string[];
};

/** Most channels that one question is answered for. */
const MOST_MEANT = 4;
/** Most channels that are named where none is meant. */
const MOST_NAMED = 5;
const GAP_S = 2;
const GAP_STEPS = 2.5;

/**
 * The channels of a recording that a question names, at most four, or the reason why there are none: it has no
 * channels, none of this name, too many of it, or none in a unit that can be compared.
 */
export function findChannels({ name, unit }: ChannelName, scene: Scene): FoundChannel[] | { unavailable: string } {
  const channels = channelsOf(scene);
  const quoted = `"${name}"`;
  if (channels.length === 0) {
    return {
      unavailable: `this video has no recorded channels: ${quoted} is looked up among the numbers of a robot log, a telemetry track or a file beside the video`,
    };
  }
  const matched = matchChannels(name, channels).map((at) => channels[at]!);
  if (matched.length === 0) {
    const near = nearestChannels(name, channels, MOST_NAMED).map((at) => channels[at]!.name);
    const more = channels.length > near.length ? ` and ${channels.length - near.length} more` : '';
    return { unavailable: `${quoted} is not in this recording: it has ${near.join(', ')}${more}` };
  }
  const read = matched.map((channel) => readIn(channel, unit, scene));
  const readable = read.filter((each) => typeof each !== 'string');
  // Where the unit decides: a limit in volts is about a voltage.
  const stated = readable.filter(({ notes }) => notes.length === 0);
  const meant = stated.length > 0 ? stated : readable;
  if (meant.length === 0) return { unavailable: read.find((each) => typeof each === 'string') ?? NO_SAMPLES };
  if (meant.length > MOST_MEANT) {
    const names = meant.slice(0, MOST_NAMED).map((each) => each.name);
    return {
      unavailable: `${quoted} may be any of ${meant.length} channels of this recording: name one, such as ${names.join(', ')}`,
    };
  }
  return meant;
}

const NO_SAMPLES = 'it was not recorded during this video';

/** Measures of telemetry that are channels as well. */
const MEASURED: readonly (readonly [measure: Measure, name: string, unit: string])[] = [
  ['speedMps', 'speed', 'm/s'],
  ['accelerationMps2', 'acceleration', 'm/s²'],
  ['yawRateDps', 'yaw rate', '°/s'],
  ['headingDeg', 'heading', '°'],
  ['latitude', 'latitude', '°'],
  ['longitude', 'longitude', '°'],
  ['altitudeM', 'altitude', 'm'],
];

function channelsOf({ observations: { telemetry } }: Scene): Channel[] {
  const recorded = telemetry?.recorded?.channels ?? [];
  const names = new Set(recorded.map(({ name }) => name));
  const measured = telemetry?.telemetry;
  return [...recorded, ...(measured ? measuredChannels(measured).filter(({ name }) => !names.has(name)) : [])];
}

function measuredChannels(telemetry: Telemetry): Channel[] {
  return MEASURED.filter(([measure]) => hasMeasure(telemetry, measure)).map(([measure, name, unit]) => {
    const known = [...telemetry.timeS.keys()].filter((i) => !Number.isNaN(telemetry[measure][i]!));
    return {
      name,
      unit,
      timeS: Float64Array.from(known, (i) => telemetry.timeS[i]!),
      values: Float64Array.from(known, (i) => telemetry[measure][i]!),
    };
  });
}

/** A channel in the unit of the question; the reason where that measures something else. */
function readIn(channel: Channel, unit: string | null, { observations: { video } }: Scene): FoundChannel | string {
  const first = channel.timeS.findIndex((time) => time >= 0);
  const last = channel.timeS.findLastIndex((time) => time <= video.durationS);
  if (first < 0 || last < first) return NO_SAMPLES;
  const [timeS, values] = [channel.timeS.subarray(first, last + 1), channel.values.subarray(first, last + 1)];
  const steps = timeS.slice(1).map((time, i) => time - timeS[i]!);
  const gapS = Math.max(GAP_S, GAP_STEPS * (steps.length > 0 ? median(steps) : 0));
  const found = { ...channel, timeS, values, gapS, notes: [] };
  if (unit === null || channel.unit === unit) return found;
  if (channel.unit === null) return readWithoutUnit(found, unit);
  if (convertUnit(0, channel.unit, unit) === null)
    return `${channel.name} was recorded in ${channel.unit}, which cannot be compared with ${unit}`;
  return { ...found, unit, values: values.map((value) => convertUnit(value, channel.unit!, unit)!) };
}

/** Shares are often recorded from 0 to 1. */
function readWithoutUnit(channel: FoundChannel, unit: string): FoundChannel {
  const isShare = unit === '%' && channel.values.every((value) => value >= 0 && value <= 1);
  if (isShare) {
    return {
      ...channel,
      unit,
      values: channel.values.map((value) => value * 100),
      notes: [`${channel.name} was recorded from 0 to 1, taken as 0 to 100 %`],
    };
  }
  return { ...channel, unit, notes: [`the recording does not state the unit of ${channel.name}; ${unit} is assumed`] };
}

/** Values at given times: the last sample before, NaN in gaps. */
export function channelAt({ timeS, values, gapS }: FoundChannel, times: ArrayLike<number>): Float64Array {
  return Float64Array.from(times, (time) => {
    const i = indexAt(timeS, time);
    const at = i < 0 ? 0 : i;
    return Math.abs(timeS[at]! - time) <= gapS ? values[at]! : Number.NaN;
  });
}

/** The samples of a channel as times of the video. */
export function channelTimes({ timeS }: FoundChannel, { frames, observations }: Scene): FrameTimes {
  const { timeBase } = observations.video;
  const first = frames.pts[0] ?? 0;
  return { timeS, pts: timeS.map((time) => first + Math.round((time * timeBase[1]) / timeBase[0])) };
}
