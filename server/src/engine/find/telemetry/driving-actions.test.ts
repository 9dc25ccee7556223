import { expect, test } from 'vitest';
import { createTelemetry, type TelemetrySample } from '../../observe/telemetry/samples.ts';
import { listDrivingActions } from './driving-actions.ts';

const SECONDS = 60;

/** Actions of a drive that is measured ten times a second, as text. */
function drive(sample: (t: number) => Omit<TelemetrySample, 'timeS'> | null): string[] {
  const samples = Array.from({ length: SECONDS * 10 + 1 }, (_, i) => i / 10).flatMap((timeS) => {
    const found = sample(timeS);
    return found ? [{ timeS, ...found }] : [];
  });
  return listDrivingActions(createTelemetry('test', samples)!).map(
    ({ startS, endS, longitudinal, lateral }) => `${Math.round(startS)}-${Math.round(endS)} ${longitudinal} ${lateral}`,
  );
}

test('a drive that brakes, stands and drives off', () => {
  // 20 m/s, from 10 s at -2 m/s² to a stop at 20 s, from 40 s at 2 m/s².
  const speedMps = (t: number) => (t < 40 ? Math.min(20, Math.max(0, 40 - 2 * t)) : Math.min(20, 2 * (t - 40)));
  expect(drive((t) => ({ speedMps: speedMps(t), yawRateDps: 0 }))).toEqual([
    '0-10 driving straight',
    '10-20 braking straight',
    '20-40 stopped null',
    '40-50 accelerating straight',
    '50-60 driving straight',
  ]);
});

test('hard braking, turns to both sides, and only the yaw rate', () => {
  const speedMps = (t: number) => (t < 30 ? 20 : Math.max(5, 20 - 5 * (t - 30)));
  const hard = drive((t) => ({ speedMps: speedMps(t) }));
  expect(hard.map((action) => action.replace(/^\S+ /, ''))).toEqual([
    'driving null',
    'braking null',
    'braking_hard null',
    'braking null',
    'driving null',
  ]);
  // 90 degrees to the left within 6 s, and to the right.
  const yawRateDps = (t: number) => (t >= 10 && t < 16 ? 15 : t >= 40 && t < 46 ? -15 : 0);
  expect(drive((t) => ({ yawRateDps: yawRateDps(t) }))).toEqual([
    '0-10 null straight',
    '10-16 null left',
    '16-40 null straight',
    '40-46 null right',
    '46-60 null straight',
  ]);
});

test('times without measurements are in no action, and positions alone are enough', () => {
  expect(drive((t) => (t > 20 && t < 40 ? null : { speedMps: 10 }))).toEqual([
    '0-20 driving null',
    '40-60 driving null',
  ]);
  // 10 m/s to the north.
  const north = drive((t) => ({ latitude: 52 + (10 * t) / 111_260, longitude: 13 }));
  expect(north).toEqual(['0-60 driving straight']);
  expect(drive(() => ({ altitudeM: 3 }))).toEqual([]);
});
