import { expect, test } from 'vitest';
import { rounded, roundedJson, roundNumbers } from './numbers.ts';

test.each([
  [12.300000000000001, 12.3],
  [0.1 + 0.2, 0.3],
  [1 / 3, 0.333333],
  [-7.999999999999999, -8],
  [0.000012345678, 0.0000123457],
  [1e-12, 1e-12],
  [123_456_789_012, 123_456_789_012],
  [0, 0],
])('%d is reported as %d', (value, expected) => expect(rounded(value)).toBe(expected));

test('random decimals survive arithmetic in binary fractions', () => {
  for (let n = 0; n < 10_000; n++) {
    const decimal = Math.floor(Math.random() * 1e9) / 1e5;
    expect(rounded(decimal + 0.1 - 0.1)).toBe(decimal);
  }
});

test('all numbers of a document are rounded, except in the given field', () => {
  const noise = 0.1 + 0.2;
  const value = { at: noise, list: [noise, 'text', null], stated: { by: noise }, date: new Date(0) };
  const expected = { at: 0.3, list: [0.3, 'text', null], stated: { by: noise }, date: new Date(0) };
  expect(roundNumbers(value, 'stated')).toEqual(expected);
  expect(JSON.parse(roundedJson({ at: noise }))).toEqual({ at: 0.3 });
  const clean = { at: 1.5, list: [1, 2] };
  expect(roundNumbers(clean, 'stated')).toBe(clean);
});
