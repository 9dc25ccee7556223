import { expect, test } from 'vitest';
import { contradicts, implies } from './implication.ts';

test.each([
  ['red car enters from the left', 'car in view'],
  ['red car enters from the left', 'car enters'],
  ['red car enters', 'car comes in from the left and leaves to the right'],
  ['3 red cars in view', 'car in view'],
  ['people in red enter', 'person enters'],
  ['no car in view', 'No car in view'],
])('"%s" implies "%s"', (a, b) => {
  expect(implies(a, b)).toBe(true);
});

test.each([
  ['car in view', 'red car enters'],
  ['car in view', '2 cars in view'],
  ['no car in view', 'car in view'],
  ['person enters after truck leaves', 'truck leaves after person enters'],
  ['up to 3 cars in view', '3 cars in view'],
  ['car stops', 'car enters'],
])('"%s" does not imply "%s"', (a, b) => {
  expect(implies(a, b)).toBe(false);
});

test('a claim is not approved together with what it implies rejected', () => {
  const strong = { label: 'red car enters', approval: 'approved' };
  expect(contradicts(strong, { label: 'car in view', approval: 'rejected' })).toBe(true);
  expect(contradicts({ label: 'car in view', approval: 'rejected' }, strong)).toBe(true);
  expect(contradicts({ ...strong, approval: 'rejected' }, { label: 'car in view', approval: 'approved' })).toBe(false);
});
