import { describe, expect, test } from 'vitest';
import { compareEvents, shownPart } from './compare.ts';
import { facet, select } from './facets.ts';
import type { BatchEvent } from './queries.ts';

const event = (id: string, changes: Partial<BatchEvent> = {}): BatchEvent =>
  ({ id, videoId: 'a', label: 'car', severity: 'low', confidence: 0.5, startS: 0, endS: 1, ...changes }) as BatchEvent;
const ids = (events: readonly BatchEvent[]) => events.map(({ id }) => id).join('');

describe('the events of a question', () => {
  const events = [
    event('1', { videoId: 'b' }),
    event('2', { confidence: 0.9, startS: 4 }),
    event('3', { label: 'fox', confidence: 0.6, startS: 2 }),
    event('4', { label: 'bus', confidence: 0.7, severity: 'high', startS: 3 }),
    event('5', { label: 'bus', confidence: 0.8, startS: 1 }),
    event('6', { confidence: 0.4 }),
  ];

  test.each([
    [undefined, '653421'],
    ['confidence', '254316'],
    ['rarest', '354216'],
  ] as const)('are in the order %s', (sort, order) => {
    expect(ids(select(events, { sort }))).toBe(order);
  });

  test('are narrowed by several fields, and counted without the own one', () => {
    expect(ids(select(events, { label: 'bus', confidence: 0.75 }))).toBe('5');
    expect(facet(events, { label: 'bus' }, 'label')).toEqual([
      { value: 'car', count: 3 },
      { value: 'bus', count: 2 },
      { value: 'fox', count: 1 },
    ]);
    expect(facet(events, { label: 'bus' }, 'severity')).toEqual([
      { value: 'high', count: 1 },
      { value: 'low', count: 1 },
    ]);
  });
});

describe('two questions', () => {
  const first = [event('1'), event('2', { startS: 5, endS: 6 }), event('3', { videoId: 'b' })];
  const second = [event('4', { startS: 1.4, endS: 2 }), event('5', { startS: 9, endS: 10 })];

  test('share events of a video whose times meet within half a second', () => {
    const { onlyA, onlyB, both } = compareEvents(first, second);
    expect([ids(onlyA), ids(onlyB), ids(both)]).toEqual(['23', '5', '1']);
  });

  test('are shown with the first part that has events, unless one is chosen', () => {
    const same = compareEvents(first, first);
    expect(shownPart({}, same)).toBe('both');
    expect(shownPart({ part: 'a' }, same)).toBe('a');
    expect(shownPart({}, compareEvents([], second))).toBe('b');
    expect(shownPart({}, compareEvents(first, second))).toBe('a');
    expect(shownPart({}, null)).toBe('a');
  });
});
