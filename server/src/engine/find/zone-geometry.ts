import type { Region } from '../plan/index.ts';
import { isInside } from './region-geometry.ts';
import { LIMITS } from './thresholds.ts';

type Polygon = Extract<Region, { points: unknown }>;
type Point = { x: number; y: number };

/** Objects that the frame cuts off stand near its edge, inside of zones that reach up to there. */
const EDGE = 2 * LIMITS.lineClear.limit;

/** Where an object stands: the middle of the lower edge of its box. */
export function footPoint(track: BoxColumns, k: number): Point {
  const y = track.y[k]! + track.height[k]! / 2;
  return { x: clamp(track.x[k]!), y: clamp(y) };
}

/** Centers and sizes of boxes, in fractions of the frame. */
type BoxColumns = Record<'x' | 'y' | 'height', ArrayLike<number>>;

const clamp = (value: number) => Math.min(1 - EDGE, Math.max(EDGE, value));

/** Distance of a point from the border of a polygon, in fractions of the frame; negative outside. */
export function depthIn(polygon: Polygon, { x, y }: Point): number {
  const { points } = polygon;
  const nearest = points.reduce(
    (least, point, i) => Math.min(least, distanceToSegment({ x, y }, points.at(i - 1)!, point)),
    Number.POSITIVE_INFINITY,
  );
  return isInside(polygon, x, y) ? nearest : -nearest;
}

function distanceToSegment({ x, y }: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / square));
  return Math.hypot(x - a.x - share * dx, y - a.y - share * dy);
}

/** About half the radius of the largest circle in a polygon: nothing can be deeper in it than twice this. */
export function halfWidth({ points }: Polygon): number {
  let area = 0;
  let perimeter = 0;
  for (const [i, p] of points.entries()) {
    const q = points.at(i - 1)!;
    area += (q.x * p.y - p.x * q.y) / 2;
    perimeter += Math.hypot(p.x - q.x, p.y - q.y);
  }
  return perimeter === 0 ? 0 : Math.abs(area) / perimeter;
}
