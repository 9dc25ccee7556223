import type { Camera, LiveSessionSummary } from '@sightline/sdk';
import { describe, expect, test } from 'vitest';
import { arrange, gridOf, neighbor, pageCount, pageOf, stateOf, swap, toSources } from './layout.ts';

const camera = (camera_id: string, fields: Partial<Camera> = {}) =>
  ({ camera_id, name: camera_id, folder_id: null, folder_name: null, state: 'live', ...fields }) as Camera;
const session = (stream_id: string, fields: Partial<LiveSessionSummary> = {}) =>
  ({ stream_id, name: stream_id, status: 'ACTIVE', connected: true, ...fields }) as LiveSessionSummary;

describe('sources', () => {
  test('are cameras, and other sessions that run, by name', () => {
    const cameras = [camera('b', { folder_id: 'f', folder_name: 'Shop' }), camera('c')];
    const sources = toSources(cameras, [session('a', { folder_id: 'g' }), session('b')], [{ id: 'g', name: 'Yard' }]);
    expect(sources.map(({ id, session: running }) => [id, running !== null])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    expect(sources.map(({ folder }) => folder?.name ?? null)).toEqual(['Yard', 'Shop', null]);
  });

  test('have the newest session of their stream', () => {
    const [source] = toSources([], [session('a', { session_id: 'new' }), session('a', { session_id: 'old' })], []);
    expect(source!.session!.session_id).toBe('new');
  });
});

const ids = (sources: readonly { id: string }[]) => sources.map(({ id }) => id);
const sources = ['a', 'b', 'c', 'd'].map((id) => ({ id }));

test.each([
  [[], ['a', 'b', 'c', 'd']],
  [
    ['c', 'a'],
    ['c', 'a', 'b', 'd'],
  ],
  // A stream that does not run has no place that stays empty.
  [
    ['x', 'd'],
    ['d', 'a', 'b', 'c'],
  ],
])('the places %j show %j', (places, shown) => {
  expect(ids(arrange(sources, places))).toEqual(shown);
});

test('two streams change places, and one that does not run keeps its own at the end', () => {
  const places = swap(['a', 'b', 'c', 'd'], ['x', 'b'], 'a', 'd');
  expect(places).toEqual(['d', 'b', 'c', 'a', 'x']);
  expect(ids(arrange([...sources, { id: 'x' }], places))).toEqual(['d', 'b', 'c', 'a', 'x']);
  expect(swap(['a', 'b'], [], 'a', 'unknown')).toEqual(['a', 'b']);
});

test.each([
  [9, 9, 3, 3],
  [6, 9, 3, 2],
  [2, 9, 2, 1],
  [6, 16, 3, 2],
  [1, 4, 1, 1],
] as const)('%d tiles on a wall of %d have %d columns and %d rows', (count, size, columns, rows) => {
  expect(gridOf(count, size)).toEqual({ columns, rows });
});

test('pages are full but the last one', () => {
  expect([0, 3, 4, 17].map((index) => pageOf(index, 4))).toEqual([0, 0, 1, 4]);
  expect(pageOf(-1, 9)).toBe(0);
  expect([0, 1, 16, 17].map((count) => pageCount(count, 16))).toEqual([1, 1, 1, 2]);
});

test.each([
  [0, 'ArrowRight', 1],
  [2, 'ArrowRight', 2],
  [3, 'ArrowLeft', 3],
  [4, 'ArrowUp', 1],
  [1, 'ArrowUp', 1],
  [4, 'ArrowDown', 7],
  // Below the last row, which is not full.
  [5, 'ArrowDown', 5],
] as const)('from tile %d, %s leads to %d', (index, key, next) => {
  expect(neighbor(index, key, { count: 8, columns: 3 })).toBe(next);
});

test.each([
  ['live', null, session('a')],
  ['lost', null, session('a', { connected: false })],
  ['connecting', null, session('a', { status: 'INITIALIZING' })],
  ['ended', null, session('a', { status: 'ENDING' })],
  ['ended', null, session('a', { status: 'FINISHED' })],
  ['ending', camera('a'), session('a', { status: 'ENDING' })],
  ['lost', camera('a', { state: 'offline' }), session('a', { status: 'INITIALIZING' })],
  ['lost', camera('a', { state: 'offline' }), null],
  ['off', camera('a', { state: 'off_by_schedule' }), null],
  ['connecting', camera('a', { state: 'starting' }), null],
] as const)('a tile is %s', (state, ofCamera, ofSession) => {
  expect(stateOf({ camera: ofCamera, session: ofSession })).toBe(state);
});
