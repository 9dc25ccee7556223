import { expect, test } from 'vitest';
import { matchesText } from './matches-text.ts';

test.each([
  ['STOP', 'stop', true],
  ['NONSTOP', 'stop', false],
  ['STOPPING', 'stop', false],
  // One edit makes another short word.
  ['SHOP', 'stop', false],
  ['5TOP', 'stop', false],
  ['PARKIMG', 'parking', true],
  ['MARKING', 'barking', true],
  ['PAKNG', 'parking', false],
  ['Sainsbuny5', "Sainsbury's", true],
  ['NOPARKING', 'no parking', true],
  ['NO PARKING HERE', 'no parking', true],
  ['NOPARKINGHERE', 'parking', true],
  ['PARKING NO', 'no parking', false],
  ['Déjà vu', 'deja vu', true],
  ['42', '42', true],
  ['ROOM42', '42', true],
  ['M42', '42', false],
  ['ERROR404', 'error 404', true],
  ['142', '42', false],
  ['4 2', '42', true],
  ['43', '42', false],
  ['ABC-123', 'ABC 123', true],
  ['A8C I23', 'ABC 123', true],
  ['ABC 124', 'ABC 123', false],
  ['12:45:30', '12:45:30', true],
  ['12:45:31', '12:45:30', false],
  ['出口', '出口', true],
  ['', 'stop', false],
  ['STOP', '?!', false],
])('"%s" has "%s": %s', (text, requested, expected) => {
  expect(matchesText(text, requested)).toBe(expected);
});
