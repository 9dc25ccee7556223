import { findUnit, unitOfName } from '../../channels/index.ts';
import type { Channel, RecordedChannels } from './observation.ts';

/** Most channels of a recording, and most samples of all of them together. */
export const MAX_CHANNELS = 256;
export const MAX_CHANNEL_SAMPLES = 1_000_000;
/** Longest name and unit in characters. */
const MAX_NAME = 120;
const MAX_UNIT = 20;

/** A name from a file, which may be any text: without control characters, of limited length. */
export const toChannelName = (text: string): string =>
  text
    .replaceAll(/[\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);

/** The unit of a channel: the one that is stated, or the one that its name ends with; null if neither is. */
export function toChannelUnit(name: string, stated: string | null | undefined): string | null {
  if (typeof stated !== 'string' || stated.trim() === '') return unitOfName(name);
  return findUnit(stated) ?? toChannelName(stated).slice(0, MAX_UNIT);
}

/** Numbers by name, as they are read from a file. */
export type ChannelColumn = { name: string; unit?: string | null; timeS: ArrayLike<number>; values: ArrayLike<number> };

/**
 * Channels of the columns that have numbers: times ascending, values finite, names unique. Columns over the limit are
 * left out and counted; samples over the limit are thinned evenly. Undefined if none has numbers.
 */
export function createChannels(columns: Iterable<ChannelColumn>, leftOutBefore = 0): RecordedChannels | undefined {
  const taken = new Set<string>();
  const channels: Channel[] = [];
  let leftOut = leftOutBefore;
  for (const { name, unit, timeS, values } of columns) {
    const called = toChannelName(name);
    if (called === '' || taken.has(called)) continue;
    const samples: [timeS: number, value: number][] = [];
    for (let i = 0; i < Math.min(timeS.length, values.length); i++) {
      const [time, value] = [timeS[i]!, values[i]!];
      if (Number.isFinite(time) && Number.isFinite(value)) samples.push([time, value]);
    }
    if (samples.length === 0) continue;
    if (channels.length >= MAX_CHANNELS) {
      leftOut++;
      continue;
    }
    taken.add(called);
    samples.sort(([a], [b]) => a - b);
    const ascending = samples.filter(([time], i) => i === 0 || time > samples[i - 1]![0]);
    channels.push({
      name: called,
      unit: toChannelUnit(called, unit),
      timeS: Float64Array.from(ascending, ([time]) => time),
      values: Float64Array.from(ascending, ([, value]) => value),
    });
  }
  return channels.length > 0 ? { channels: thin(channels), leftOut } : undefined;
}

function thin(channels: Channel[]): Channel[] {
  const total = channels.reduce((sum, { timeS }) => sum + timeS.length, 0);
  const step = Math.ceil(total / MAX_CHANNEL_SAMPLES);
  if (step <= 1) return channels;
  const every = (values: Float64Array) => values.filter((_, i) => i % step === 0);
  return channels.map((channel) => ({
    ...channel,
    timeS: every(channel.timeS),
    values: every(channel.values),
  }));
}

/** Stored form: all samples one after the other, and where each channel begins. */
export function packChannels(channels: readonly Channel[]) {
  const length = channels.reduce((sum, { timeS }) => sum + timeS.length, 0);
  const [channelTimeS, channelValues] = [new Float64Array(length), new Float64Array(length)];
  let at = 0;
  const names = channels.map(({ name, unit, timeS, values }) => {
    channelTimeS.set(timeS, at);
    channelValues.set(values, at);
    at += timeS.length;
    return { name, unit, samples: timeS.length };
  });
  return { names, arrays: { channelTimeS, channelValues } };
}

export type PackedChannels = ReturnType<typeof packChannels>;

export function unpackChannels(
  names: PackedChannels['names'],
  { channelTimeS, channelValues }: PackedChannels['arrays'],
): Channel[] {
  let at = 0;
  return names.map(({ name, unit, samples }) => {
    const from = at;
    at += samples;
    return { name, unit, timeS: channelTimeS.subarray(from, at), values: channelValues.subarray(from, at) };
  });
}
