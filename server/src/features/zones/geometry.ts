import type { ZonePoint } from '#engine/index';

/** Fractions of the frame. Smaller shapes than these are slips of the pointer. */
const MIN_LENGTH = 0.01;
const MIN_AREA = 0.0001;

/** Returns the fault of the points of a zone in a sentence; null if they have none. */
export function findFault(points: readonly ZonePoint[]): string | null {
  if (points.length === 2) {
    const [a, b] = points as [ZonePoint, ZonePoint];
    return Math.hypot(b.x - a.x, b.y - a.y) < MIN_LENGTH ? 'The two ends of the line are too close together.' : null;
  }
  if (hasCrossingSides(points)) return 'The sides of the polygon must not cross or touch each other.';
  return areaOf(points) < MIN_AREA ? 'The polygon is too small.' : null;
}

function areaOf(points: readonly ZonePoint[]): number {
  const twice = points.reduce((sum, p, i) => {
    const q = points.at(i - 1)!;
    return sum + q.x * p.y - p.x * q.y;
  }, 0);
  return Math.abs(twice) / 2;
}

function hasCrossingSides(points: readonly ZonePoint[]): boolean {
  const count = points.length;
  const sideAt = (i: number) => [points[i]!, points[(i + 1) % count]!] as const;
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) {
      const isNext = j === i + 1 || (i === 0 && j === count - 1);
      if (isNext ? foldsBack(points, j === i + 1 ? j : 0) : doSegmentsMeet(...sideAt(i), ...sideAt(j))) return true;
    }
  return false;
}

/** True if the side after a corner lies on the side before it, or one of them has no length. */
function foldsBack(points: readonly ZonePoint[], corner: number): boolean {
  const [before, at, after] = [points.at(corner - 1)!, points[corner]!, points[(corner + 1) % points.length]!];
  const [ax, ay, bx, by] = [before.x - at.x, before.y - at.y, after.x - at.x, after.y - at.y];
  return Math.abs(ax * by - ay * bx) < 1e-12 && ax * bx + ay * by >= 0;
}

function doSegmentsMeet(a: ZonePoint, b: ZonePoint, c: ZonePoint, d: ZonePoint): boolean {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  );
}

const turn = (a: ZonePoint, b: ZonePoint, c: ZonePoint) =>
  Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));

const isBetween = (a: ZonePoint, b: ZonePoint, p: ZonePoint) =>
  p.x >= Math.min(a.x, b.x) && p.x <= Math.max(a.x, b.x) && p.y >= Math.min(a.y, b.y) && p.y <= Math.max(a.y, b.y);
