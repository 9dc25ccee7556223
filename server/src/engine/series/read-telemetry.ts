import { createMinMax, type MinMaxSeries } from './min-max.ts';
import { SENTENCES } from './sources.ts';
import type { StoredArrays } from './stored-arrays.ts';
import type { SeriesRange, StoredObservations, UnavailableField } from './types.ts';

const FIELDS: Record<string, { unit: string; array: string }> = {
  speed: { unit: 'm/s', array: 'speedMps' },
  acceleration: { unit: 'm/s²', array: 'accelerationMps2' },
  yaw_rate: { unit: '°/s', array: 'yawRateDps' },
  heading: { unit: '°', array: 'headingDeg' },
  altitude: { unit: 'm', array: 'altitudeM' },
};
/** The fields of `readTelemetry` besides the position. */
export const TELEMETRY_FIELDS: readonly string[] = Object.keys(FIELDS);
/** Values per read and array. */
const BLOCK_LENGTH = 2 ** 18;

export type TelemetryRequest = SeriesRange & { points: number; fields: readonly string[] | null };

type TelemetrySeries = {
  source: string | null;
  /** Limits of the measurements: derived measures, assumed clocks and units. */
  notes: string[];
  fields: (MinMaxSeries & { field: string; unit: string })[];
  /** All other numbers that the recording has, by their names. */
  channels: { name: string; unit: string | null; samples: number }[];
  /** Number of channels that were left out because there are too many. */
  channelsLeftOut: number;
  /** Positions in WGS 84 degrees, parallel arrays; null if none was measured between these times. */
  track: { timesS: number[]; latitude: number[]; longitude: number[] } | null;
  unavailable: UnavailableField[];
};

/** Measurements between two times, and the first position in each of the `points` intervals. */
export async function readTelemetry(stored: StoredObservations, request: TelemetryRequest): Promise<TelemetrySeries> {
  const names = request.fields ?? TELEMETRY_FIELDS;
  const arrays = stored.get('telemetry');
  const { measured, reason, source, notes, channels = [], leftOut = 0 } = (arrays?.facts ?? {}) as Partial<Facts>;
  const listed = { channels, channelsLeftOut: leftOut };
  if (!arrays || !measured) {
    const why = arrays ? 'no_telemetry' : 'not_observed';
    const message = reason ? `${SENTENCES[why]} Reason: ${reason}.` : SENTENCES[why];
    const unavailable = names.map((field) => ({ field, reason: why, message }) as const);
    return { source: null, notes: [], fields: [], ...listed, track: null, unavailable };
  }
  const first = await arrays.findIndex('timeS', request.fromS);
  const end = await arrays.findIndex('timeS', request.toS + 1e-9);
  const fields: TelemetrySeries['fields'] = [];
  const unavailable: UnavailableField[] = [];
  for (const field of names) {
    const { unit, array } = FIELDS[field]!;
    const reduced = createMinMax(request);
    await scan(arrays, [array], first, end, (timeS, [value]) => reduced.add(timeS, value!));
    if (reduced.series.samples > 0) fields.push({ field, unit, ...reduced.series });
    else unavailable.push({ field, reason: 'not_measured', message: SENTENCES.not_measured });
  }
  const track = await readTrack(arrays, request, first, end);
  return { source: source!, notes: notes!, fields, ...listed, track, unavailable };
}

type Facts = { measured: boolean; reason: string | null; source: string; notes: string[] } & {
  channels: TelemetrySeries['channels'];
  leftOut: number;
};

async function readTrack(arrays: StoredArrays, { fromS, toS, points }: TelemetryRequest, first: number, end: number) {
  const track = { timesS: [] as number[], latitude: [] as number[], longitude: [] as number[] };
  const stepS = (toS - fromS) / points;
  let nextS = fromS;
  await scan(arrays, ['latitude', 'longitude'], first, end, (timeS, [latitude, longitude]) => {
    if (timeS < nextS || !Number.isFinite(latitude) || !Number.isFinite(longitude)) return;
    nextS = fromS + (Math.floor((timeS - fromS) / stepS) + 1) * stepS;
    track.timesS.push(timeS);
    track.latitude.push(latitude!);
    track.longitude.push(longitude!);
  });
  return track.timesS.length > 0 ? track : null;
}

async function scan(
  arrays: StoredArrays,
  names: readonly string[],
  first: number,
  end: number,
  onSample: (timeS: number, values: readonly number[]) => void,
): Promise<void> {
  for (let at = first; at < end; at += BLOCK_LENGTH) {
    const to = Math.min(end, at + BLOCK_LENGTH);
    const [times, ...values] = await Promise.all(['timeS', ...names].map((name) => arrays.read(name, at, to)));
    for (let i = 0; i < times!.length; i++) {
      onSample(
        times![i]!,
        values.map((column) => column[i]!),
      );
    }
  }
}
