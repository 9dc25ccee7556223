import { describe, expect, test } from 'vitest';
import { createTelemetry, type TelemetrySample } from './samples.ts';

/**
 * Speeds and yaw rates from positions on tracks all over the earth, generated with the radii of the WGS 84 ellipsoid
 * and the digits of a GoPro.
 */
const RADIANS = Math.PI / 180;
const EQUATOR_M = 6_378_137;
const ECCENTRICITY_SQUARED = 0.00669437999014;
const HERTZ = 18;
const SECONDS = 10;

type Track = {
  latitude: number;
  longitude: number;
  heading: number;
  speedMps: number;
  turnDps?: number;
  digits?: number;
};

function samplesOf({ latitude, longitude, heading, speedMps, turnDps = 0, digits = 7 }: Track): TelemetrySample[] {
  const written = (degrees: number) => Math.round(degrees * 10 ** digits) / 10 ** digits;
  const wrapped = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  let [at, along, course] = [latitude, longitude, heading];
  return Array.from({ length: SECONDS * HERTZ }, (_, i) => {
    const sample = { timeS: i / HERTZ, latitude: written(at), longitude: written(wrapped(along)) };
    const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(at * RADIANS) ** 2);
    const meridian = (EQUATOR_M * (1 - ECCENTRICITY_SQUARED)) / root ** 3;
    const parallel = (EQUATOR_M / root) * Math.cos(at * RADIANS);
    const step = speedMps / HERTZ;
    at += (step * Math.cos(course * RADIANS)) / meridian / RADIANS;
    along += (step * Math.sin(course * RADIANS)) / parallel / RADIANS;
    course += turnDps / HERTZ;
    return sample;
  });
}

const PLACES = [
  [48.137, 11],
  [48, 11.5],
  [0, 0],
  [0, -78.5],
  [-0.00001, 30],
  [51.5, 0],
  [-33.9, 151.2],
  [-54.8, -68.3],
  [37.77, -122.42],
  [-16.8, 180],
  [65.1, -179.99995],
  [64.15, -22],
  [78.2, 15.6],
] as const;

describe.each(PLACES)('at latitude %d, longitude %d', (latitude, longitude) => {
  test.each([0, 30, 90, 135, 180, 225, 270, 359])('driving towards %d degrees at 10 m/s', (heading) => {
    const telemetry = createTelemetry('test', samplesOf({ latitude, longitude, heading, speedMps: 10 }))!;
    expect(telemetry.notes).toContain('speed is computed from positions');
    for (const speed of telemetry.speedMps.slice(HERTZ, -HERTZ)) expect(Math.abs(speed - 10)).toBeLessThan(0.05);
    for (const rate of telemetry.yawRateDps.slice(HERTZ, -HERTZ)) expect(Math.abs(rate)).toBeLessThan(0.5);
  });

  test('a bend to the right at 9 degrees per second', () => {
    const track = { latitude, longitude, heading: 330, speedMps: 12, turnDps: 9 };
    const telemetry = createTelemetry('test', samplesOf(track))!;
    for (const rate of telemetry.yawRateDps.slice(HERTZ, -HERTZ)) expect(Math.abs(rate + 9)).toBeLessThan(0.5);
  });

  test('a receiver that stands still with an error of a few centimeters', () => {
    const samples = samplesOf({ latitude, longitude, heading: 0, speedMps: 0 }).map((sample, i) => ({
      ...sample,
      latitude: Math.round((latitude + 2e-7 * Math.sin(i / 3)) * 1e7) / 1e7,
      longitude: Math.round((longitude - Math.sign(longitude) * 3e-7 + 2e-7 * Math.cos(i / 5)) * 1e7) / 1e7,
    }));
    const telemetry = createTelemetry('test', samples)!;
    expect(telemetry.notes).toContain('speed is computed from positions');
    for (const speed of telemetry.speedMps) expect(speed).toBeLessThan(0.2);
  });
});

describe('rounding', () => {
  const along = { latitude: 48.137, longitude: 11, heading: 0, speedMps: 10 };

  test.each([
    ['on the meridian', (i: number) => 11 + 0 * i],
    ['two centimeters beside it', (i: number) => 11 + 1.8e-7 * Math.sin(i)],
    [
      'two centimeters beside it, with nine digits',
      (i: number) => Math.round((11 + 1.83e-7 * Math.sin(i)) * 1e9) / 1e9,
    ],
  ])('a coordinate that stays %s does not hide the speed', (_, longitude) => {
    const samples = samplesOf(along).map((sample, i) => ({ ...sample, longitude: longitude(i) }));
    const { speedMps, notes } = createTelemetry('test', samples)!;
    expect(notes).toContain('speed is computed from positions');
    for (const speed of speedMps.slice(HERTZ, -HERTZ)) expect(Math.abs(speed - 10)).toBeLessThan(0.1);
  });

  test.each([2, 3, 4])('%d digits are too coarse everywhere', (digits) => {
    for (const [latitude, longitude] of PLACES) {
      const { speedMps, notes } = createTelemetry('test', samplesOf({ ...along, latitude, longitude, digits }))!;
      expect(speedMps.every(Number.isNaN)).toBe(true);
      expect(notes).toEqual(['positions are too coarse to compute a speed']);
    }
  });
});
