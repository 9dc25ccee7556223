import { describe, expect, test } from 'vitest';
import { eventAt, skyline, visibleBars } from './drawing/bars.ts';
import { EventIndex, eventLanes, firstIndex, type LaneEvent, laneAt, laneTops } from './lanes.ts';

const DAY_S = 86_400;
const event = (id: string, startS: number, endS: number, confidence = 0.5, label = 'car'): LaneEvent => ({
  id,
  label,
  startS,
  endS,
  confidence,
});

/** Deterministic numbers from 0 to 1. */
function* numbers(seed = 7) {
  for (let state = seed; ; ) {
    state = (state * 16_807) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

const manyEvents = (count: number, duration: number): LaneEvent[] => {
  const random = numbers();
  const next = () => random.next().value as number;
  return Array.from({ length: count }, (_, index) => {
    const start = next() * duration;
    return event(`e${index}`, start, start + next() ** 8 * duration * 0.2, next());
  });
};

describe('events', () => {
  test('the index finds what overlaps a range, as reading all events does', () => {
    const events = manyEvents(2000, 1000);
    const index = new EventIndex(events);
    for (const [from, to] of [
      [0, 1],
      [500, 501],
      [999, 1200],
      [300, 700],
      [-5, -1],
    ] as const) {
      const [first, last] = index.range(from, to);
      const found = index.sorted.slice(first, last).filter(({ endS }) => endS >= from);
      const expected = events.filter(({ startS, endS }) => startS <= to && endS >= from);
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
    }
  });

  test('a row has at most one bar per pixel, and none of its events is missing', () => {
    const events = Array.from({ length: 10_000 }, (_, index) => event(`e${index}`, index * 8.64, index * 8.64 + 0.5));
    const bars = visibleBars(new EventIndex(events), { start: 0, end: DAY_S, width: 1000 });
    expect(bars.length).toBeLessThanOrEqual(1000);
    expect(bars.reduce((count, bar) => count + bar.count, 0)).toBe(10_000);
  });

  test('a merged bar stands for its surest event; long ones are never merged', () => {
    const view = { start: 0, end: 1000, width: 1000 };
    const short = [event('a', 10, 10.1, 0.4), event('b', 10.2, 10.3, 0.9), event('c', 10.4, 10.5, 0.6)];
    expect(visibleBars(new EventIndex(short), view)).toMatchObject([{ count: 3, confidence: 0.9, event: { id: 'b' } }]);
    const long = [event('a', 10, 60), event('b', 10.2, 90)];
    expect(visibleBars(new EventIndex(long), view)).toHaveLength(2);
  });

  test('what is outside the view has no bar, what reaches into it has one', () => {
    const index = new EventIndex([
      event('before', 0, 5),
      event('over', 0, 500),
      event('in', 50, 51),
      event('after', 200, 201),
    ]);
    expect(visibleBars(index, { start: 40, end: 60, width: 100 }).map((bar) => bar.event.id)).toEqual(['over', 'in']);
  });

  test('the skyline is as high as the highest bar of each pixel', () => {
    const bar = (x: number, width: number, confidence: number) => ({
      x,
      width,
      confidence,
      count: 1,
      event: { id: '', label: '', startS: 0, endS: 1, confidence },
    });
    const bars = [bar(-2, 4, 0.5), bar(1, 3, 0.25), bar(3, 2, 0.75), bar(8, 9, 1)];
    expect([...skyline(bars, 10, ({ confidence }) => confidence)]).toEqual([0.5, 0.5, 0.25, 0.75, 0.75, 0, 0, 0, 1, 1]);
  });

  test('a pointer hits the shortest event that contains it, otherwise the nearest within reach', () => {
    const index = new EventIndex([event('long', 0, 100), event('short', 40, 42), event('far', 130, 131)]);
    const view = { start: 0, end: 200, width: 1000 };
    expect(eventAt(index, view, 205)?.id).toBe('short');
    expect(eventAt(index, view, 300)?.id).toBe('long');
    expect(eventAt(index, view, 648)?.id).toBe('far');
    expect(eventAt(index, view, 560)).toBeNull();
  });

  test('each label has a row, in the order of first events', () => {
    const lanes = eventLanes([event('b', 5, 6, 1, 'bike'), event('c', 1, 2, 1, 'car'), event('d', 0.5, 9, 1, 'bike')]);
    expect(lanes.map(({ name, color, events }) => [name, color, events.length])).toEqual([
      ['bike', 1, 2],
      ['car', 2, 1],
    ]);
    const tops = laneTops(lanes);
    expect([laneAt(tops, -1), laneAt(tops, 0), laneAt(tops, tops[1]!), laneAt(tops, tops[2]!)]).toEqual([-1, 0, 1, -1]);
  });
});

test('binary search returns the first index that holds', () => {
  expect([0, 3, 7, 10].map((limit) => firstIndex(10, (index) => index >= limit))).toEqual([0, 3, 7, 10]);
});
