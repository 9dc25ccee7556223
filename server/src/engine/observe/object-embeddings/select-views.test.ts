import { expect, test } from 'vitest';
import { MAX_VIEWS, MIN_SIDE, selectViews } from './select-views.ts';
import { objectsOf, trackedCars, trackOf } from './views.fixture.ts';

const VIDEO = { width: 640, height: 360 };
const framesOf = (objects: ReturnType<typeof objectsOf>) =>
  selectViews(objects, VIDEO).map(({ track, timeS }) => [track.id, timeS]);

test('each object has its largest box that the edge of the frame does not cut off', () => {
  expect(framesOf(trackedCars())).toEqual([
    [1, 1],
    [4, 3],
  ]);
});

test('an object that is cut off all the time has its largest box, as far as it is in the frame', () => {
  const always = trackOf(2, [
    { frame: 0, x: 0, width: 0.3 },
    { frame: 1, x: 0.1, width: 0.4 },
  ]);
  const [view] = selectViews(objectsOf([always]), VIDEO);
  expect(view!.timeS).toBe(1);
  expect(view!.box.x).toBe(0);
  expect(view!.box.width).toBeCloseTo(0.3, 5);
});

test('objects that are too small, and boxes where nothing was detected, have no view', () => {
  const least = MIN_SIDE / VIDEO.height;
  const small = trackOf(1, [{ frame: 0, x: 0.5, width: 0.5, height: least - 0.01 }]);
  const bridged = trackOf(2, [{ frame: 0, x: 0.5, width: 0.5, score: 0 }]);
  const enough = trackOf(3, [{ frame: 0, x: 0.5, width: 0.5, height: least + 0.01 }]);
  expect(framesOf(objectsOf([small, bridged, enough]))).toEqual([[3, 0]]);
  expect(framesOf(objectsOf([]))).toEqual([]);
});

test('an object that is in view for long has a view in each third of its time', () => {
  const sizes = [0.2, 0.3, 0.2, 0.2, 0.2, 0.4, 0.2, 0.5, 0.2, 0.2, 0.2];
  const long = trackOf(
    1,
    sizes.map((width, frame) => ({ frame, x: 0.5, width })),
  );
  expect(framesOf(objectsOf([long]))).toEqual([
    [1, 1],
    [1, 5],
    [1, 7],
  ]);
});

test('of too many views, each object keeps its best one, and the largest objects remain', () => {
  const tracks = Array.from({ length: MAX_VIEWS + 20 }, (_, at) =>
    trackOf(at, [
      { frame: 0, x: 0.5, width: at < 20 ? 0.2 : 0.3 },
      { frame: 20, x: 0.5, width: 0.15 },
    ]),
  );
  const views = selectViews(objectsOf(tracks), VIDEO);
  expect(views.map(({ track }) => track.id)).toEqual(Array.from({ length: MAX_VIEWS }, (_, at) => at + 20));
  expect(views.every(({ timeS }) => timeS === 0)).toBe(true);
});
