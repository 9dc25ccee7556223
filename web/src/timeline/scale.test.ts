import { describe, expect, test } from 'vitest';
import { ticks } from './drawing/ticks.ts';
import { boundsOf, fitView, panBy, reveal, spanAt, toTime, toX, type View, zoomAround, zoomLevel } from './scale.ts';

const DAY_S = 86_400;

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
