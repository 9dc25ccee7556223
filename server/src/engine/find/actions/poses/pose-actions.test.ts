// Generated poses of people over time: their actions, and the statements of coverage where poses are missing.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../../answer.fixture.ts';
import type { Observations, Poses } from '../../../observe/observations.ts';
import { VALUES_PER_POSE } from '../../../observe/poses/joints.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';
import {
  BENT,
  type Body,
  CROUCHED,
  HAND_AT_EAR,
  HAND_UP,
  lying,
  mirrored,
  POINTING,
  placed,
  RUNNING,
  SEATED,
  STANDING,
} from './body.fixture.ts';

const SECONDS = 10;
const SIZE: [number, number] = [0.1, 0.5];
const still1: TrackSpec = { className: 'person', from: 0, to: SECONDS, at: still(0.5, 0.5), size: () => SIZE };
const mover: TrackSpec = { ...still1, at: line(0, [0.1, 0.5], 8, [0.9, 0.5]), size: () => SIZE };

/** A video of people with a pose in every frame that their tracks have, as a body at a time; null: not examined. */
function video(
  bodies: ((timeS: number) => Body | null)[],
  specs: TrackSpec[] = bodies.map(() => still1),
): Observations {
  const found = objects(SECONDS, specs);
  const views = found.tracks.flatMap((track, at) =>
    [...track.frame].flatMap((frame, entry) => {
      const body = bodies[at]!(found.timeS[frame]!);
      if (!body) return [];
      return [{ id: track.id, frame, points: placed(body, { x: track.x[entry]!, y: track.y[entry]! }) }];
    }),
  );
  const points = new Float32Array(views.length * VALUES_PER_POSE);
  for (const [at, view] of views.entries()) points.set(view.points, at * VALUES_PER_POSE);
  const poses: Poses = {
    model: 'test poses',
    detector: found.model,
    track: Int32Array.from(views, ({ id }) => id),
    frame: Int32Array.from(views, ({ frame }) => frame),
    points,
  };
  return observations(SECONDS, { signals: signals(SECONDS), objects: found, poses });
}

/** Spans of what is found, certain or not, in seconds. */
const found = (prompt: string, made: Observations) => {
  const { events, candidates } = answerPrompt(prompt, made);
  return [...events, ...candidates].map(({ startS, endS }) => [Math.round(startS), Math.round(endS)]);
};
/** A body from 3 to 6 seconds, and another one otherwise. */
const during =
  (body: Body, otherwise: Body = STANDING) =>
  (timeS: number) =>
    timeS >= 3 && timeS <= 6 ? body : otherwise;

describe('is found while it lasts, also in a mirror', () => {
  test.each([
    ['someone sits', SEATED],
    ['someone bends over', BENT],
    ['someone raises a hand', HAND_UP],
    ['someone is pointing', POINTING],
    ['someone touches his face', HAND_AT_EAR],
    ['someone is on the phone', HAND_AT_EAR],
    ['someone crouches', CROUCHED],
    ['someone lies on the floor', lying(STANDING)],
  ])('%s', (prompt, body) => {
    expect(found(prompt, video([during(body)]))).toEqual([[3, 6]]);
    expect(found(prompt, video([during(mirrored(body), mirrored(STANDING))]))).toEqual([[3, 6]]);
    expect(found(prompt, video([() => STANDING]))).toEqual([]);
  });
});

test('a single pose is no proof, and a single miss no end', () => {
  const at = (body: Body, times: readonly number[], otherwise: Body) => (timeS: number) =>
    times.some((time) => Math.abs(time - timeS) < 0.05) ? body : otherwise;
  expect(found('someone sits', video([at(SEATED, [4], STANDING)]))).toEqual([]);
  expect(found('someone sits', video([at(STANDING, [4], SEATED)]))).toEqual([[0, 10]]);
});

test('only a hand that goes to and fro waves', () => {
  const hand = (x: number): Body => ({ ...HAND_UP, leftWrist: [x, -1.8] });
  const waving = (timeS: number) => (timeS < 3 || timeS > 6 ? STANDING : hand(0.5 + 0.3 * Math.sin(timeS * 6)));
  const [span] = found('someone waves', video([waving]));
  expect(span![0]).toBeLessThanOrEqual(4);
  expect(span![1]).toBeGreaterThanOrEqual(5);
  expect(found('someone waves', video([during(HAND_UP)]))).toEqual([]);
});

test('people who move with bent arms run, and those who stand or let their arms hang do not', () => {
  expect(found('someone runs', video([() => RUNNING], [mover]))).toHaveLength(1);
  expect(found('someone runs', video([() => RUNNING]))).toEqual([]);
  expect(found('someone runs', video([() => STANDING], [mover]))).toEqual([]);
});

test('a fall is a person who stands and lies soon after it', () => {
  const falls = (afterS: number) => (timeS: number) =>
    timeS < 4 ? STANDING : timeS < 4 + afterS ? BENT : lying(STANDING);
  expect(found('someone falls', video([falls(1)]))).toEqual([[4, 5]]);
  expect(found('someone falls', video([falls(4)]))).toEqual([]);
});

test('of several people, each is judged alone', () => {
  const left: TrackSpec = { ...still1, at: still(0.25, 0.5) };
  const right: TrackSpec = { ...still1, at: still(0.75, 0.5) };
  const made = video([() => SEATED, () => STANDING], [left, right]);
  expect(found('someone sits', made)).toEqual([[0, 10]]);
  expect(found('two people sit', made)).toEqual([]);
});

describe('coverage names what was not examined', () => {
  const reasonOf = (made: Observations, prompt = 'does anyone raise a hand') => answerPrompt(prompt, made).coverage[0]!;

  test('of people without a pose', () => {
    const two = video([() => STANDING, () => null], [still1, { ...still1, at: still(0.8, 0.5) }]);
    expect(reasonOf(two).reason).toContain('the poses of 1 of 2 people were not examined');
  });

  test('of a video without poses, or with those of tracks of another detector', () => {
    const whole = video([() => STANDING]);
    for (const poses of [null, { ...whole.poses!, detector: 'another one' }]) {
      const coverage = reasonOf({ ...whole, poses });
      expect(coverage.status).toBe('not_looked_for');
      expect(coverage.reason).toContain('the poses of people were not examined');
    }
  });

  test('and nothing of prompts that need no poses', () => {
    expect(reasonOf(video([() => null]), 'a person').reason ?? '').not.toContain('poses');
  });
});

test.each([
  ['someone runs', RUNNING, mover, 13 / 16],
  ['someone raises a hand', HAND_UP, still1, 7 / 9],
])('%s: no more certain than labels and views support', (prompt, body, spec, precision) => {
  const confidenceOf = (seconds: number) => {
    const seen = video([(timeS) => (timeS < seconds ? body : null)], [spec]);
    const [best] = answerPrompt(prompt, seen).events.toSorted((a, b) => b.confidence - a.confidence);
    return best!.confidence;
  };
  const [short, long] = [confidenceOf(1), confidenceOf(8)];
  expect(short).toBeLessThan(long);
  expect(short).toBeGreaterThan(0.5);
  expect(long).toBeLessThan(precision);
  expect(long).toBeGreaterThan(0.9 * precision);
});
