import type { PixelBox } from './boxes.ts';
import { CELL } from './frame-size.ts';
import { findStrokes, type GrayPlane, shrink, TILE } from './strokes.ts';

/** Pixels above and below strokes that the detector has to see. Beside letters, squares have strokes as well. */
const MARGIN = 16;
/** Wide strokes are found in an image that is smaller by this factor. */
const COARSE = 4;
/** Difference of the brightness on both sides of an edge, less than that of the faintest text that is read. */
const FINE_STROKES = { edge: 24, minRows: 4 };
/** Large text is not faint. */
const COARSE_STROKES = { edge: 40, minRows: 10 };
/** Cells that two regions share: a line that passes their border is seen there. */
const SHARED = 2;
/** Cost of a run of the detector beside that of its input, in cells. */
const RUN_COST = 2;
/** A region is divided if its parts cost less than this share of it. */
const WORTHWHILE = 0.97;

/**
 * The regions of a frame that can have text, in its pixels: boxes around strokes. Their sides are multiples of `CELL`,
 * as those of the frame. Regions that border on each other share some pixels.
 */
export function findRegions(plane: GrayPlane): PixelBox[] {
  const [columns, rows] = [plane.width / CELL, plane.height / CELL];
  const marked = new Set<number>();
  /** Marks the cells that a box touches. */
  const mark = (x0: number, y0: number, x1: number, y1: number) => {
    for (let y = Math.max(0, Math.floor(y0 / CELL)); y < Math.min(rows, Math.ceil(y1 / CELL)); y++)
      for (let x = Math.max(0, Math.floor(x0 / CELL)); x < Math.min(columns, Math.ceil(x1 / CELL)); x++)
        marked.add(y * columns + x);
  };
  for (const { x, y } of findStrokes(plane, FINE_STROKES)) mark(x, y - MARGIN, x + TILE, y + TILE + MARGIN);
  for (const { x, y } of findStrokes(shrink(plane, COARSE), COARSE_STROKES))
    mark(COARSE * x, COARSE * y, COARSE * (x + TILE), COARSE * (y + TILE));
  const cells = [...marked].map((at) => {
    const [x0, y0] = [at % columns, Math.floor(at / columns)];
    return { x0, y0, x1: x0 + 1, y1: y0 + 1 };
  });
  return divide(cells).map(({ x0, y0, x1, y1 }) => ({
    x0: x0 * CELL,
    y0: y0 * CELL,
    x1: x1 * CELL,
    y1: y1 * CELL,
  }));
}

/** Regions, of which those that have a box in common are one. The others are those that were given. */
export function joinAt(boxes: readonly PixelBox[], regions: readonly PixelBox[]): PixelBox[] {
  let joined = [...regions];
  for (const box of boxes) {
    const touched = joined.filter((region) => intersects(box, region));
    if (touched.length < 2) continue;
    joined = [...joined.filter((region) => !touched.includes(region)), hullOf(touched)];
  }
  return joined;
}

const intersects = (a: PixelBox, b: PixelBox) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

/** Boxes around cells, divided where that leaves out enough others. */
function divide(cells: readonly PixelBox[]): PixelBox[] {
  if (cells.length === 0) return [];
  const hull = hullOf(cells);
  let parts: [PixelBox[], PixelBox[]] | null = null;
  let lowest = costOf(hull) * WORTHWHILE;
  for (const axis of ['x', 'y'] as const) {
    for (let cut = hull[`${axis}0`] + SHARED; cut <= hull[`${axis}1`] - SHARED; cut++) {
      const before = cells.filter((cell) => cell[`${axis}0`] < cut + SHARED / 2);
      const after = cells.filter((cell) => cell[`${axis}0`] >= cut - SHARED / 2);
      if (before.length === 0 || after.length === 0) continue;
      const cost = costOf(hullOf(before)) + costOf(hullOf(after));
      if (cost >= lowest) continue;
      lowest = cost;
      parts = [before, after];
    }
  }
  return parts === null ? [hull] : parts.flatMap(divide);
}

const costOf = ({ x0, y0, x1, y1 }: PixelBox) => (x1 - x0) * (y1 - y0) + RUN_COST;

const hullOf = (boxes: readonly PixelBox[]): PixelBox => ({
  x0: Math.min(...boxes.map(({ x0 }) => x0)),
  y0: Math.min(...boxes.map(({ y0 }) => y0)),
  x1: Math.max(...boxes.map(({ x1 }) => x1)),
  y1: Math.max(...boxes.map(({ y1 }) => y1)),
});
