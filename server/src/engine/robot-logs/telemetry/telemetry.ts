import { MEASURES, type Measure } from '../../observe/telemetry/samples.ts';
import { createClock } from '../clock.ts';
import type { OpenRecording, RecordingChannel } from '../mcap/index.ts';
import { createDecoder, type DecodeMessage, toTimestampNs } from '../messages/index.ts';
import { createImageReader } from '../video/index.ts';
import { createNumberCollector, type RecordedNumbers } from './collector.ts';
import { createMeasurementReader, type MeasurementReader } from './measurements.ts';

/** Measurements of a recording: rows by time, NaN for missing values. */
export type RecordingTelemetry = {
  /** Origin of the times by the common clock. */
  originNs: bigint;
  /** Seconds from the origin. */
  timeS: Float64Array;
  columns: Partial<Record<Measure, Float64Array>>;
  /** Channel of each measure. */
  sources: Partial<Record<Measure, string>>;
  notes: string[];
  /** All numbers of the recording by their names. */
  numbers: RecordedNumbers;
};

/** Maximum rows per second: enough for the motion of a vehicle, 72,000 an hour. */
const ROWS_PER_S = 20;
/** Maximum size of a message with measurements; images and point clouds are larger. */
const MAX_BYTES = 4_096;
/** Maximum number of channels with measurements. */
const MAX_CHANNELS = 200;
/** Values farther apart than this, and than this many median steps, have a gap between them. */
const GAP_S = 2;
const GAP_STEPS = 2.5;
/** Median acceleration above which an axis is not level and measures gravity. */
const LEVEL_MPS2 = 3;

/** Maximum number of unreadable messages of a channel before its first readable one. */
const MAX_FAILURES = 1_000;

/** Mean of the values within one row. */
type Bin = { timeS: number; value: number; count: number };
type Series = { channel: RecordingChannel; rank: number; measure: Measure; bins: Map<number, Bin> };
/** `meter` is undefined before the first readable message, and null without known measurements. */
type Listener = {
  decode: DecodeMessage;
  meter: MeasurementReader | null | undefined;
  clock: ReturnType<typeof createClock>;
  series: Map<Measure, Series>;
  failures: number;
};

/** Reads all measurements in one pass. Of several channels with the same measure, the most reliable one is used. */
export async function readRecordingTelemetry(
  recording: OpenRecording,
  progress: (fraction: number) => void,
): Promise<RecordingTelemetry | null> {
  const originNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? originNs) - originNs) / 1e9;
  const channels = new Map(
    recording.channels.filter((c) => !createImageReader(c.schema?.name ?? '')).map((c) => [c.id, c]),
  );
  const wanted = new Set(channels.keys());
  const listeners = new Map<number, Listener>();
  const collector = createNumberCollector();

  for await (const { channelId, data, logTimeNs } of recording.messages(wanted)) {
    if (data.length > MAX_BYTES || !wanted.has(channelId)) continue;
    progress(lengthS > 0 ? Number(logTimeNs - originNs) / 1e9 / lengthS : 1);
    const channel = channels.get(channelId)!;
    const listener = listeners.get(channelId) ?? listen(channel);
    if (!listener || (!listeners.has(channelId) && listeners.size >= MAX_CHANNELS)) {
      wanted.delete(channelId);
      continue;
    }
    listeners.set(channelId, listener);
    try {
      if (hear(listener, channel, data, logTimeNs)) continue;
      wanted.delete(channelId);
      listeners.delete(channelId);
    } catch {
      // A message that does not match its schema is skipped.
      if (++listener.failures > MAX_FAILURES && listener.meter === undefined) wanted.delete(channelId);
    }
  }

  /** Returns false if the channel has no numbers. */
  function hear(listener: Listener, channel: RecordingChannel, data: Uint8Array, logNs: bigint): boolean {
    const { decode, clock, series } = listener;
    const message = decode(data);
    const schema = channel.schema?.name ?? '';
    if (listener.meter === undefined) listener.meter = createMeasurementReader(schema, channel.topic, message);
    const { meter } = listener;
    if (!meter && !collector.collects(channel.id)) return false;
    const atNs = clock.at(toTimestampNs(message), logNs);
    if (atNs === null) return true;
    const timeS = Number(atNs - originNs) / 1e9;
    const isCollected = collector.add({ id: channel.id, topic: channel.name, schema }, message, timeS);
    if (!meter) return isCollected;
    for (const [name, value] of Object.entries(meter.read(message))) {
      if (!Number.isFinite(value)) continue;
      const measure = name as Measure;
      const into = series.get(measure) ?? { channel, rank: meter.rank, measure, bins: new Map() };
      series.set(measure, into);
      const row = Math.floor(timeS * ROWS_PER_S);
      const bin = into.bins.get(row);
      if (!bin) into.bins.set(row, { timeS, value, count: 1 });
      else {
        bin.count++;
        bin.value += (value - bin.value) / bin.count;
        bin.timeS += (timeS - bin.timeS) / bin.count;
      }
    }
    return true;
  }

  const notes: string[] = [];
  const all = [...listeners.values()].flatMap(({ series }) => [...series.values()]);
  const believed = choose(
    all.filter((series) => tells(series, notes)),
    notes,
  );
  const numbers = collector.numbers();
  if (believed.length > 0) return { originNs, ...rowsOf(believed), notes, numbers };
  const timeS = rangeOf(numbers);
  return timeS && { originNs, timeS, columns: {}, sources: {}, notes, numbers };
}

/** First and last time of the numbers of a recording; null if there are none. */
function rangeOf({ groups }: RecordedNumbers): Float64Array | null {
  const times = groups.flatMap(({ timeS }) => [timeS[0]!, timeS.at(-1)!]);
  return times.length > 0 ? Float64Array.of(Math.min(...times), Math.max(...times)) : null;
}

/** Returns null for a channel with an invalid schema. */
function listen(channel: RecordingChannel): Listener | null {
  try {
    return { decode: createDecoder(channel), meter: undefined, clock: createClock(), series: new Map(), failures: 0 };
  } catch {
    return null;
  }
}

/** True if a series has usable values: unused fields are all zeros, and an axis that is not level measures gravity. */
function tells({ channel, measure, bins, rank }: Series, notes: string[]): boolean {
  const values = [...bins.values()].map(({ value }) => value);
  if (measure === 'yawRateDps' && values.every((value) => value === 0)) return false;
  const isImu = measure === 'accelerationMps2' && rank <= IMU_RANK;
  if (!isImu || Math.abs(median(values)) <= LEVEL_MPS2) return true;
  notes.push(`the acceleration of ${channel.name} is not used: its x axis is not level`);
  return false;
}
const IMU_RANK = 2;

function choose(all: readonly Series[], notes: string[]): Series[] {
  const best = new Map<Measure, Series>();
  for (const series of all) {
    const other = best.get(series.measure);
    const better =
      !other || series.rank > other.rank || (series.rank === other.rank && series.bins.size > other.bins.size);
    if (better) best.set(series.measure, series);
  }
  const acceleration = best.get('accelerationMps2');
  if (acceleration && acceleration.rank <= IMU_RANK) {
    // The derivative of a vehicle's speed is more reliable than an IMU with unknown orientation.
    if ((best.get('speedMps')?.rank ?? 0) > IMU_RANK) best.delete('accelerationMps2');
    else
      notes.push(
        `acceleration is that along the x axis of ${acceleration.channel.name}, taken to point forward (REP 103)`,
      );
  }
  return [...best.values()];
}

/** Builds a row for every measured time. Measures with fewer values are interpolated linearly. */
function rowsOf(believed: readonly Series[]): Pick<RecordingTelemetry, 'timeS' | 'columns' | 'sources'> {
  const rows = new Map<number, number>();
  for (const { bins } of believed) for (const [row, { timeS }] of bins) if (!rows.has(row)) rows.set(row, timeS);
  const timeS = Float64Array.from(rows.values()).sort();
  const columns: Partial<Record<Measure, Float64Array>> = {};
  const sources: Partial<Record<Measure, string>> = {};
  for (const measure of MEASURES) {
    const series = believed.find((each) => each.measure === measure);
    if (!series) continue;
    const points = [...series.bins.values()].sort((a, b) => a.timeS - b.timeS);
    columns[measure] = drawn(points, timeS, measure !== 'headingDeg');
    sources[measure] = series.channel.name;
  }
  return { timeS, columns, sources };
}

function drawn(points: readonly Bin[], timeS: Float64Array, straight: boolean): Float64Array {
  const steps = points.slice(1).map((point, i) => point.timeS - points[i]!.timeS);
  const gapS = Math.max(GAP_S, GAP_STEPS * median(steps));
  let i = 0;
  return timeS.map((time) => {
    while (i + 1 < points.length && points[i + 1]!.timeS <= time) i++;
    const [before, after] = [points[i]!, points[i + 1]];
    if (Math.abs(before.timeS - time) < 1e-9) return before.value;
    if (before.timeS > time || !after || after.timeS - before.timeS > gapS) {
      return Math.abs(before.timeS - time) <= gapS / 2 ? before.value : Number.NaN;
    }
    if (!straight) return before.value;
    return before.value + ((after.value - before.value) * (time - before.timeS)) / (after.timeS - before.timeS);
  });
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
