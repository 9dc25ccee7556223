import { describe, expect, test } from 'vitest';
import { drawTrack, type Point, pointAt, scaleBar } from './geo.ts';

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
