import { MEASURES, type Measure } from '../../observe/telemetry/samples.ts';
import type { RecordingTelemetry } from './telemetry.ts';

/**
 * Converts telemetry to the JSON file of a video (see `readSidecar`). Times count from the video's first frame. `blank`
 * marks a video without content.
 */
export function toSidecar(
  { originNs, timeS, columns, sources, notes, numbers }: RecordingTelemetry,
  videoStartNs: bigint,
  { blank = false } = {},
): string {
  const shiftS = Number(originNs - videoStartNs) / 1e9;
  const cells = (values: Float64Array, digits: number) =>
    Array.from(values, (value) => (Number.isNaN(value) ? null : Number(value.toFixed(digits))));
  const times = (values: Float64Array) =>
    cells(
      values.map((time) => time + shiftS),
      4,
    );
  return JSON.stringify({
    recording: { source: [...new Set(Object.values(sources))].join(', '), notes, blank },
    fields: [
      { name: 'time', unit: 's' },
      ...MEASURES.map((measure) => ({ name: NAMES[measure][0], unit: NAMES[measure][1] })),
    ],
    time: times(timeS),
    ...Object.fromEntries(
      Object.entries(columns).map(([measure, values]) => [NAMES[measure as Measure][0], cells(values, 9)]),
    ),
    recorded: {
      left_out: numbers.leftOut,
      groups: numbers.groups.map((group) => ({
        time: times(group.timeS),
        fields: group.fields.map(({ name, unit, values }) => ({ name, unit, values: significant(values) })),
      })),
    },
  });
}

/** Numbers of any size: those of a position have nine digits. */
const significant = (values: Float64Array) =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(9))));

const NAMES: Record<Measure, [name: string, unit: string]> = {
  speedMps: ['speed', 'm/s'],
  accelerationMps2: ['acceleration', 'm/s2'],
  yawRateDps: ['yaw_rate', 'deg/s'],
  headingDeg: ['heading', 'deg'],
  latitude: ['latitude', 'deg'],
  longitude: ['longitude', 'deg'],
  altitudeM: ['altitude', 'm'],
};
