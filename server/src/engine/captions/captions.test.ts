import { expect, test } from 'vitest';
import { answerScene } from '../answer.ts';
import { createScene } from '../find/index.ts';
import { objects, observations, signals } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { captionScene } from './index.ts';

const planner = createPlanner();

/** Captions as [start, end, text]. */
function captions(seconds: number, parts: Parameters<typeof observations>[1]) {
  const scene = createScene(observations(seconds, parts));
  const { events } = captionScene(scene, (prompt) => answerScene(planner.planQuery(prompt), scene));
  return events.map(({ startS, endS, label }) => [startS, endS, label]);
}

const walk = (from: number, to: number, x0: number, x1: number) => ({
  className: 'person',
  from,
  to,
  at: (t: number): [number, number] => [x0 + ((x1 - x0) * (t - from)) / (to - from), 0.5],
  score: 0.9,
});

test('a caption for each range in which the same is in view', () => {
  const tracks = [walk(5, 12, 0.1, 0.9), walk(5, 12, 0.2, 0.8), { ...walk(12, 20, 0.5, 0.5), className: 'car' }];
  expect(captions(20, { signals: signals(20), objects: objects(20, tracks) })).toEqual([
    [0, 5, 'No known object is in view; the camera is still.'],
    [5, 12, 'Two people move left to right; the camera is still.'],
    [12, 20, 'A car is in view; the camera is still.'],
  ]);
});

test('captions cover the video without gaps, and a short change starts none', () => {
  const tracks = [walk(0, 60, 0.9, 0.1), { ...walk(30, 30.8, 0.5, 0.5), className: 'dog' }];
  const found = captions(130, { signals: signals(130), objects: objects(130, tracks) });
  expect(found[0]![0]).toBe(0);
  expect(found.at(-1)![1]).toBe(130);
  for (const [i, [start]] of found.entries()) if (i > 0) expect(start).toBe(found[i - 1]![1]);
  expect(found.some(([, , text]) => String(text).includes('dog'))).toBe(false);
  expect(found[0]).toEqual([0, expect.any(Number), expect.stringMatching(/^A person moves right to left/)]);
});

test('without a detector only light and motion are stated', () => {
  const dark = signals(10, () => ({ luma: 8, dark: 0.95, contrast: 5 }));
  expect(captions(10, { signals: dark })).toEqual([
    [0, 10, 'No known object is in view; it is dark; the camera is still.'],
  ]);
});
