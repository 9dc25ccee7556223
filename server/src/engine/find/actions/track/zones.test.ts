import { describe, expect, it } from 'vitest';
import { seeded } from '#test/random';
import { toRows } from '../../../answer.fixture.ts';
import { answer } from '../../../answer.ts';
import { createPlanner, type Region, type Zone } from '../../../plan/index.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';
import { isInside } from '../../region-geometry.ts';
import { depthIn, footPoint, halfWidth } from '../../zone-geometry.ts';

const planner = createPlanner();
const video = (seconds: number, ...tracks: TrackSpec[]) =>
  observations(seconds, { signals: signals(seconds), objects: objects(seconds, tracks) });
const square = (x0: number, y0: number, x1: number, y1: number) => [
  { x: x0, y: y0 },
  { x: x1, y: y0 },
  { x: x1, y: y1 },
  { x: x0, y: y1 },
];
const DOOR: Zone = { name: 'door', kind: 'polygon', points: square(0.4, 0.6, 0.6, 0.9) };
/** Across the frame: its right-hand side, inwards, is the lower one. */
const A: Zone = {
  name: 'A',
  kind: 'line',
  points: [
    { x: 0, y: 0.7 },
    { x: 1, y: 0.7 },
  ],
};
const ask = (prompt: string, observed: ReturnType<typeof video>, zones = [DOOR, A]) =>
  answer(planner.planQuery(prompt, zones), observed);
const rows = (prompt: string, observed: ReturnType<typeof video>) => toRows(ask(prompt, observed));

/** 0.4 high: its foot point is 0.2 below its center. Walks along y = 0.5 from 0.1 to 0.9, through the door. */
const walker: TrackSpec = {
  className: 'person',
  from: 2,
  to: 10,
  at: line(2, [0.095, 0.55], 10, [0.895, 0.55]),
  size: () => [0.1, 0.4],
};

describe('a zone', () => {
  it('is entered and left by the foot point, and explained by its name', () => {
    const { events } = ask('a person enters zone door', video(12, walker));
    expect(events.map(({ label }) => label)).toEqual(['person enters zone door']);
    expect(events[0]!.startS).toBeCloseTo(5, 0);
    expect(events[0]!.explanation).toContain('its foot point entered zone door at');
    expect(rows('a person leaves zone door', video(12, walker)).map(([, startS]) => startS)).toEqual([7]);
    expect(rows('a person walks through zone door', video(12, walker))).toEqual([
      ['person crosses zone door to the right', 5, 7.2],
    ]);
    // Its center passes above the zone.
    const above = { ...DOOR, points: square(0.4, 0.5, 0.6, 0.6) };
    expect(toRows(ask('a person enters zone door', video(12, walker), [above]))).toEqual([]);
  });

  it('contains an object for a time, and nobody at other times', () => {
    expect(rows('a person in zone door', video(12, walker))).toEqual([['person in zone door', 5.2, 7]]);
    expect(rows('a person in zone door for more than 1 second', video(12, walker))).toHaveLength(1);
    expect(rows('a person in zone door for more than 3 seconds', video(12, walker))).toEqual([]);
    expect(rows('no person in zone door', video(12, walker)).map(([, from, to]) => [from, to])).toEqual([
      [0, 5],
      [7.2, 11.8],
    ]);
    expect(ask('is anyone in zone door?', video(12, walker)).answer).toMatch(/^Yes/);
    expect(ask('how many people entered zone door?', video(12, walker, { ...walker, from: 3, to: 11 })).answer).toMatch(
      /^2\b/,
    );
  });

  it('is entered once by somebody who stands on its border', () => {
    const jitter = (t: number): [number, number] =>
      t < 4 ? line(1, [0.1, 0.55], 4, [0.395, 0.55])(t) : [0.4 + 0.008 * Math.sin(t * 9), 0.55];
    const hesitant = { ...walker, from: 1, to: 18, at: jitter };
    expect(rows('a person enters zone door', video(20, hesitant)).length).toBeLessThanOrEqual(1);
    const wide = (t: number): [number, number] => [jitter(t)[0] + (t > 8 && t < 12 ? 0.1 : 0), 0.55];
    expect(rows('a person enters zone door', video(20, { ...hesitant, at: wide }))).toHaveLength(1);
  });

  it('reaches the edge of the frame for objects that it cuts off', () => {
    const near = { ...walker, at: line(2, [0.1, 0.85], 10, [0.9, 0.85]) };
    const ground = { ...DOOR, points: square(0.4, 0.8, 0.6, 1) };
    expect(toRows(ask('a person enters zone door', video(12, near), [ground]))).toHaveLength(1);
  });
});

describe('a line', () => {
  const down: TrackSpec = { ...walker, at: line(2, [0.5, 0.3], 10, [0.5, 0.7]) };
  const up: TrackSpec = { ...walker, at: line(2, [0.3, 0.7], 10, [0.3, 0.3]) };

  it('is crossed once by each track, inwards or outwards', () => {
    expect(rows('a person crosses line A', video(12, down, up)).map(([label]) => label)).toEqual([
      'person crosses line A down',
      'person crosses line A up',
    ]);
    expect(rows('a person crosses line A inwards', video(12, down, up))).toEqual([
      ['person crosses line A inwards down', expect.any(Number), expect.any(Number)],
    ]);
    expect(rows('a person crosses line A out', video(12, down, up)).map(([label]) => label)).toEqual([
      'person crosses line A outwards up',
    ]);
    expect(ask('how many people crossed line A?', video(12, down, up)).answer).toMatch(/^2\b/);
  });

  it('is not crossed by short visits to its other side, nor by parked cars', () => {
    const visit = (t: number): [number, number] => [0.5, t > 6 && t < 6.3 ? 0.53 : 0.47];
    expect(rows('a person crosses line A', video(12, { ...walker, at: visit }))).toEqual([]);
    const parked: TrackSpec = { className: 'car', from: 0, to: 12, at: still(0.5, 0.6), stationary: [[0, 12]] };
    expect(rows('a car crosses line A', video(12, parked))).toEqual([]);
  });
});

describe('a moving camera', () => {
  it('makes zones doubtful, which the coverage states', () => {
    const panning = observations(12, {
      signals: signals(12, () => ({ globalX: 0.1 })),
      objects: objects(12, [walker]),
    });
    const { coverage, events } = ask('a person in zone door', panning);
    expect(coverage[0]!.reason).toContain('zones and lines hold for fixed cameras only, and this camera moves');
    expect(events).toEqual([]);
    expect(ask('a person in zone door', video(12, walker)).coverage[0]!.reason).toBeNull();
  });
});

describe('generated polygons and tracks', () => {
  /** A star-shaped polygon around a center: its sides cannot cross. */
  function polygonOf(random: () => number): Extract<Region, { points: unknown }> {
    const [x, y] = [0.3 + 0.4 * random(), 0.3 + 0.4 * random()];
    const count = 3 + Math.floor(random() * 12);
    const points = Array.from({ length: count }, (_, i) => {
      const angle = ((i + 0.8 * random()) / count) * 2 * Math.PI;
      const radius = 0.05 + 0.2 * random();
      return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
    });
    return { name: 'z', points, zone: true };
  }
  /** Turns of the polygon around a point. */
  function windingOf(points: readonly { x: number; y: number }[], x: number, y: number): number {
    const turned = points.reduce((sum, p, i) => {
      const q = points.at(i - 1)!;
      const turn = Math.atan2(p.y - y, p.x - x) - Math.atan2(q.y - y, q.x - x);
      return sum + Math.atan2(Math.sin(turn), Math.cos(turn));
    }, 0);
    return Math.round(turned / (2 * Math.PI));
  }

  it('are inside or outside alike by the winding number, and as deep as no border is near', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seeded(seed);
      const polygon = polygonOf(random);
      for (let i = 0; i < 20; i++) {
        const [x, y] = [random(), random()];
        const depth = depthIn(polygon, { x, y });
        if (Math.abs(depth) < 1e-9) continue;
        expect([seed, i, isInside(polygon, x, y)]).toEqual([seed, i, windingOf(polygon.points, x, y) !== 0]);
        expect(depth > 0).toBe(isInside(polygon, x, y));
        // A step of less than the depth cannot leave or enter.
        const angle = random() * 2 * Math.PI;
        const near = 0.99 * Math.abs(depth);
        expect(isInside(polygon, x + near * Math.cos(angle), y + near * Math.sin(angle))).toBe(depth > 0);
        expect(depth).toBeLessThanOrEqual(2 * halfWidth(polygon) + 1e-9);
      }
    }
  });

  it('have entries and exits that alternate, each at the border', () => {
    let entries = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed);
      const { points } = polygonOf(random);
      const zones: Zone[] = [{ name: 'z', kind: 'polygon', points }];
      const stops = Array.from({ length: 5 }, () => [random(), 0.1 + 0.6 * random()] as const);
      const at = (t: number): [number, number] => {
        const i = Math.min(3, Math.floor(t / 5));
        const share = Math.min(1, t / 5 - i);
        const [from, to] = [stops[i]!, stops[i + 1]!];
        return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
      };
      const observed = video(20, { className: 'person', from: 0, to: 20, at, size: () => [0.05, 0.2] });
      const edges = ['enters', 'leaves']
        .flatMap((verb) => ask(`a person ${verb} zone z`, observed, zones).events.map((event) => ({ verb, event })))
        .toSorted((a, b) => a.event.startS - b.event.startS);
      const track = observed.objects!.tracks[0]!;
      for (const [i, { verb, event }] of edges.entries()) {
        if (i > 0) expect([seed, i, verb]).not.toEqual([seed, i, edges[i - 1]!.verb]);
        const k = track.frame.findIndex((frame) => observed.objects!.timeS[frame]! >= event.endS - 1e-6);
        const before = track.frame.findIndex((frame) => observed.objects!.timeS[frame]! >= event.startS - 1e-6);
        const inside = [before, k].map((each) => depthIn({ name: 'z', points }, footPoint(track, each)) >= 0);
        expect([seed, verb, ...inside]).toEqual([seed, verb, verb === 'leaves', verb === 'enters']);
      }
      entries += edges.filter(({ verb }) => verb === 'enters').length;
    }
    expect(entries).toBeGreaterThan(10);
  });
});
