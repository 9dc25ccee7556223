import { describe, expect, test } from 'vitest';
import { eventAt, skyline, valueAt, visibleBars, visibleColumns } from './bars.ts';
import { drawTrack, type Point, pointAt, scaleBar } from './geo.ts';
import { EventIndex, eventLanes, firstIndex, type LaneEvent, laneAt, laneTops } from './lanes.ts';
import { boundsOf, fitView, panBy, reveal, spanAt, toTime, toX, type View, zoomAround, zoomLevel } from './scale.ts';
import { detailRange, spliceSeries, toSeries } from './splice.ts';
import { ticks } from './ticks.ts';

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

describe('scale', () => {
  const bounds = boundsOf(DAY_S, 25);
  const whole = fitView(1000, 0, DAY_S, bounds);

  test('positions and times are inverse, and the anchor of a zoom stays where it is', () => {
    let view = whole;
    for (let step = 0; step < 200; step++) {
      const anchor = toTime(view, 730);
      const next = zoomAround(view, 1.3, 730, bounds);
      expect(toX(next, anchor)).toBeCloseTo(730, 3);
      view = next;
    }
    // From a day to four frames.
    expect(view.end - view.start).toBeCloseTo(4 / 25, 9);
    expect(toTime(view, toX(view, view.start + 0.05))).toBeCloseTo(view.start + 0.05, 6);
  });

  test('views never leave the video', () => {
    const near = zoomAround(whole, 100, 0, bounds);
    expect(near.start).toBe(0);
    expect(panBy(near, -500, bounds).start).toBe(0);
    expect(panBy(near, 1e9, bounds).end).toBeCloseTo(DAY_S, 6);
    expect(zoomAround(near, 1e-9, 200, bounds)).toEqual(whole);
    expect(panBy(whole, 300, bounds)).toEqual(whole);
  });

  test('the slider covers all spans', () => {
    expect([zoomLevel(whole, bounds), spanAt(0, bounds), spanAt(1, bounds)]).toEqual([0, DAY_S, 4 / 25]);
    for (const level of [0.1, 0.5, 0.93]) {
      expect(zoomLevel(fitView(1000, 0, spanAt(level, bounds), bounds), bounds)).toBeCloseTo(level, 9);
    }
  });

  test('a time outside the view is revealed at a quarter of it', () => {
    const near = fitView(1000, 100, 100, bounds);
    expect(reveal(near, 150, bounds)).toBe(near);
    const moved = reveal(near, 500, bounds);
    expect([moved.start, moved.end]).toEqual([475, 575]);
  });

  test('a video of a single frame has a view', () => {
    const single = boundsOf(0, 30);
    const view = fitView(500, 0, 1, single);
    expect(view.end).toBeGreaterThan(view.start);
    expect(zoomLevel(view, single)).toBe(0);
  });
});

describe('ticks', () => {
  const labels = (view: View) => ticks(view, 25).flatMap(({ label }) => label ?? []);

  test('labels are round and far enough apart at every zoom', () => {
    const bounds = boundsOf(DAY_S, 25);
    for (let level = 0; level <= 1; level += 0.01) {
      const view = fitView(900, 40_000, spanAt(level, bounds), bounds);
      const all = ticks(view, 25);
      const xs = all.filter(({ label }) => label !== null).map(({ time }) => toX(view, time));
      for (const [index, x] of xs.entries()) if (index > 0) expect(x - xs[index - 1]!).toBeGreaterThan(83.9);
      expect(all.length).toBeLessThan(900 / 4);
      expect(new Set(all.map(({ label }) => label).filter(Boolean)).size).toBe(xs.length);
    }
  });

  test('from hours to frames', () => {
    expect(labels({ start: 0, end: DAY_S, width: 900 })).toEqual([
      '0:00',
      '4:00:00',
      '8:00:00',
      '12:00:00',
      '16:00:00',
      '20:00:00',
      '24:00:00',
    ]);
    expect(labels({ start: 60, end: 68, width: 900 })).toEqual([
      '1:00',
      '1:01',
      '1:02',
      '1:03',
      '1:04',
      '1:05',
      '1:06',
      '1:07',
      '1:08',
    ]);
    expect(labels({ start: 1, end: 1.16, width: 900 })).toEqual([
      '0:01.000',
      '0:01.040',
      '0:01.080',
      '0:01.120',
      '0:01.160',
    ]);
  });
});

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
      ...{ x, width, confidence, count: 1 },
      event: { id: '', label: '', startS: 0, endS: 1, confidence },
    });
    const bars = [bar(-2, 4, 0.5), bar(1, 3, 0.25), bar(3, 2, 0.75), bar(8, 9, 1)];
    expect([...skyline(bars, 10, ({ confidence }) => confidence)]).toEqual([
      ...[0.5, 0.5, 0.25, 0.75, 0.75, 0, 0, 0, 1, 1],
    ]);
  });

  test('a pointer hits the shortest event that contains it, otherwise the nearest within reach', () => {
    const index = new EventIndex([event('long', 0, 100), event('short', 40, 42), event('far', 130, 131)]);
    const view = { start: 0, end: 200, width: 1000 };
    expect(eventAt(index, view, 205)?.id).toBe('short');
    expect(eventAt(index, view, 300)?.id).toBe('long');
    expect(eventAt(index, view, 648)?.id).toBe('far');
    expect(eventAt(index, view, 560)).toBeNull();
  });

  test('drawing 10,000 events takes a small part of a frame', () => {
    const index = new EventIndex(manyEvents(10_000, DAY_S));
    const bounds = boundsOf(DAY_S, 25);
    let view = fitView(1600, 0, DAY_S, bounds);
    const began = performance.now();
    for (let frame = 0; frame < 100; frame++) {
      visibleBars(index, view);
      view = panBy(zoomAround(view, frame < 50 ? 1.1 : 0.9, 800, bounds), 40, bounds);
    }
    // 20 ms would be a whole frame at 50 frames a second.
    expect((performance.now() - began) / 100).toBeLessThan(10);
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

describe('series', () => {
  const series = {
    times: Float64Array.from({ length: 1000 }, (_, index) => index / 10),
    low: Float32Array.from({ length: 1000 }, (_, index) => index % 10),
    high: Float32Array.from({ length: 1000 }, (_, index) => (index % 10) + 1),
  };

  test('a value is that of its interval', () => {
    expect(valueAt(series, 0.55)).toEqual({ low: 5, high: 6 });
    expect(valueAt(series, -1)).toBeNull();
    expect(valueAt({ ...series, low: series.low.map(() => Number.NaN) }, 3)).toBeNull();
  });

  test('columns keep the extremes', () => {
    const { xs, low, high } = visibleColumns(series, { start: 0, end: 100, width: 100 });
    expect(xs.length).toBeLessThanOrEqual(101);
    expect([Math.min(...low), Math.max(...high)]).toEqual([0, 10]);
    const near = visibleColumns(series, { start: 10, end: 11, width: 1000 });
    expect(near.xs.length).toBeLessThan(14);
    expect(near.xs[0]).toBeLessThanOrEqual(0);
  });
});

test('binary search returns the first index that holds', () => {
  expect([0, 3, 7, 10].map((limit) => firstIndex(10, (index) => index >= limit))).toEqual([0, 3, 7, 10]);
});

describe('detail', () => {
  const series = (times: number[], value: number) =>
    toSeries({ times_s: times, min: times.map(() => value), max: times.map(() => value + 1) });

  test('replaces a range of a series and keeps the rest', () => {
    const joined = spliceSeries(series([0, 10, 20, 30, 40], 1), series([10, 12, 14, 16, 18, 20, 22], 5), 10, 25);
    expect([...joined.times]).toEqual([0, 10, 12, 14, 16, 18, 20, 22, 30, 40]);
    expect([...joined.low]).toEqual([1, 5, 5, 5, 5, 5, 5, 5, 1, 1]);
    expect([...joined.high]).toEqual([2, 6, 6, 6, 6, 6, 6, 6, 2, 2]);
  });

  test('is loaded for more than is shown, and not again for small movements', () => {
    expect(detailRange({ start: 0, end: 1000 }, 1000)).toBeNull();
    for (const start of [0, 3, 400, 985]) {
      const range = detailRange({ start, end: start + 10 }, 1000)!;
      expect(range.from).toBeLessThanOrEqual(start);
      expect(range.to).toBeGreaterThanOrEqual(Math.min(1000, start + 10));
      expect(range.to - range.from).toBeLessThan(60);
    }
    const ranges = [401, 402, 403, 404, 405].map((start) => detailRange({ start, end: start + 10 }, 1000));
    expect(new Set(ranges.map((range) => JSON.stringify(range))).size).toBe(1);
  });
});

describe('track', () => {
  const track = { times: [0, 10, 20], latitude: [52.5, 52.501, 52.501], longitude: [13.4, 13.4, 13.402] };

  test('is drawn north up, inside its margins, to scale', () => {
    const { points, metersPerPixel } = drawTrack(track, 200, 140, 18);
    for (const { x, y } of points) {
      expect(x).toBeGreaterThanOrEqual(17.99);
      expect(x).toBeLessThanOrEqual(182.01);
      expect(y).toBeGreaterThanOrEqual(17.99);
      expect(y).toBeLessThanOrEqual(122.01);
    }
    const [start, north, east] = points as [Point, Point, Point];
    expect(north.y).toBeLessThan(start.y);
    expect(east.x).toBeGreaterThan(north.x);
    // A thousandth of a degree of latitude is 111 m.
    expect((start.y - north.y) * metersPerPixel).toBeCloseTo(111.3, 0);
    expect(pointAt(track.times, points, 5)).toMatchObject({ x: start.x, y: (start.y + north.y) / 2 });
    expect([pointAt(track.times, points, -3), pointAt(track.times, points, 99)]).toEqual([start, east]);
  });

  test('may cross the date line, stand still or be empty', () => {
    const crossing = { times: [0, 1], latitude: [0, 0], longitude: [179.999, -179.999] };
    expect(drawTrack(crossing, 200, 140, 18).metersPerPixel).toBeLessThan(3);
    const still = drawTrack({ times: [0, 1], latitude: [1, 1], longitude: [2, 2] }, 200, 140, 18);
    expect(still.points).toEqual([
      { x: 100, y: 70 },
      { x: 100, y: 70 },
    ]);
    expect(drawTrack({ times: [], latitude: [], longitude: [] }, 200, 140, 18).points).toEqual([]);
  });

  test('has a scale bar of a round length', () => {
    expect(scaleBar(1, 60)).toEqual({ meters: 50, width: 50 });
    expect(scaleBar(33, 60)).toEqual({ meters: 1000, width: 1000 / 33 });
  });
});
