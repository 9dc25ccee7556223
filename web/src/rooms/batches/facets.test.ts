import { describe, expect, test } from 'vitest';
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
