import { expect, test } from 'vitest';
import { CLASSES, MOVING_OBJECT } from './classes.ts';
import { SHARES_PER_BOX } from './colors.ts';
import type { Detection } from './detector/detection.ts';
import { createTrackBuilder } from './track-builder.ts';
import { accumulateMotion, IDENTITY_TRANSFORM } from './tracker/camera-transform.ts';
import type { BoxCorners } from './tracker/moving-regions.ts';
import type { FrameSample } from './tracker/tracker.ts';

const CAR = CLASSES.indexOf('car');
const TRUCK = CLASSES.indexOf('truck');
const PERSON = CLASSES.indexOf('person');
const PHONE = CLASSES.indexOf('cell phone');
const BICYCLE = CLASSES.indexOf('bicycle');
const HANDBAG = CLASSES.indexOf('handbag');
const HYDRANT = CLASSES.indexOf('fire hydrant');

type Seen = { x: number; y: number; width?: number; height?: number; score?: number; classIndex?: number };

function detection({ x, y, width = 0.1, height = 0.1, score = 0.8, classIndex = CAR }: Seen): Detection | null {
  const [x0, x1] = [Math.max(0, x - width / 2), Math.min(1, x + width / 2)];
  const [y0, y1] = [Math.max(0, y - height / 2), Math.min(1, y + height / 2)];
  return x1 - x0 > 0.02 && y1 - y0 > 0.02 ? { classIndex, score, x0, y0, x1, y1 } : null;
}

/** Samples at five frames per second, with the detections of `see`. */
function samples(count: number, see: (sample: number) => Seen[], camera = IDENTITY_TRANSFORM): FrameSample[] {
  return Array.from({ length: count }, (_, sample) => {
    const detections = see(sample).flatMap((seen) => detection(seen) ?? []);
    return {
      timeS: sample / 5,
      camera: sample === 0 ? IDENTITY_TRANSFORM : camera,
      cut: false,
      moving: [],
      detections,
    };
  });
}

/** Adds moving regions, as in front of a fixed camera. */
function moving(seen: FrameSample[], boxes: (sample: number) => Seen[]): FrameSample[] {
  return seen.map((sample, n) => ({
    ...sample,
    moving: boxes(n).flatMap((box): BoxCorners | [] => detection(box) ?? []),
  }));
}

function track(seen: FrameSample[]) {
  const builder = createTrackBuilder();
  for (const sample of seen)
    builder.add(sample, new Float32Array((sample.detections.length + sample.moving.length) * SHARES_PER_BOX));
  return builder.finish();
}

test('an object that drives through has one track from edge to edge', () => {
  const [car, ...others] = track(
    samples(25, (n) => (n >= 3 && n <= 19 ? [{ x: -0.05 + (n - 2) * 0.065, y: 0.5 }] : [])),
  );
  expect(others).toEqual([]);
  expect(car).toMatchObject({ id: 1, className: 'car', enteredFrom: 'left', leftTo: 'right', stationary: [] });
  expect(car!.frame[0]).toBe(3);
  expect(car!.frame.at(-1)).toBe(18);
});

test('two crossing objects keep their tracks', () => {
  const tracks = track(
    samples(20, (n) => [
      { x: 0.1 + n * 0.042, y: 0.45 },
      { x: 0.9 - n * 0.042, y: 0.55 },
    ]),
  );
  expect(tracks).toHaveLength(2);
  expect(tracks.map(({ x }) => Math.sign(x.at(-1)! - x[0]!))).toEqual([1, -1]);
  expect(tracks.every(({ x }) => x.length === 20)).toBe(true);
});

test('a short gap is interpolated, with score 0', () => {
  const [person, ...others] = track(
    samples(20, (n) => (n >= 8 && n <= 11 ? [] : [{ x: 0.2 + n * 0.02, y: 0.5, classIndex: PERSON, height: 0.3 }])),
  );
  expect(others).toEqual([]);
  expect(person!.frame).toHaveLength(20);
  expect([...person!.score.subarray(8, 12)]).toEqual([0, 0, 0, 0]);
  expect(person!.x[10]).toBeCloseTo(0.4, 5);
});

test('after a long gap a new track starts', () => {
  const tracks = track(samples(40, (n) => (n >= 8 && n <= 24 ? [] : [{ x: 0.5, y: 0.5 }])));
  expect(tracks.map(({ frame }) => frame[0])).toEqual([0, 25]);
});

test('a false detection on a part of a car is not continued by the next car', () => {
  const tracks = track(
    samples(24, (n) => [
      { x: 0.2, y: 0.5, width: 0.2 },
      ...(n >= 2 && n <= 5 ? [{ x: 0.12, y: 0.5, width: 0.08, score: n === 2 ? 0.46 : 0.15 }] : []),
      ...(n >= 12 ? [{ x: 0.1 + (n - 12) * 0.01, y: 0.5, width: 0.08 }] : []),
    ]),
  );
  expect(tracks.filter(({ frame }) => frame.at(-1) === 23).map(({ frame }) => frame[0])).toEqual([0, 12]);
});

test('weak detections continue a track but start none', () => {
  const half = samples(20, (n) => [
    { x: 0.2 + n * 0.01, y: 0.3, score: n > 5 && n < 15 ? 0.2 : 0.8 },
    { x: 0.7, y: 0.7, score: 0.35 },
  ]);
  const tracks = track(half);
  expect(tracks).toHaveLength(1);
  expect(tracks[0]!.score.filter((score) => score > 0)).toHaveLength(20);
});

test('a single detection makes no track', () => {
  expect(track(samples(10, (n) => (n === 4 ? [{ x: 0.5, y: 0.5, score: 0.95 }] : [])))).toEqual([]);
});

test('a lorry sometimes detected as a car remains one lorry', () => {
  const [lorry, ...others] = track(
    samples(20, (n) => [{ x: 0.2 + n * 0.02, y: 0.5, classIndex: n % 4 === 1 ? CAR : TRUCK }]),
  );
  expect(others).toEqual([]);
  expect(lorry!.className).toBe('truck');
});

test('a person never becomes a car', () => {
  const tracks = track(samples(20, (n) => [{ x: 0.5, y: 0.5, classIndex: n < 10 ? PERSON : CAR }]));
  expect(tracks.map(({ className }) => className)).toEqual(['person', 'car']);
});

test('finds a stationary interval between two drives', () => {
  const [car] = track(
    samples(50, (n) => [{ x: 0.2 + 0.03 * Math.min(n, 10) + 0.03 * Math.max(0, n - 35), y: 0.5 + 0.002 * (n % 2) }]),
  );
  expect(car!.stationary).toHaveLength(1);
  const [{ startS, endS } = { startS: 0, endS: 0 }] = car!.stationary;
  expect(Math.abs(startS - 2)).toBeLessThanOrEqual(0.4);
  expect(Math.abs(endS - 7)).toBeLessThanOrEqual(0.4);
});

test('a growing box approaches and is not stationary', () => {
  const [car] = track(samples(30, (n) => [{ x: 0.5, y: 0.5, width: 0.1 * 1.06 ** n, height: 0.1 * 1.06 ** n }]));
  expect(car!.stationary).toEqual([]);
});

test('under a panning camera, objects that move with the scene are stationary, and objects that stay in the frame move', () => {
  // The camera moves right: the scene moves left by 1.5 % of the width per sample.
  const pan = accumulateMotion(IDENTITY_TRANSFORM, { x: -0.015 * 320, y: 0, zoom: 0 });
  const tracks = track(
    samples(
      30,
      (n) => [
        { x: 0.8 - 0.015 * n, y: 0.3 },
        { x: 0.5, y: 0.7 },
      ],
      pan,
    ),
  );
  expect(tracks.map(({ stationary }) => stationary)).toEqual([[{ startS: 0, endS: 5.8 }], []]);
});

test('finds no stationary intervals while the camera moves forward', () => {
  const forward = accumulateMotion(IDENTITY_TRANSFORM, { x: 0, y: 0, zoom: 0.03 });
  const tracks = track(samples(30, () => [{ x: 0.5, y: 0.5 }], forward));
  expect(tracks[0]!.stationary).toEqual([]);
});

test('camera motion accumulates about the frame center', () => {
  const twice = accumulateMotion(accumulateMotion(IDENTITY_TRANSFORM, { x: 32, y: 0, zoom: 0 }), {
    x: 0,
    y: 0,
    zoom: 0.5,
  });
  // From the center, a tenth of the width to the right, then magnified by a half.
  expect(twice.scale * 0.5 + twice.shiftX).toBeCloseTo(0.65, 10);
  expect(twice.scale * 0.5 + twice.shiftY).toBeCloseTo(0.5, 10);
});

test('an object that only stands at the edge has not crossed it', () => {
  const [person] = track(
    samples(20, (n) => (n >= 4 && n <= 14 ? [{ x: 0.95, y: 0.9, width: 0.1, height: 0.2, classIndex: PERSON }] : [])),
  );
  expect(person).toMatchObject({ enteredFrom: null, leftTo: null });
});

test('objects present at the start did not enter, and objects present at the end did not leave', () => {
  const [car] = track(samples(10, (n) => [{ x: 0.05 + n * 0.1, y: 0.5 }]));
  expect(car).toMatchObject({ enteredFrom: null, leftTo: null });
});

test('a cut ends every track, even if another object is in nearly the same place', () => {
  const seen = samples(20, (n) => [{ x: n < 10 ? 0.4 : 0.43, y: 0.5, classIndex: PERSON, height: 0.5 }]);
  expect(track(seen)).toHaveLength(1);
  expect(track(seen.map((sample, n) => ({ ...sample, cut: n === 10 })))).toMatchObject([
    { enteredFrom: null, leftTo: null },
    { enteredFrom: null, leftTo: null },
  ]);
});

test('a flash is not a cut: tracks of objects in the same place continue', () => {
  const seen = samples(20, () => [{ x: 0.4, y: 0.5, classIndex: PERSON, height: 0.5 }]);
  expect(track(seen.map((sample, n) => ({ ...sample, cut: n === 10 || n === 11 })))).toHaveLength(1);
});

test('with samples far apart, stationary tracks continue and predictions do not drift', () => {
  const seen = samples(20, (n) => [{ x: n < 10 ? 0.2 + 0.02 * n : 0.4, y: 0.5, classIndex: PERSON, height: 0.3 }]);
  const gated = seen.map((sample, n) => ({ ...sample, timeS: n < 12 ? sample.timeS : sample.timeS + 30 }));
  expect(track(gated)).toHaveLength(1);
});

/** Drives from left to right in 20 samples. */
const driving = (n: number) => ({ x: 0.02 + 0.048 * n, y: 0.5, width: 0.2, height: 0.15 });

test('a moving object of an immobile class gets its next most likely class', () => {
  const phone = samples(21, (n) => [
    { ...driving(n), classIndex: n % 7 === 3 ? CAR : PHONE, score: n % 7 === 3 ? 0.3 : 0.8 },
  ]);
  expect(track(moving(phone, (n) => [driving(n)])).map(({ className }) => className)).toEqual(['car']);
  const nothingElse = samples(21, (n) => [{ ...driving(n), classIndex: PHONE }]);
  expect(track(moving(nothingElse, (n) => [driving(n)])).map(({ className }) => className)).toEqual([MOVING_OBJECT]);
  // Lying, or under a camera that moves, it may be one.
  expect(track(samples(21, () => [{ x: 0.5, y: 0.5, classIndex: PHONE }]))[0]!.className).toBe('cell phone');
  expect(track(nothingElse)[0]!.className).toBe('cell phone');
});

test('a carried object keeps its detected class', () => {
  const seen = samples(21, (n) => [
    { ...driving(n), width: 0.15, height: 0.5, classIndex: PERSON },
    { ...driving(n), width: 0.04, height: 0.1, classIndex: HANDBAG },
  ]);
  const tracks = track(moving(seen, (n) => [{ ...driving(n), height: 0.5 }]));
  expect(tracks.map(({ className }) => className)).toEqual(['person', 'handbag']);
});

test('motion without detections is tracked across the frame edges, as a moving object', () => {
  const [mover, ...others] = track(
    moving(
      samples(30, () => []),
      (n) => (n >= 4 && n <= 24 ? [driving(n - 4)] : []),
    ),
  );
  expect(others).toEqual([]);
  expect(mover).toMatchObject({ className: MOVING_OBJECT, enteredFrom: 'left', leftTo: 'right' });
  expect([mover!.frame[0], mover!.frame.at(-1)]).toEqual([4, 24]);
});

test('swaying and flickering regions make no track', () => {
  const tree = moving(
    samples(40, () => []),
    (n) => [{ x: 0.5 + 0.05 * Math.sin(n), y: 0.3, width: 0.2, height: 0.3 }],
  );
  expect(track(tree)).toEqual([]);
  const leaves = moving(
    samples(40, () => []),
    (n) => [{ x: ((n * 37) % 40) / 40, y: ((n * 23) % 40) / 40 }],
  );
  expect(track(leaves)).toEqual([]);
});

test('motion of a detected object starts no second track', () => {
  const seen = samples(21, (n) => [
    { ...driving(n), classIndex: n % 5 === 4 ? CAR : TRUCK, score: n === 9 ? 0.2 : 0.7 },
  ]);
  const tracks = track(moving(seen, (n) => [{ ...driving(n), width: 0.3, height: 0.3 }]));
  expect(tracks.map(({ className }) => className)).toEqual(['truck']);
});

test('one place has one object: a hydrant in the place of a person is the person', () => {
  const seen = samples(20, (n) => [
    { x: 0.3 + 0.02 * n, y: 0.5, width: 0.2, height: 0.5, classIndex: PERSON },
    ...(n < 6 ? [{ x: 0.3 + 0.02 * n, y: 0.5, width: 0.21, height: 0.5, classIndex: HYDRANT, score: 0.75 }] : []),
  ]);
  expect(track(seen).map(({ className }) => className)).toEqual(['person']);
});

test('a bus no larger than the cars on the same row of the frame is a car', () => {
  const bus = CLASSES.indexOf('bus');
  const seen = (size: number) =>
    samples(60, (n) => {
      const lane = Math.floor(n / 20);
      const larger = lane === 2 ? size : 1;
      const x = 0.15 + 0.035 * (n % 20);
      const y = [0.2, 0.8, 0.5][lane]! + 0.005 * (n % 20) + (lane === 2 ? 0.035 * ((n % 20) - 10) : 0);
      return [{ x, y, width: 0.2 * larger, height: 0.15 * larger, classIndex: lane === 2 ? bus : CAR }];
    });
  expect(track(seen(1)).map(({ className }) => className)).toEqual(['car', 'car', 'car']);
  expect(track(seen(1.8)).map(({ className }) => className)).toEqual(['car', 'car', 'bus']);
});

test('a bike sometimes detected below the same rider is there as long as the rider', () => {
  const riding = (sure: (n: number) => boolean) =>
    samples(30, (n) => [
      { x: 0.3 + 0.01 * n, y: 0.5, width: 0.05, height: 0.2, classIndex: PERSON },
      ...(n % 3 === 0
        ? [{ x: 0.3 + 0.01 * n, y: 0.58, width: 0.04, height: 0.1, classIndex: BICYCLE, score: sure(n) ? 0.7 : 0.15 }]
        : []),
    ]);
  const [rider, bike, ...others] = track(riding((n) => n >= 24));
  expect(others).toEqual([]);
  expect([rider!.className, bike!.className]).toEqual(['person', 'bicycle']);
  expect([bike!.frame[0], bike!.frame.at(-1)]).toEqual([0, 27]);
  // Unsure all the time, it is the legs.
  expect(track(riding(() => false)).map(({ className }) => className)).toEqual(['person']);
});
