import type { Region } from '../plan/index.ts';

type Polygon = Extract<Region, { points: unknown }>;
type Rectangle = Exclude<Region, Polygon>;

/** Whether a point, in fractions of the picture, lies in a place. */
export function isInside(place: Region, x: number, y: number): boolean {
  return 'points' in place
    ? isInPolygon(place, x, y)
    : x >= place.x && x <= place.x + place.width && y >= place.y && y <= place.y + place.height;
}

/** The smallest rectangle around a place. */
export function boundsOf(place: Region): Pick<Rectangle, 'x' | 'y' | 'width' | 'height'> {
  if (!('points' in place)) return place;
  const [xs, ys] = [place.points.map((point) => point.x), place.points.map((point) => point.y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** By how many edges a ray to the right crosses: an odd number from inside. */
function isInPolygon({ points }: Polygon, x: number, y: number): boolean {
  let inside = false;
  for (const [i, p] of points.entries()) {
    const q = points.at(i - 1)!;
    if (q.y > y !== p.y > y && x < q.x + ((y - q.y) / (p.y - q.y)) * (p.x - q.x)) inside = !inside;
  }
  return inside;
}

/** Share of a cell of the picture that lies in a place. */
export function coverOf(place: Region, cell: { left: number; right: number; top: number; bottom: number }): number {
  if (!('points' in place))
    return (
      common(cell.left, cell.right, place.x, place.x + place.width) *
      common(cell.top, cell.bottom, place.y, place.y + place.height)
    );
  let inside = 0;
  for (let i = 0; i < SAMPLES; i++)
    for (let j = 0; j < SAMPLES; j++) {
      const x = cell.left + ((i + 0.5) / SAMPLES) * (cell.right - cell.left);
      const y = cell.top + ((j + 0.5) / SAMPLES) * (cell.bottom - cell.top);
      if (isInPolygon(place, x, y)) inside++;
    }
  return inside / SAMPLES ** 2;
}
const SAMPLES = 5;

const common = (a: number, b: number, from: number, to: number) =>
  Math.max(0, Math.min(b, to) - Math.max(a, from)) / (b - a);
