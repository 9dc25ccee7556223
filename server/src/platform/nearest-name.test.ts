import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const EVENTS = [
  'q',
  'folder_id',
  'video_id',
  'min_confidence',
  'created_after',
  'created_before',
  'sort',
  'limit',
  'cursor',
];

test.each([
  // Another spelling.
  ['folderId', 'folder_id'],
  ['FOLDER-ID', 'folder_id'],
  ['sort[]', 'sort'],
  // A typing error.
  ['limt', 'limit'],
  ['curser', 'cursor'],
  ['min_confidance', 'min_confidence'],
  // A part of the name, or more than it.
  ['folder', 'folder_id'],
  ['confidence', 'min_confidence'],
  ['sort_direction', 'sort'],
  // A synonym.
  ['words', 'q'],
  ['query', 'q'],
  ['page_size', 'limit'],
  ['page_token', 'cursor'],
  ['since', 'created_after'],
  ['until', 'created_before'],
  // Nothing is near.
  ['zzzz', null],
  ['batch_id', null],
  ['x', null],
  ['', null],
])('%s means %s', (unknown, expected) => {
  expect(nearestName(unknown, EVENTS)).toBe(expected);
});

test('a synonym or an id is one of the known names', () => {
  expect(nearestName('words', ['name', 'limit'])).toBe('name');
  expect(nearestName('words', ['limit'])).toBeNull();
  expect(nearestName('words', [])).toBeNull();
  expect(nearestName('id', ['event_id', 'limit'])).toBe('event_id');
  expect(nearestName('id', EVENTS)).toBeNull();
});
