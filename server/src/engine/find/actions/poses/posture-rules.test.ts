// Rules for single skeletons hold wherever a person is, at any size, and in a mirror.
import { describe, expect, test } from 'vitest';
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
import {
  hasRunningArms,
  isBending,
  isCrouching,
  isHandAtEar,
  isHandAtFace,
  isHandRaised,
  isLying,
  isPointing,
  isSitting,
  isStanding,
} from './posture-rules.ts';
import { readSkeleton } from './skeleton.ts';

const ASPECT = 16 / 9;
const RULES = {
  hasRunningArms,
  isBending,
  isCrouching,
  isHandAtEar,
  isHandAtFace,
  isHandRaised,
  isLying,
  isPointing,
  isSitting,
  isStanding,
};
type Rule = keyof typeof RULES;
const ALL = Object.keys(RULES) as Rule[];
const shownBy = (points: Float32Array, aspect = ASPECT) => {
  const skeleton = readSkeleton(points, aspect);
  return ALL.filter((rule) => skeleton !== null && RULES[rule](skeleton));
};

const CASES: [string, Body, Rule[]][] = [
  ['standing', STANDING, ['isStanding']],
  ['sitting', SEATED, ['isSitting']],
  ['crouching', CROUCHED, ['isCrouching']],
  ['bending', BENT, ['isBending']],
  ['lying', lying(STANDING), ['isLying']],
  ['lying and stretching an arm', lying(HAND_UP), ['isLying']],
  ['raising a hand', HAND_UP, ['isHandRaised', 'isStanding']],
  ['raising a hand while sitting', { ...SEATED, leftWrist: [0.5, -1.8] }, ['isHandRaised', 'isSitting']],
  ['pointing', POINTING, ['isPointing', 'isStanding']],
  ['a hand at the ear', HAND_AT_EAR, ['isHandAtEar', 'isHandAtFace', 'isHandRaised', 'isStanding']],
  ['arms of a runner', RUNNING, ['hasRunningArms', 'isStanding']],
];

test.each(CASES)('%s', (_name, body, expected) => {
  expect(shownBy(placed(body))).toEqual(expected);
});

describe.each(CASES)('%s is the same', (_name, body, expected) => {
  test('in a mirror', () => expect(shownBy(placed(mirrored(body)))).toEqual(expected));

  test('at any place, size and shape of the frame', () => {
    for (const torso of [0.02, 0.06, 0.12])
      for (const [x, y] of [
        [0.4, 0.4],
        [0.6, 0.6],
      ] as const)
        for (const aspect of [9 / 16, 1, 4 / 3])
          expect(shownBy(placed(body, { x, y, torso, aspect }), aspect)).toEqual(expected);
  });
});

test('both arms stretched out point at nothing', () => {
  expect(shownBy(placed({ ...POINTING, rightElbow: [-0.8, -1], rightWrist: [-1.3, -1] }))).toEqual(['isStanding']);
});

test('legs that a table hides show no posture, unless the thighs are level', () => {
  const { leftKnee: _l, rightKnee: _r, leftAnkle: _a, rightAnkle: _b, ...upper } = STANDING;
  expect(shownBy(placed(upper))).toEqual([]);
  expect(shownBy(placed({ ...upper, leftKnee: [0.3, 0.3] }))).toEqual([]);
  expect(shownBy(placed({ ...upper, leftKnee: [0.7, 0.1] }))).toEqual(['isSitting']);
});

test('joints that are unclear, or at the edge of the frame, are not seen', () => {
  const unclear = placed(STANDING).map((value, at) => (at % 3 === 2 ? 0.1 : value));
  expect(readSkeleton(unclear, ASPECT)).toBeNull();
  const cut = readSkeleton(placed(STANDING, { y: 0.9 }), ASPECT)!;
  expect(cut.kneeDrop).toBeNull();
  expect(cut.arms).toHaveLength(2);
  expect(readSkeleton(new Float32Array(51), ASPECT)).toBeNull();
});
