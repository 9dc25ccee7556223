import type { Measure } from '../observe/telemetry/columns.ts';
import { type ColumnMeaning, meaningOf } from '../observe/telemetry/units.ts';
import type { Fields } from './messages.ts';
import { isFields, numberOf } from './values.ts';

export type Measured = Partial<Record<Measure, number>>;
export type ReadMeasures = (message: Fields) => Measured;

/** How messages of a kind are read, and how far they are believed where several channels measure the same: the highest rank counts. */
export type Meter = { rank: number; read: ReadMeasures };

const DEGREES = 180 / Math.PI;

/** Types that measure, by what their names end in, whoever defined them. */
const METERS: Record<string, Meter> = {
  NavSatFix: { rank: 3, read: fix },
  LocationFix: { rank: 3, read: fix },
  Twist: { rank: 5, read: ({ linear, angular }) => motion(linear, angular) },
  TwistStamped: { rank: 5, read: ({ twist }) => motion(at(twist, 'linear'), at(twist, 'angular')) },
  TwistWithCovarianceStamped: { rank: 5, read: ({ twist }) => deepTwist(twist) },
  Odometry: { rank: 4, read: ({ twist }) => deepTwist(twist) },
  AccelStamped: { rank: 5, read: ({ accel }) => ({ accelerationMps2: numberOf(at(at(accel, 'linear'), 'x')) }) },
  // An IMU says what it feels where it is mounted: the vehicle's own speed is believed more.
  Imu: { rank: 2, read: inertia },
  VelocityReport: {
    rank: 5,
    read: ({ longitudinal_velocity, heading_rate }) => ({
      speedMps: Math.abs(numberOf(longitudinal_velocity)),
      yawRateDps: numberOf(heading_rate) * DEGREES,
    }),
  },
};

/** Fields of messages that hold one number: the topic says of what. */
const VALUES = ['data', 'value'];
const NAMED_RANK = 6;

/** Reads what a message of this type on this topic measures. Of a type that is not known, whatever fields have a name that says it; null when none has. */
export function meterOf(schemaName: string, topic: string, sample: Fields): Meter | null {
  const meter =
    METERS[
      schemaName
        .split(/[/.:]+/)
        .at(-1)!
        .replace(/_$/, '')
    ];
  // What a satellite receiver tells of its speed is a second old at times.
  if (meter) return /gps|gnss/i.test(topic) ? { ...meter, rank: meter.rank - 1.5 } : meter;
  const fields = Object.entries(flat(sample)).flatMap(([name, value]) => {
    if (Number.isNaN(numberOf(value))) return [];
    const called = VALUES.includes(name.toLowerCase()) ? topic.split('/').at(-1)! : name;
    const meaning = called.length > 1 ? meaningOf(called) : null;
    return isMeasure(meaning) ? [{ name, ...meaning }] : [];
  });
  if (fields.length === 0) return null;
  return {
    rank: NAMED_RANK,
    read(message) {
      const values = flat(message);
      return Object.fromEntries(fields.map(({ name, measure, factor }) => [measure, numberOf(values[name]) * factor]));
    },
  };
}

const isMeasure = (meaning: ColumnMeaning | string | null): meaning is ColumnMeaning & { measure: Measure } =>
  typeof meaning === 'object' && meaning !== null && meaning.measure !== 'timeS';

const at = (value: unknown, name: string): unknown => (isFields(value) ? value[name] : undefined);

function fix({ status, latitude, longitude, altitude }: Fields): Measured {
  const [lat, lon] = [numberOf(latitude), numberOf(longitude)];
  const unfixed = numberOf(at(status, 'status')) < 0 || (lat === 0 && lon === 0) || Number.isNaN(lat + lon);
  return unfixed ? {} : { latitude: lat, longitude: lon, altitudeM: numberOf(altitude) };
}

/** What an IMU feels; one whose z axis feels gravity upside down turns the other way round. */
function inertia({ linear_acceleration: felt, angular_velocity: turning }: Fields): Measured {
  const upside = numberOf(at(felt, 'z')) < -5 ? -1 : 1;
  return { accelerationMps2: numberOf(at(felt, 'x')), yawRateDps: upside * numberOf(at(turning, 'z')) * DEGREES };
}

const deepTwist = (twist: unknown) => motion(at(at(twist, 'twist'), 'linear'), at(at(twist, 'twist'), 'angular'));

function motion(linear: unknown, angular: unknown): Measured {
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => numberOf(at(linear, axis))) as [number, number, number];
  return { speedMps: Math.hypot(x, y, z), yawRateDps: numberOf(at(angular, 'z')) * DEGREES };
}

/** A message's fields, those one level deep as `outer_inner`. */
function flat(message: Fields): Fields {
  return Object.fromEntries(
    Object.entries(message).flatMap(([name, value]) =>
      isFields(value) ? Object.entries(value).map(([inner, deep]) => [`${name}_${inner}`, deep]) : [[name, value]],
    ),
  );
}
