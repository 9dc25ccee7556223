import type { Line, Region } from '../plan/index.ts';

type Polygon = Extract<Region, { points: unknown }>;
type Rectangle = Exclude<Region, Polygon>;

/** True if a point, in fractions of the frame, is in a region. */
export function isInside(region: Region, x: number, y: number): boolean {
  return 'points' in region
    ? isInPolygon(region, x, y)
    : x >= region.x && x <= region.x + region.width && y >= region.y && y <= region.y + region.height;
}

/** "The left third", "zone door", "line A": a region or line as it is called in sentences. */
export function borderName(border: Line | Region): string {
  if (!('zone' in border && border.zone)) return `the ${border.name}`;
  const noun = 'points' in border ? 'zone' : 'line';
  return new RegExp(`^${noun} .|. ${noun}$`, 'i').test(border.name) ? border.name : `${noun} ${border.name}`;
}

/** Bounding box of a region. */
export function toBounds(region: Region): Pick<Rectangle, 'x' | 'y' | 'width' | 'height'> {
  if (!('points' in region)) return region;
  const [xs, ys] = [region.points.map((point) => point.x), region.points.map((point) => point.y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Ray casting: a ray from an inside point crosses an odd number of edges. */
function isInPolygon({ points }: Polygon, x: number, y: number): boolean {
  let inside = false;
  for (const [i, p] of points.entries()) {
    const q = points.at(i - 1)!;
    if (q.y > y !== p.y > y && x < q.x + ((y - q.y) / (p.y - q.y)) * (p.x - q.x)) inside = !inside;
  }
  return inside;
}

/** Share of a grid cell that a region covers. */
export function coveredShare(
  region: Region,
  cell: { left: number; right: number; top: number; bottom: number },
): number {
  if (!('points' in region))
    return (
      common(cell.left, cell.right, region.x, region.x + region.width) *
      common(cell.top, cell.bottom, region.y, region.y + region.height)
    );
  let inside = 0;
  for (let i = 0; i < SAMPLES; i++)
    for (let j = 0; j < SAMPLES; j++) {
      const x = cell.left + ((i + 0.5) / SAMPLES) * (cell.right - cell.left);
      const y = cell.top + ((j + 0.5) / SAMPLES) * (cell.bottom - cell.top);
      if (isInPolygon(region, x, y)) inside++;
    }
  return inside / SAMPLES ** 2;
}
const SAMPLES = 5;

const common = (a: number, b: number, from: number, to: number) =>
  Math.max(0, Math.min(b, to) - Math.max(a, from)) / (b - a);
