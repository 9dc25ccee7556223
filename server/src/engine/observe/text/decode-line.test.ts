import { expect, test } from 'vitest';
import { decodeLine } from './decode-line.ts';

const CHARACTERS = ['A', 'B', ' '];

/** Output in which each step has one likely class; 0 is "no character". */
function outputOf(steps: readonly number[], p = 0.9) {
  const output = new Float32Array(steps.length * 4).fill((1 - p) / 3);
  for (const [step, index] of steps.entries()) output[step * 4 + index] = p;
  return output;
}

test.each([
  [[1, 1, 0, 2], 'AB'],
  // A repetition is one character, unless "no character" is between.
  [[1, 1, 1], 'A'],
  [[1, 0, 1], 'AA'],
  [[0, 3, 1, 3, 2, 3, 0], 'A B'],
])('%j is "%s"', (steps, text) => {
  expect(decodeLine(outputOf(steps), 4, CHARACTERS)).toEqual({ text, score: expect.closeTo(0.9, 5) });
});

test('no character has no score', () => {
  expect(decodeLine(outputOf([0, 0, 0]), 4, CHARACTERS)).toEqual({ text: '', score: 0 });
});
