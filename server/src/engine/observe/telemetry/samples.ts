import type { Telemetry } from './observation.ts';

/** Measurements at one time; absent ones were not measured. */
export type TelemetrySample = { timeS: number } & Partial<Record<Measure, number>>;

export const MEASURES = [
  'speedMps',
  'accelerationMps2',
  'yawRateDps',
  'headingDeg',
  'latitude',
  'longitude',
  'altitudeM',
] as const satisfies (keyof Telemetry)[];
export type Measure = (typeof MEASURES)[number];

/** Samples farther apart than this, and than this many median steps, have a gap between them. */
const GAP_S = 2;
const GAP_STEPS = 2.5;
/** Rates are slopes over this time, or this many median steps. Longer blurs braking, shorter shows receiver noise. */
const SLOPE_S = 1;
const SLOPE_STEPS = 2.5;
/** Maximum samples on either side of a slope: limits the cost of a crafted file. */
const MAX_NEIGHBORS = 500;
/** Maximum rounding error of a speed that is computed from positions. */
const SPEED_ERROR_MPS = 1;
/** Minimum speed at which positions have a course. */
const COURSE_LEAST_MPS = 2;
/** Digits of a degree that resolve a millimeter. */
const MAX_DIGITS = 8;
/** Maximum error of a decimal fraction as a double: relative, and in units of its last digit. */
const FLOAT_ERROR = { relative: 1e-13, digit: 1e-9 };
const RADIANS = Math.PI / 180;

/**
 * Sorts samples and derives missing measures: speed from positions, acceleration from speed, yaw rate from heading or
 * course. `notes` name the derived measures and are limits of every answer. Returns null without any measurement.
 */
export function createTelemetry(
  source: string,
  samples: readonly TelemetrySample[],
  notes: readonly string[] = [],
): Telemetry | null {
  const measured = samples.filter((s) => Number.isFinite(s.timeS) && MEASURES.some((name) => Number.isFinite(s[name])));
  const ordered = measured
    .toSorted((a, b) => a.timeS - b.timeS)
    .filter((s, i, all) => i === 0 || s.timeS > all[i - 1]!.timeS);
  if (ordered.length === 0) return null;
  const timeS = Float64Array.from(ordered, (s) => s.timeS);
  const column = (name: Measure) => Float64Array.from(ordered, (s) => s[name] ?? Number.NaN);
  const gapS = Math.max(GAP_S, GAP_STEPS * medianStep(timeS));
  const telemetry: Telemetry = {
    source,
    notes: [...notes],
    gapS,
    timeS,
    speedMps: column('speedMps'),
    accelerationMps2: column('accelerationMps2'),
    yawRateDps: column('yawRateDps'),
    headingDeg: column('headingDeg'),
    latitude: column('latitude'),
    longitude: column('longitude'),
    altitudeM: column('altitudeM'),
  };
  deriveMeasures(telemetry);
  return telemetry;
}

/** True if a column has any value. */
export const hasMeasure = (telemetry: Telemetry, name: Measure) =>
  telemetry[name].some((value) => !Number.isNaN(value));

function deriveMeasures(t: Telemetry): void {
  const windowS = Math.max(SLOPE_S, SLOPE_STEPS * medianStep(t.timeS));
  const slopes = (values: Float64Array) => computeSlopes(values, t.timeS, windowS, t.gapS);
  const path = hasMeasure(t, 'latitude') && hasMeasure(t, 'longitude') ? derivePath(t, slopes, windowS) : null;
  if (!hasMeasure(t, 'speedMps') && path) {
    if (path === 'coarse') t.notes.push('positions are too coarse to compute a speed');
    else {
      t.speedMps = path.speed;
      t.notes.push('speed is computed from positions');
    }
  }
  if (!hasMeasure(t, 'accelerationMps2') && hasMeasure(t, 'speedMps')) {
    t.accelerationMps2 = slopes(t.speedMps);
    t.notes.push(`acceleration is computed from speed, over ${Math.round(windowS * 10) / 10} s`);
  }
  if (hasMeasure(t, 'yawRateDps')) return;
  const heading = hasMeasure(t, 'headingDeg') ? t.headingDeg : path && path !== 'coarse' ? path.course : null;
  if (!heading) return;
  // Headings grow to the right, yaw rates to the left.
  t.yawRateDps = slopes(unwrapAngles(heading)).map((rate) => -rate);
  const from = heading === t.headingDeg ? 'heading' : 'positions';
  t.notes.push(`the yaw rate is computed from ${from}, over ${Math.round(windowS * 10) / 10} s`);
}

/** Speed and course over ground from positions. */
function derivePath(
  t: Telemetry,
  slopes: (values: Float64Array) => Float64Array,
  windowS: number,
): { speed: Float64Array; course: Float64Array } | 'coarse' {
  const durationS = Math.min(windowS, t.timeS.at(-1)! - t.timeS[0]!);
  // Both have the same number of digits; one of them may stay on a round number.
  const grainM = Math.min(grain(t.latitude), grain(t.longitude)) * METERS_PER_DEGREE;
  if (!(grainM / durationS <= SPEED_ERROR_MPS)) return 'coarse';
  const vn = slopes(t.latitude).map((rate, i) => rate * metersPerDegree(t.latitude[i]!).north);
  const ve = slopes(unwrapAngles(t.longitude)).map((rate, i) => rate * metersPerDegree(t.latitude[i]!).east);
  const speed = vn.map((v, i) => Math.hypot(v, ve[i]!));
  const course = vn.map((v, i) =>
    speed[i]! >= COURSE_LEAST_MPS ? (Math.atan2(ve[i]!, v) / RADIANS + 360) % 360 : Number.NaN,
  );
  return { speed, course };
}

/** Length of the longest degree, of latitude at a pole. */
const METERS_PER_DEGREE = 111_700;

/** Length of a degree of latitude and of longitude on the ellipsoid of WGS 84, in meters. */
function metersPerDegree(latitude: number): { north: number; east: number } {
  const angle = latitude * RADIANS;
  return {
    north: 111_132.95 - 559.85 * Math.cos(2 * angle) + 1.18 * Math.cos(4 * angle),
    east: 111_412.88 * Math.cos(angle) - 93.5 * Math.cos(3 * angle) + 0.12 * Math.cos(5 * angle),
  };
}

/** Rounding step of degrees from their digits; 0 if they have more digits than matter. */
function grain(degrees: Float64Array): number {
  for (let digits = 1; digits < MAX_DIGITS; digits++) {
    const scale = 10 ** digits;
    const isRound = (value: number) =>
      Math.abs(value * scale - Math.round(value * scale)) <=
      Math.abs(value * scale) * FLOAT_ERROR.relative + FLOAT_ERROR.digit;
    if (degrees.every((value) => Number.isNaN(value) || isRound(value))) return 1 / scale;
  }
  return 0;
}

/** Removes the steps of 360 degrees: of headings at north, of longitudes at the date line. */
function unwrapAngles(degrees: Float64Array): Float64Array {
  let last = Number.NaN;
  return degrees.map((value) => {
    if (Number.isNaN(value)) return value;
    last = Number.isNaN(last) ? value : value + 360 * Math.round((last - value) / 360);
    return last;
  });
}

/**
 * Change per second: the slope of a line through the values within `windowS` without gaps; NaN if there are too few.
 */
function computeSlopes(values: Float64Array, timeS: Float64Array, windowS: number, gapS: number): Float64Array {
  return values.map((value, i) => {
    if (Number.isNaN(value)) return Number.NaN;
    let [n, st, sv, stt, stv] = [0, 0, 0, 0, 0];
    const add = (k: number) => {
      const t = timeS[k]! - timeS[i]!;
      const v = values[k]!;
      n++;
      st += t;
      sv += v;
      stt += t * t;
      stv += t * v;
    };
    const inside = (k: number, before: number) =>
      !Number.isNaN(values[k]!) &&
      Math.abs(timeS[k]! - timeS[i]!) <= windowS / 2 + 1e-9 &&
      Math.abs(timeS[k]! - timeS[before]!) <= gapS;
    add(i);
    for (let k = i - 1; k >= Math.max(0, i - MAX_NEIGHBORS) && inside(k, k + 1); k--) add(k);
    for (let k = i + 1; k <= Math.min(values.length - 1, i + MAX_NEIGHBORS) && inside(k, k - 1); k++) add(k);
    const spread = n * stt - st * st;
    return n > 1 && spread > 0 ? (n * stv - st * sv) / spread : Number.NaN;
  });
}

/** Median distance between samples in seconds. */
function medianStep(timeS: Float64Array): number {
  const steps = timeS
    .slice(1)
    .map((time, i) => time - timeS[i]!)
    .sort();
  return steps[steps.length >> 1] ?? 0;
}
