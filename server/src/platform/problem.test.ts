import { expect, test } from 'vitest';
import { Problem } from './problem.ts';

test.each([
  [400, false],
  [404, false],
  [429, false],
  [500, true],
  [501, false],
  [502, false],
  [503, true],
  [504, false],
  [507, true],
])('a problem with the status %i is a failure of this service: %s', (status, isFault) => {
  expect(new Problem({ status, code: 'a', message: 'A.' }).isFault).toBe(isFault);
});
