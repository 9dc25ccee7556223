import { expect, test } from 'vitest';
import { firstVisit, isNew, markSeen, readSeen, storeSeen } from './seen-events.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const event = (stream_id: string, agoS: number) => ({
  stream_id,
  created_at: new Date(NOW - agoS * 1_000).toISOString(),
});

function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

test('events before the first visit are not new, those after it until somebody looks at them', () => {
  const seen = firstVisit(NOW);
  expect(isNew(seen, event('a', 3_600))).toBe(false);
  expect(isNew(seen, event('a', 30))).toBe(true);
  const later = markSeen(seen, [event('a', 30), event('a', 50)]);
  expect(isNew(later, event('a', 30))).toBe(false);
  expect(isNew(later, event('a', 10))).toBe(true);
  expect(isNew(later, event('b', 30))).toBe(true);
});

test('looking at an older event leaves the newer ones seen', () => {
  const seen = markSeen(firstVisit(NOW), [event('a', 10)]);
  expect(isNew(markSeen(seen, [event('a', 40)]), event('a', 20))).toBe(false);
});

test('they stay seen for the next visit, and what cannot be read is a first visit', () => {
  const storage = memory();
  const seen = markSeen(firstVisit(NOW), [event('a', 10)]);
  storeSeen(storage, seen);
  expect(readSeen(storage)).toEqual(seen);
  for (const stored of ['old', 'null', '{"since":1}']) {
    storage.setItem('sightline:wall-seen', stored);
    expect(readSeen(storage)).toBeNull();
  }
  expect(readSeen(memory())).toBeNull();
});
