import type { Measure } from './samples.ts';

/** Names of a sidecar's column without its unit, and the factor of each unit. The first unit is the default. */
type ColumnNames = { names: string; units: Record<string, number> };

const SPEEDS = {
  ms: 1,
  mps: 1,
  kmh: 1 / 3.6,
  kph: 1 / 3.6,
  kmph: 1 / 3.6,
  mph: 0.44704,
  kn: 0.514444,
  kt: 0.514444,
  kts: 0.514444,
  knots: 0.514444,
  fts: 0.3048,
};
const DEGREES = { deg: 1, degrees: 1, rad: 180 / Math.PI, radians: 180 / Math.PI };

const MEANINGS: Record<Measure | 'timeS', ColumnNames> = {
  timeS: {
    names:
      't time times timestamp timestamps ts elapsed offset seconds sec datetime date_time utc time_offset video_time',
    units: {
      s: 1,
      sec: 1,
      secs: 1,
      seconds: 1,
      ms: 1e-3,
      msec: 1e-3,
      milliseconds: 1e-3,
      us: 1e-6,
      ns: 1e-9,
      iso8601: 1,
    },
  },
  speedMps: {
    names: 'speed velocity v vego v_ego ground_speed groundspeed gps_speed vehicle_speed car_speed can_speed speed_2d',
    units: SPEEDS,
  },
  accelerationMps2: {
    names: 'acceleration accel longitudinal_acceleration acceleration_longitudinal accel_longitudinal long_accel a_ego',
    units: { ms2: 1, mps2: 1, mss: 1, g: 9.80665 },
  },
  yawRateDps: {
    names: 'yaw_rate yawrate turn_rate',
    units: { degs: 1, dps: 1, degsec: 1, rads: 180 / Math.PI, radsec: 180 / Math.PI },
  },
  headingDeg: { names: 'heading course bearing track yaw gps_heading gps_course gps_bearing', units: DEGREES },
  latitude: { names: 'latitude lat gps_lat gps_latitude position_lat location_lat position_latitude', units: DEGREES },
  longitude: {
    names:
      'longitude lon lng long gps_lon gps_lng gps_long gps_longitude position_lon position_lng location_lon location_lng position_longitude',
    units: DEGREES,
  },
  altitudeM: {
    names: 'altitude alt elevation gps_alt gps_altitude ele',
    units: { m: 1, meters: 1, metres: 1, ft: 0.3048, feet: 0.3048 },
  },
};

const MEASURES_BY_NAME = new Map(
  Object.entries(MEANINGS).flatMap(([measure, { names }]) =>
    names.split(' ').map((name) => [name, measure as Measure | 'timeS'] as const),
  ),
);

export type ColumnMeaning = {
  measure: Measure | 'timeS';
  /** Multiplier of the values. */
  factor: number;
  /** True if the column has a unit. */
  stated: boolean;
};

/**
 * Interprets a column by its name and unit: `speed_kmh`, `Speed (km/h)`, `speed` with `km/h`. Returns null for other
 * columns, and a note for an unknown unit.
 */
export function interpretColumn(column: string, unit?: string): ColumnMeaning | string | null {
  const [, bare, bracketed] = /^(.*?)[\s_]*[([]([^)\]]*)[)\]]\s*$/.exec(column) ?? [];
  const name = (bare ?? column)
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  const stated = unit ?? bracketed;
  const whole = MEASURES_BY_NAME.get(name);
  if (whole) return withUnit(whole, stated, column);
  // "speed_km_h": the unit is the end of the name after which the rest is a known name.
  const parts = name.split('_');
  for (let cut = parts.length - 1; cut > 0; cut--) {
    const measure = MEASURES_BY_NAME.get(parts.slice(0, cut).join('_'));
    const end = parts.slice(cut).join('');
    if (measure && MEANINGS[measure].units[end] !== undefined) return withUnit(measure, stated ?? end, column);
  }
  return null;
}

function withUnit(measure: Measure | 'timeS', unit: string | undefined, column: string): ColumnMeaning | string {
  if (unit === undefined || unit.trim() === '') return { measure, factor: 1, stated: false };
  const plain = unit
    .toLowerCase()
    .replaceAll('²', '2')
    .replaceAll('°', 'deg')
    .replaceAll(/[^a-z0-9]/g, '');
  const factor = MEANINGS[measure].units[plain];
  return factor === undefined
    ? `"${column.slice(0, 40)}" is in "${unit.slice(0, 20)}", an unknown unit, and is ignored`
    : { measure, factor, stated: true };
}
