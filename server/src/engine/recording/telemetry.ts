import { MEASURES, type Measure } from '../observe/telemetry/columns.ts';
import { createClock } from './clock.ts';
import { type Meter, meterOf } from './measures.ts';
import { createDecoder, type Decode } from './messages.ts';
import { pictureReader } from './pictures.ts';
import type { Channel, Recording } from './reader.ts';
import { stampOf } from './values.ts';

/** What a recording measured: rows in order of time, NaN where nothing was measured. */
export type RecordingTelemetry = {
  /** The moment that times count from, by the common clock. */
  originNs: bigint;
  /** Seconds from the origin. */
  timeS: Float64Array;
  columns: Partial<Record<Measure, Float64Array>>;
  /** Which channel each measure comes from. */
  sources: Partial<Record<Measure, string>>;
  notes: string[];
};

/** Rows per second at most: more tells no more of how a vehicle moves, and an hour has 72,000 as it is. */
const ROWS_PER_S = 20;
/** A message that measures is small; pictures and point clouds are not looked into. */
const MOST_BYTES = 4_096;
/** Channels whose measurements are kept while they are read. */
const MOST_CHANNELS = 200;
/** Values farther apart than this say nothing about the time between them: at least this long, and this many usual steps. */
const GAP_S = 2;
const GAP_STEPS = 2.5;
/** An axis that feels more than this all the time is not level: what it feels is gravity. */
const LEVEL_MPS2 = 3;

/** A channel none of whose first messages can be read is given up. */
const MOST_FAILURES = 1_000;

/** The mean of what came within one row's time. */
type Bin = { timeS: number; value: number; count: number };
type Series = { channel: Channel; rank: number; measure: Measure; bins: Map<number, Bin> };
/** `meter` is null before its first message that could be read. */
type Listener = {
  decode: Decode;
  meter: Meter | null;
  clock: ReturnType<typeof createClock>;
  series: Map<Measure, Series>;
  failures: number;
};

/** Reads all that the recording measured, in one pass. Of channels that measure the same, the one believed most counts. Null when nothing did. */
export async function readTelemetry(
  recording: Recording,
  progress: (fraction: number) => void,
): Promise<RecordingTelemetry | null> {
  const originNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? originNs) - originNs) / 1e9;
  const channels = new Map(
    recording.channels.filter((c) => !pictureReader(c.schema?.name ?? '')).map((c) => [c.id, c]),
  );
  const wanted = new Set(channels.keys());
  const listeners = new Map<number, Listener>();

  for await (const { channelId, data, logTimeNs } of recording.messages(wanted)) {
    if (data.length > MOST_BYTES || !wanted.has(channelId)) continue;
    progress(lengthS > 0 ? Number(logTimeNs - originNs) / 1e9 / lengthS : 1);
    const channel = channels.get(channelId)!;
    const listener = listeners.get(channelId) ?? listen(channel);
    if (!listener || (!listeners.has(channelId) && listeners.size >= MOST_CHANNELS)) {
      wanted.delete(channelId);
      continue;
    }
    listeners.set(channelId, listener);
    try {
      if (hear(listener, channel, data, logTimeNs)) continue;
      wanted.delete(channelId);
      listeners.delete(channelId);
    } catch {
      // A message that does not match its schema measures nothing; the next one may.
      if (++listener.failures > MOST_FAILURES && !listener.meter) wanted.delete(channelId);
    }
  }

  /** False when the channel is none that measures. */
  function hear(listener: Listener, channel: Channel, data: Uint8Array, logNs: bigint): boolean {
    const { decode, clock, series } = listener;
    const message = decode(data);
    listener.meter ??= meterOf(channel.schema?.name ?? '', channel.topic, message);
    const { meter } = listener;
    if (!meter) return false;
    const atNs = clock.at(stampOf(message), logNs);
    if (atNs === null) return true;
    const timeS = Number(atNs - originNs) / 1e9;
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
  return believed.length === 0 ? null : { originNs, ...rowsOf(believed), notes };
}

/** Null for a channel whose schema does not parse. */
function listen(channel: Channel): Listener | null {
  try {
    return { decode: createDecoder(channel), meter: null, clock: createClock(), series: new Map(), failures: 0 };
  } catch {
    return null;
  }
}

/** Whether a series says anything: a field that nobody filled is all zeros, and an axis that is not level feels gravity. */
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
    // Speed that the vehicle measures is surer than how an IMU is mounted, and its slope is the acceleration.
    if ((best.get('speedMps')?.rank ?? 0) > IMU_RANK) best.delete('accelerationMps2');
    else
      notes.push(
        `acceleration is that along the x axis of ${acceleration.channel.name}, taken to point forward (REP 103)`,
      );
  }
  return [...best.values()];
}

/** Rows where anything was measured; values of what is measured less often are drawn straight from one to the next. */
function rowsOf(believed: readonly Series[]): Omit<RecordingTelemetry, 'originNs' | 'notes'> {
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

/** The columns as a file beside a video (see `readSidecar`): times count from the video's first frame. `blank`: its frames show nothing. */
export function toSidecar(
  { originNs, timeS, columns, sources, notes }: RecordingTelemetry,
  videoStartNs: bigint,
  { blank = false } = {},
): string {
  const shiftS = Number(originNs - videoStartNs) / 1e9;
  const cells = (values: Float64Array, digits: number) =>
    Array.from(values, (value) => (Number.isNaN(value) ? null : Number(value.toFixed(digits))));
  return JSON.stringify({
    recording: { source: [...new Set(Object.values(sources))].join(', '), notes, blank },
    fields: [
      { name: 'time', unit: 's' },
      ...MEASURES.map((measure) => ({ name: NAMES[measure][0], unit: NAMES[measure][1] })),
    ],
    time: cells(
      timeS.map((time) => time + shiftS),
      4,
    ),
    ...Object.fromEntries(
      Object.entries(columns).map(([measure, values]) => [NAMES[measure as Measure][0], cells(values, 9)]),
    ),
  });
}

const NAMES: Record<Measure, [name: string, unit: string]> = {
  speedMps: ['speed', 'm/s'],
  accelerationMps2: ['acceleration', 'm/s2'],
  yawRateDps: ['yaw_rate', 'deg/s'],
  headingDeg: ['heading', 'deg'],
  latitude: ['latitude', 'deg'],
  longitude: ['longitude', 'deg'],
  altitudeM: ['altitude', 'm'],
};
