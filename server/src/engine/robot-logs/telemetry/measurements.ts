import type { Measure } from '../../observe/telemetry/samples.ts';
import { type ColumnMeaning, interpretColumn } from '../../observe/telemetry/units.ts';
import type { MessageFields } from '../messages/index.ts';
import { isFields, toNumber } from '../messages/index.ts';

export type Measurements = Partial<Record<Measure, number>>;
export type ReadMeasurements = (message: MessageFields) => Measurements;

/** Reader of a message type. Of several channels with the same measure, the one with the highest rank is used. */
export type MeasurementReader = { rank: number; read: ReadMeasurements };

const DEGREES = 180 / Math.PI;

/** Readers of message types by the last part of their names. */
const METERS: Record<string, MeasurementReader> = {
  NavSatFix: { rank: 3, read: fix },
  LocationFix: { rank: 3, read: fix },
  Twist: { rank: 5, read: ({ linear, angular }) => motion(linear, angular) },
  TwistStamped: { rank: 5, read: ({ twist }) => motion(at(twist, 'linear'), at(twist, 'angular')) },
  TwistWithCovarianceStamped: { rank: 5, read: ({ twist }) => deepTwist(twist) },
  Odometry: { rank: 4, read: ({ twist }) => deepTwist(twist) },
  AccelStamped: { rank: 5, read: ({ accel }) => ({ accelerationMps2: toNumber(at(at(accel, 'linear'), 'x')) }) },
  // An IMU measures where it is mounted; the vehicle's own speed is more reliable.
  Imu: { rank: 2, read: inertia },
  VelocityReport: {
    rank: 5,
    read: ({ longitudinal_velocity, heading_rate }) => ({
      speedMps: Math.abs(toNumber(longitudinal_velocity)),
      yawRateDps: toNumber(heading_rate) * DEGREES,
    }),
  },
};

/** Fields of messages with one number, which is named by the topic. */
const VALUES = ['data', 'value'];
const NAMED_RANK = 6;

/**
 * Creates the reader of a message type and topic. Fields of unknown types are identified by their names. Returns null
 * without measurements.
 */
export function createMeasurementReader(
  schemaName: string,
  topic: string,
  sample: MessageFields,
): MeasurementReader | null {
  const meter =
    METERS[
      schemaName
        .split(/[/.:]+/)
        .at(-1)!
        .replace(/_$/, '')
    ];
  // Speeds of satellite receivers may be a second old.
  if (meter) return /gps|gnss/i.test(topic) ? { ...meter, rank: meter.rank - 1.5 } : meter;
  const fields = Object.entries(flat(sample)).flatMap(([name, value]) => {
    if (Number.isNaN(toNumber(value))) return [];
    const called = VALUES.includes(name.toLowerCase()) ? topic.split('/').at(-1)! : name;
    const meaning = called.length > 1 ? interpretColumn(called) : null;
    return isMeasure(meaning) ? [{ name, ...meaning }] : [];
  });
  if (fields.length === 0) return null;
  return {
    rank: NAMED_RANK,
    read(message) {
      const values = flat(message);
      return Object.fromEntries(fields.map(({ name, measure, factor }) => [measure, toNumber(values[name]) * factor]));
    },
  };
}

const isMeasure = (meaning: ColumnMeaning | string | null): meaning is ColumnMeaning & { measure: Measure } =>
  typeof meaning === 'object' && meaning !== null && meaning.measure !== 'timeS';

const at = (value: unknown, name: string): unknown => (isFields(value) ? value[name] : undefined);

function fix({ status, latitude, longitude, altitude }: MessageFields): Measurements {
  const [lat, lon] = [toNumber(latitude), toNumber(longitude)];
  const unfixed = toNumber(at(status, 'status')) < 0 || (lat === 0 && lon === 0) || Number.isNaN(lat + lon);
  return unfixed ? {} : { latitude: lat, longitude: lon, altitudeM: toNumber(altitude) };
}

/** Reads an IMU. If its z axis measures gravity upside down, its yaw rate is inverted. */
function inertia({ linear_acceleration: felt, angular_velocity: turning }: MessageFields): Measurements {
  const upside = toNumber(at(felt, 'z')) < -5 ? -1 : 1;
  return { accelerationMps2: toNumber(at(felt, 'x')), yawRateDps: upside * toNumber(at(turning, 'z')) * DEGREES };
}

const deepTwist = (twist: unknown) => motion(at(at(twist, 'twist'), 'linear'), at(at(twist, 'twist'), 'angular'));

function motion(linear: unknown, angular: unknown): Measurements {
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => toNumber(at(linear, axis))) as [number, number, number];
  return { speedMps: Math.hypot(x, y, z), yawRateDps: toNumber(at(angular, 'z')) * DEGREES };
}

/** Flattens a message's fields; those one level deep become `outer_inner`. */
function flat(message: MessageFields): MessageFields {
  return Object.fromEntries(
    Object.entries(message).flatMap(([name, value]) =>
      isFields(value) ? Object.entries(value).map(([inner, deep]) => [`${name}_${inner}`, deep]) : [[name, value]],
    ),
  );
}
