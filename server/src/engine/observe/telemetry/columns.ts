import type { Telemetry } from './observation.ts';

/** One moment's measurements; what is left out was not measured. */
export type Sample = { timeS: number } & Partial<Record<Measure, number>>;

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

/** Samples farther apart than this say nothing about the time between them: at least this long, and this many usual steps. */
const GAP_S = 2;
const GAP_STEPS = 2.5;
/** Rates are slopes over this long, or this many usual steps. Longer blurs braking, shorter shows the receiver's noise. */
const SLOPE_S = 1;
const SLOPE_STEPS = 2.5;
/** Samples on either side that a slope is drawn through, at most: a bound on what a made-up file can cost. */
const MOST_NEIGHBOURS = 500;
/** Where a thing is tells how fast it goes when rounding of its position is worth less than this in the rate. */
const SPEED_ERROR_MPS = 1;
/** Below this the way between two positions has no direction. */
const COURSE_LEAST_MPS = 2;
/** A degree with this many digits is a millimetre. */
const MOST_DIGITS = 8;
/** What a decimal fraction may be off by as a double: relative, and in units of its last digit. */
const FLOAT_ERROR = { relative: 1e-13, digit: 1e-9 };
const RADIANS = Math.PI / 180;

/**
 * Puts samples in order and works out what can be: speed from positions, acceleration from speed, yaw rate from heading or from the way gone. What was
 * worked out is named in `notes`. Null when there is no sample with any measurement. `notes` are limits to tell with every answer.
 */
export function createTelemetry(
  source: string,
  samples: readonly Sample[],
  notes: readonly string[] = [],
): Telemetry | null {
  const told = samples.filter((s) => Number.isFinite(s.timeS) && MEASURES.some((name) => Number.isFinite(s[name])));
  const ordered = told
    .toSorted((a, b) => a.timeS - b.timeS)
    .filter((s, i, all) => i === 0 || s.timeS > all[i - 1]!.timeS);
  if (ordered.length === 0) return null;
  const timeS = Float64Array.from(ordered, (s) => s.timeS);
  const column = (name: Measure) => Float64Array.from(ordered, (s) => s[name] ?? Number.NaN);
  const gapS = Math.max(GAP_S, GAP_STEPS * usualStep(timeS));
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
  workOut(telemetry);
  return telemetry;
}

/** Whether a column has any value. */
export const measures = (telemetry: Telemetry, name: Measure) => telemetry[name].some((value) => !Number.isNaN(value));

function workOut(t: Telemetry): void {
  const windowS = Math.max(SLOPE_S, SLOPE_STEPS * usualStep(t.timeS));
  const slopes = (values: Float64Array) => slopesOf(values, t.timeS, windowS, t.gapS);
  const way = measures(t, 'latitude') && measures(t, 'longitude') ? wayOf(t, slopes, windowS) : null;
  if (!measures(t, 'speedMps') && way) {
    if (way === 'coarse') t.notes.push('positions are too coarse to tell a speed from');
    else {
      t.speedMps = way.speed;
      t.notes.push('speed is worked out from positions');
    }
  }
  if (!measures(t, 'accelerationMps2') && measures(t, 'speedMps')) {
    t.accelerationMps2 = slopes(t.speedMps);
    t.notes.push(`acceleration is worked out from speed, over ${Math.round(windowS * 10) / 10} s`);
  }
  if (measures(t, 'yawRateDps')) return;
  const heading = measures(t, 'headingDeg') ? t.headingDeg : way && way !== 'coarse' ? way.course : null;
  if (!heading) return;
  // Headings grow to the right.
  t.yawRateDps = slopes(unwound(heading)).map((rate) => -rate);
  const from = heading === t.headingDeg ? 'heading' : 'positions';
  t.notes.push(`turning is worked out from ${from}, over ${Math.round(windowS * 10) / 10} s`);
}

/** Speed and course over ground from positions. */
function wayOf(
  t: Telemetry,
  slopes: (values: Float64Array) => Float64Array,
  windowS: number,
): { speed: Float64Array; course: Float64Array } | 'coarse' {
  const lastsS = Math.min(windowS, t.timeS.at(-1)! - t.timeS[0]!);
  // Both are written with the same number of digits; one of them may happen to stay on a round number.
  const grainM = Math.min(grain(t.latitude), grain(t.longitude)) * METRES_PER_DEGREE;
  if (!(grainM / lastsS <= SPEED_ERROR_MPS)) return 'coarse';
  const vn = slopes(t.latitude).map((rate, i) => rate * metresPerDegree(t.latitude[i]!).north);
  const ve = slopes(unwound(t.longitude)).map((rate, i) => rate * metresPerDegree(t.latitude[i]!).east);
  const speed = vn.map((v, i) => Math.hypot(v, ve[i]!));
  const course = vn.map((v, i) =>
    speed[i]! >= COURSE_LEAST_MPS ? (Math.atan2(ve[i]!, v) / RADIANS + 360) % 360 : Number.NaN,
  );
  return { speed, course };
}

/** The largest degree, of latitude at a pole. */
const METRES_PER_DEGREE = 111_700;

/** Length of a degree of latitude and of longitude on the ellipsoid of WGS 84, in metres. */
function metresPerDegree(latitude: number): { north: number; east: number } {
  const angle = latitude * RADIANS;
  return {
    north: 111_132.95 - 559.85 * Math.cos(2 * angle) + 1.18 * Math.cos(4 * angle),
    east: 111_412.88 * Math.cos(angle) - 93.5 * Math.cos(3 * angle) + 0.12 * Math.cos(5 * angle),
  };
}

/** What degrees are rounded to, from the digits they were written with; 0 where they have more than matter. */
function grain(degrees: Float64Array): number {
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const scale = 10 ** digits;
    const isRound = (value: number) =>
      Math.abs(value * scale - Math.round(value * scale)) <=
      Math.abs(value * scale) * FLOAT_ERROR.relative + FLOAT_ERROR.digit;
    if (degrees.every((value) => Number.isNaN(value) || isRound(value))) return 1 / scale;
  }
  return 0;
}

/** Angles without the steps of 360: of headings in the north, of longitudes at the date line. */
function unwound(degrees: Float64Array): Float64Array {
  let last = Number.NaN;
  return degrees.map((value) => {
    if (Number.isNaN(value)) return value;
    last = Number.isNaN(last) ? value : value + 360 * Math.round((last - value) / 360);
    return last;
  });
}

/** Change per second: the slope of the straight line through the values within half of `windowS`, on this side of any gap; NaN where there are too few. */
function slopesOf(values: Float64Array, timeS: Float64Array, windowS: number, gapS: number): Float64Array {
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
    for (let k = i - 1; k >= Math.max(0, i - MOST_NEIGHBOURS) && inside(k, k + 1); k--) add(k);
    for (let k = i + 1; k <= Math.min(values.length - 1, i + MOST_NEIGHBOURS) && inside(k, k - 1); k++) add(k);
    const spread = n * stt - st * st;
    return n > 1 && spread > 0 ? (n * stv - st * sv) / spread : Number.NaN;
  });
}

/** The middle distance between samples, in seconds. */
function usualStep(timeS: Float64Array): number {
  const steps = timeS
    .slice(1)
    .map((time, i) => time - timeS[i]!)
    .sort();
  return steps[steps.length >> 1] ?? 0;
}
