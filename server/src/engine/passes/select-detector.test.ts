import { expect, test } from 'vitest';
import { createScene } from '../find/index.ts';
import { objects, observations, still, type TrackSpec } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { selectDetector } from './select-detector.ts';

const { planQuery } = createPlanner();
const DURATION_S = 20;
const tracks = (className: string, side: number, count: number): TrackSpec[] =>
  Array.from({ length: count }, () => ({ className, from: 0, to: 5, at: still(0.5, 0.5), size: () => [side, side] }));
const [SMALL, LARGE] = [0.05, 0.3];

function select(
  prompt: string,
  specs: TrackSpec[],
  { model = 'yolox_nano fd7193b8405b', width = 1920, durationS = DURATION_S } = {},
) {
  const found = observations(durationS, { objects: { ...objects(DURATION_S, specs), model } });
  return selectDetector(
    planQuery(prompt),
    createScene({ ...found, video: { ...found.video, width, height: width / 2 } }),
  );
}

test.each<[what: string, prompt: string, specs: TrackSpec[], expected: string | null]>([
  ['most cars are small', 'a car', [...tracks('car', SMALL, 3), ...tracks('car', LARGE, 1)], 'yolox_nano_640'],
  ['most cars are large', 'a car', [...tracks('car', SMALL, 1), ...tracks('car', LARGE, 3)], null],
  ['others are small', 'a car', [...tracks('person', SMALL, 5), ...tracks('car', LARGE, 2)], null],
  ['no bicycle was found where all is small', 'a bicycle', tracks('car', SMALL, 2), 'yolox_nano_640'],
  ['no bicycle was found where all is large', 'a bicycle', tracks('car', LARGE, 2), null],
  ['nothing was found', 'a car', [], null],
  [
    'the other object of a relation is small',
    'a person near a car',
    [...tracks('person', LARGE, 2), ...tracks('car', SMALL, 2)],
    'yolox_nano_640',
  ],
  ['traffic lights are small', 'the light turns red', tracks('traffic light', SMALL, 1), 'yolox_nano_640'],
  ['the prompt asks for no object', 'the picture is dark', tracks('car', SMALL, 3), null],
])('where %s', (_what, prompt, specs, expected) => {
  expect(select(prompt, specs)).toBe(expected);
});

test.each([
  ['a detector without such a variant', { model: 'yolox_s c5c2d13e59ae' }],
  ['the detector that sees larger frames already', { model: 'yolox_nano_640 fd7193b8405b' }],
  ['frames that are no larger than the usual copy', { width: 420 }],
  ['a long video that was observed as a whole', { durationS: 3600 }],
])('not for %s', (_what, options) => {
  expect(select('a car', tracks('car', SMALL, 3), options)).toBeNull();
});
