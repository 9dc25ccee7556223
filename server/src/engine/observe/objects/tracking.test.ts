import { expect, test } from 'vitest';
import { followCamera, NO_STEP } from './camera.ts';
import { CLASSES, MOVING_OBJECT } from './classes.ts';
import { COLORS } from './colors.ts';
import type { Box } from './movers.ts';
import { createThings } from './things.ts';
import type { Look } from './tracker.ts';
import type { Detection } from './yolox.ts';

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

/** Looks five times a second at what `see` says is there. */
function looks(count: number, see: (look: number) => Seen[], camera = NO_STEP): Look[] {
  return Array.from({ length: count }, (_, look) => {
    const detections = see(look).flatMap((seen) => detection(seen) ?? []);
    return { timeS: look / 5, camera: look === 0 ? NO_STEP : camera, cut: false, moving: [], detections };
  });
}

/** The same, and something moves there, before a camera that stands. */
function moving(seen: Look[], boxes: (look: number) => Seen[]): Look[] {
  return seen.map((look, n) => ({ ...look, moving: boxes(n).flatMap((box): Box | [] => detection(box) ?? []) }));
}

function track(seen: Look[]) {
  const things = createThings();
  for (const look of seen)
    things.take(look, new Float32Array((look.detections.length + look.moving.length) * COLORS.length));
  return things.finish();
}

test('a thing that drives through is one track from edge to edge', () => {
  const [car, ...others] = track(looks(25, (n) => (n >= 3 && n <= 19 ? [{ x: -0.05 + (n - 2) * 0.065, y: 0.5 }] : [])));
  expect(others).toEqual([]);
  expect(car).toMatchObject({ id: 1, className: 'car', enteredFrom: 'left', leftTo: 'right', stationary: [] });
  expect(car!.frame[0]).toBe(3);
  expect(car!.frame.at(-1)).toBe(18);
});

test('two that cross keep apart', () => {
  const tracks = track(
    looks(20, (n) => [
      { x: 0.1 + n * 0.042, y: 0.45 },
      { x: 0.9 - n * 0.042, y: 0.55 },
    ]),
  );
  expect(tracks).toHaveLength(2);
  expect(tracks.map(({ x }) => Math.sign(x.at(-1)! - x[0]!))).toEqual([1, -1]);
  expect(tracks.every(({ x }) => x.length === 20)).toBe(true);
});

test('a short loss is bridged on the straight line, with score 0', () => {
  const [person, ...others] = track(
    looks(20, (n) => (n >= 8 && n <= 11 ? [] : [{ x: 0.2 + n * 0.02, y: 0.5, classIndex: PERSON, height: 0.3 }])),
  );
  expect(others).toEqual([]);
  expect(person!.frame).toHaveLength(20);
  expect([...person!.score.subarray(8, 12)]).toEqual([0, 0, 0, 0]);
  expect(person!.x[10]).toBeCloseTo(0.4, 5);
});

test('after a long loss it is another one', () => {
  const tracks = track(looks(40, (n) => (n >= 8 && n <= 24 ? [] : [{ x: 0.5, y: 0.5 }])));
  expect(tracks.map(({ frame }) => frame[0])).toEqual([0, 25]);
});

test('a part of a car that was once taken for another car is not the next car that comes there', () => {
  const tracks = track(
    looks(24, (n) => [
      { x: 0.2, y: 0.5, width: 0.2 },
      ...(n >= 2 && n <= 5 ? [{ x: 0.12, y: 0.5, width: 0.08, score: n === 2 ? 0.46 : 0.15 }] : []),
      ...(n >= 12 ? [{ x: 0.1 + (n - 12) * 0.01, y: 0.5, width: 0.08 }] : []),
    ]),
  );
  expect(tracks.filter(({ frame }) => frame.at(-1) === 23).map(({ frame }) => frame[0])).toEqual([0, 12]);
});

test('weak detections go on with a track but start none', () => {
  const half = looks(20, (n) => [
    { x: 0.2 + n * 0.01, y: 0.3, score: n > 5 && n < 15 ? 0.2 : 0.8 },
    { x: 0.7, y: 0.7, score: 0.35 },
  ]);
  const tracks = track(half);
  expect(tracks).toHaveLength(1);
  expect(tracks[0]!.score.filter((score) => score > 0)).toHaveLength(20);
});

test('a single sighting is not believed', () => {
  expect(track(looks(10, (n) => (n === 4 ? [{ x: 0.5, y: 0.5, score: 0.95 }] : [])))).toEqual([]);
});

test('a lorry that is now and then taken for a car stays one lorry', () => {
  const [lorry, ...others] = track(
    looks(20, (n) => [{ x: 0.2 + n * 0.02, y: 0.5, classIndex: n % 4 === 1 ? CAR : TRUCK }]),
  );
  expect(others).toEqual([]);
  expect(lorry!.className).toBe('truck');
});

test('a person never becomes a car', () => {
  const tracks = track(looks(20, (n) => [{ x: 0.5, y: 0.5, classIndex: n < 10 ? PERSON : CAR }]));
  expect(tracks.map(({ className }) => className)).toEqual(['person', 'car']);
});

test('standing is found, also between driving in and driving off', () => {
  const [car] = track(
    looks(50, (n) => [{ x: 0.2 + 0.03 * Math.min(n, 10) + 0.03 * Math.max(0, n - 35), y: 0.5 + 0.002 * (n % 2) }]),
  );
  expect(car!.stationary).toHaveLength(1);
  const [{ startS, endS } = { startS: 0, endS: 0 }] = car!.stationary;
  expect(Math.abs(startS - 2)).toBeLessThanOrEqual(0.4);
  expect(Math.abs(endS - 7)).toBeLessThanOrEqual(0.4);
});

test('what grows comes nearer and does not stand', () => {
  const [car] = track(looks(30, (n) => [{ x: 0.5, y: 0.5, width: 0.1 * 1.06 ** n, height: 0.1 * 1.06 ** n }]));
  expect(car!.stationary).toEqual([]);
});

test('under a panning camera, what goes with the scene stands, and what stays in the picture moves', () => {
  // The camera goes right: the scene moves left by 1.5 % of the width per look.
  const pan = followCamera(NO_STEP, { x: -0.015 * 320, y: 0, zoom: 0 });
  const tracks = track(
    looks(
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

test('a camera that goes forward lets nothing be said about standing', () => {
  const forward = followCamera(NO_STEP, { x: 0, y: 0, zoom: 0.03 });
  const tracks = track(looks(30, () => [{ x: 0.5, y: 0.5 }], forward));
  expect(tracks[0]!.stationary).toEqual([]);
});

test('motion of the camera adds up about the picture centre', () => {
  const twice = followCamera(followCamera(NO_STEP, { x: 32, y: 0, zoom: 0 }), { x: 0, y: 0, zoom: 0.5 });
  // From the centre, a tenth of the width to the right, then magnified by a half.
  expect(twice.scale * 0.5 + twice.shiftX).toBeCloseTo(0.65, 10);
  expect(twice.scale * 0.5 + twice.shiftY).toBeCloseTo(0.5, 10);
});

test('who only stands at the edge neither came nor went over it', () => {
  const [person] = track(
    looks(20, (n) => (n >= 4 && n <= 14 ? [{ x: 0.95, y: 0.9, width: 0.1, height: 0.2, classIndex: PERSON }] : [])),
  );
  expect(person).toMatchObject({ enteredFrom: null, leftTo: null });
});

test('who is there at the start did not enter, and who is there at the end did not leave', () => {
  const [car] = track(looks(10, (n) => [{ x: 0.05 + n * 0.1, y: 0.5 }]));
  expect(car).toMatchObject({ enteredFrom: null, leftTo: null });
});

test('a cut ends every track, also where another one stands in nearly the same place', () => {
  const seen = looks(20, (n) => [{ x: n < 10 ? 0.4 : 0.43, y: 0.5, classIndex: PERSON, height: 0.5 }]);
  expect(track(seen)).toHaveLength(1);
  expect(track(seen.map((look, n) => ({ ...look, cut: n === 10 })))).toMatchObject([
    { enteredFrom: null, leftTo: null },
    { enteredFrom: null, leftTo: null },
  ]);
});

test('a flash is not a cut: what is still in its place goes on', () => {
  const seen = looks(20, () => [{ x: 0.4, y: 0.5, classIndex: PERSON, height: 0.5 }]);
  expect(track(seen.map((look, n) => ({ ...look, cut: n === 10 || n === 11 })))).toHaveLength(1);
});

test('looks may lie far apart: what stands goes on, and nobody walks on by himself meanwhile', () => {
  const seen = looks(20, (n) => [{ x: n < 10 ? 0.2 + 0.02 * n : 0.4, y: 0.5, classIndex: PERSON, height: 0.3 }]);
  const gated = seen.map((look, n) => ({ ...look, timeS: n < 12 ? look.timeS : look.timeS + 30 }));
  expect(track(gated)).toHaveLength(1);
});

/** Drives from left to right in 20 looks. */
const driving = (n: number) => ({ x: 0.02 + 0.048 * n, y: 0.5, width: 0.2, height: 0.15 });

test('no phone drives: what moves by itself is what else it was taken for', () => {
  const phone = looks(21, (n) => [
    { ...driving(n), classIndex: n % 7 === 3 ? CAR : PHONE, score: n % 7 === 3 ? 0.3 : 0.8 },
  ]);
  expect(track(moving(phone, (n) => [driving(n)])).map(({ className }) => className)).toEqual(['car']);
  const nothingElse = looks(21, (n) => [{ ...driving(n), classIndex: PHONE }]);
  expect(track(moving(nothingElse, (n) => [driving(n)])).map(({ className }) => className)).toEqual([MOVING_OBJECT]);
  // Lying, or under a camera that moves, it may be one.
  expect(track(looks(21, () => [{ x: 0.5, y: 0.5, classIndex: PHONE }]))[0]!.className).toBe('cell phone');
  expect(track(nothingElse)[0]!.className).toBe('cell phone');
});

test('what a person carries is what it looks like', () => {
  const seen = looks(21, (n) => [
    { ...driving(n), width: 0.15, height: 0.5, classIndex: PERSON },
    { ...driving(n), width: 0.04, height: 0.1, classIndex: HANDBAG },
  ]);
  const tracks = track(moving(seen, (n) => [{ ...driving(n), height: 0.5 }]));
  expect(tracks.map(({ className }) => className)).toEqual(['person', 'handbag']);
});

test('what only moves is followed over the edges of the picture, and named for what it is', () => {
  const [thing, ...others] = track(
    moving(
      looks(30, () => []),
      (n) => (n >= 4 && n <= 24 ? [driving(n - 4)] : []),
    ),
  );
  expect(others).toEqual([]);
  expect(thing).toMatchObject({ className: MOVING_OBJECT, enteredFrom: 'left', leftTo: 'right' });
  expect([thing!.frame[0], thing!.frame.at(-1)]).toEqual([4, 24]);
});

test('what only sways, or flickers up here and there, is nothing', () => {
  const tree = moving(
    looks(40, () => []),
    (n) => [{ x: 0.5 + 0.05 * Math.sin(n), y: 0.3, width: 0.2, height: 0.3 }],
  );
  expect(track(tree)).toEqual([]);
  const leaves = moving(
    looks(40, () => []),
    (n) => [{ x: ((n * 37) % 40) / 40, y: ((n * 23) % 40) / 40 }],
  );
  expect(track(leaves)).toEqual([]);
});

test('motion where something is recognised makes no second thing', () => {
  const seen = looks(21, (n) => [{ ...driving(n), classIndex: n % 5 === 4 ? CAR : TRUCK, score: n === 9 ? 0.2 : 0.7 }]);
  const tracks = track(moving(seen, (n) => [{ ...driving(n), width: 0.3, height: 0.3 }]));
  expect(tracks.map(({ className }) => className)).toEqual(['truck']);
});

test('in one place there is one thing: a hydrant that is where a person is, is the person', () => {
  const seen = looks(20, (n) => [
    { x: 0.3 + 0.02 * n, y: 0.5, width: 0.2, height: 0.5, classIndex: PERSON },
    ...(n < 6 ? [{ x: 0.3 + 0.02 * n, y: 0.5, width: 0.21, height: 0.5, classIndex: HYDRANT, score: 0.75 }] : []),
  ]);
  expect(track(seen).map(({ className }) => className)).toEqual(['person']);
});

test('a bus that is no larger than the cars on its row of the picture is one of them', () => {
  const bus = CLASSES.indexOf('bus');
  const seen = (size: number) =>
    looks(60, (n) => {
      const lane = Math.floor(n / 20);
      const larger = lane === 2 ? size : 1;
      const x = 0.15 + 0.035 * (n % 20);
      const y = [0.2, 0.8, 0.5][lane]! + 0.005 * (n % 20) + (lane === 2 ? 0.035 * ((n % 20) - 10) : 0);
      return [{ x, y, width: 0.2 * larger, height: 0.15 * larger, classIndex: lane === 2 ? bus : CAR }];
    });
  expect(track(seen(1)).map(({ className }) => className)).toEqual(['car', 'car', 'car']);
  expect(track(seen(1.8)).map(({ className }) => className)).toEqual(['car', 'car', 'bus']);
});

test('a bike that is now and then recognised below the same rider is there as long as he is', () => {
  const riding = (sure: (n: number) => boolean) =>
    looks(30, (n) => [
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
