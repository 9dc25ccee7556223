import { expect, test } from 'vitest';
import { statedSeverity } from './severity.ts';

test.each([
  ['a rating of the engine', { severity: 'low' }, null],
  ['the medium of everyone who walks', { severity: 'medium', review: null }, null],
  ['a rule for danger', { severity: 'high' }, 'high'],
  ['a person who raised it', { severity: 'medium', review: { added: false, original: { severity: 'low' } } }, 'medium'],
  ['a person who lowered it', { severity: 'low', review: { added: false, original: { severity: 'high' } } }, 'low'],
  [
    'a person who corrected the label',
    { severity: 'medium', review: { added: false, original: { severity: 'medium', label: 'car' } } },
    null,
  ],
  ['a person who added the event', { severity: 'low', review: { added: true, original: null } }, 'low'],
  ['an added event without one', { severity: 'medium', review: { added: true, original: null } }, null],
])('the severity of %s', (_name, event, stated) => {
  expect(statedSeverity(event)).toBe(stated);
});
