import { describe, expect, test } from 'vitest';
import { contradicts, findImplied, implies } from './implication.ts';

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

describe('a verdict', () => {
  const strong = { eventId: 'strong', label: 'red car enters' };
  const weak = { eventId: 'weak', label: 'car in view' };
  const show = () => true;
  const follows = (judged: object, event: object) => {
    const pending = { eventId: '', label: '', approval: 'pending', ...event };
    return findImplied(pending, [pending, { ...pending, ...judged }], show);
  };

  test('that approves a claim approves what it implies, and not the reverse', () => {
    expect(follows({ ...strong, approval: 'approved' }, weak)).toEqual({ verdict: 'approved', eventId: 'strong' });
    expect(follows({ ...weak, approval: 'approved' }, strong)).toBeNull();
  });

  test('that rejects a claim rejects what implies it, and not the reverse', () => {
    expect(follows({ ...weak, approval: 'rejected' }, strong)).toEqual({ verdict: 'rejected', eventId: 'weak' });
    expect(follows({ ...strong, approval: 'rejected' }, weak)).toBeNull();
  });

  test('that is not decided implies nothing', () => {
    expect(follows({ ...strong, approval: 'unsure' }, weak)).toBeNull();
    expect(follows({ ...strong, approval: 'pending' }, weak)).toBeNull();
  });

  test('is not implied for an event that has one, from one that is hidden, or by verdicts that differ', () => {
    const approved = { ...strong, approval: 'approved' };
    const judged = { ...weak, approval: 'unsure' };
    expect(findImplied(judged, [judged, approved], show)).toBeNull();
    const pending = { ...weak, approval: 'pending' };
    expect(findImplied(pending, [pending, approved], () => false)).toBeNull();
    const car = { ...weak, eventId: 'car', label: 'red car in view', approval: 'pending' };
    const rejected = { ...weak, approval: 'rejected' };
    expect(findImplied(car, [car, approved, rejected], show)).toBeNull();
  });
});

test('a claim is not approved together with what it implies rejected', () => {
  const strong = { label: 'red car enters', approval: 'approved' };
  expect(contradicts(strong, { label: 'car in view', approval: 'rejected' })).toBe(true);
  expect(contradicts({ label: 'car in view', approval: 'rejected' }, strong)).toBe(true);
  expect(contradicts({ ...strong, approval: 'rejected' }, { label: 'car in view', approval: 'approved' })).toBe(false);
});
