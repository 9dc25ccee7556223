import { expect, test } from 'vitest';
import { CLASSES } from '../classes.ts';
import { IDENTITY_TRANSFORM } from '../tracker/camera-transform.ts';
import { classAgreement } from './class-agreement.ts';

const detection = (className: string, score: number, x0 = 0.4) => ({
  classIndex: CLASSES.indexOf(className),
  score,
  x0,
  y0: 0.4,
  x1: x0 + 0.2,
  y1: 0.6,
});
const sample = (...detections: ReturnType<typeof detection>[]) => ({
  timeS: 0,
  camera: IDENTITY_TRANSFORM,
  cut: false,
  moving: [],
  detections,
});
const steps = [0, 1].map((index) => ({ x: 0.5, y: 0.5, width: 0.2, height: 0.2, sample: index }));

test.each([
  ['all detections have the class', [sample(detection('cup', 0.6)), sample(detection('cup', 0.4))], 1],
  ['another class in the same frame', [sample(detection('cup', 0.5), detection('vase', 0.5))], 0.5],
  ['another class in a frame of a gap', [sample(detection('cup', 0.6)), sample(detection('vase', 0.2))], 0.75],
  ['another class beside it', [sample(detection('cup', 0.6), detection('vase', 0.6, 0.7))], 1],
])('%s', (_name, samples, expected) => {
  const known = steps.filter(({ sample: index }) => index < samples.length);
  expect(classAgreement('cup', known, samples)).toBeCloseTo(expected, 6);
});

test('a truck is not another class for a car, and a moving object has none', () => {
  const samples = [sample(detection('truck', 0.6)), sample(detection('car', 0.4))];
  expect(classAgreement('car', steps, samples)).toBe(1);
  expect(classAgreement('moving object', steps, samples)).toBe(1);
});
