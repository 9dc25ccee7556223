import type { RgbImage } from './reader.ts';

/** Brightness of an image, one byte per pixel. */
export type GrayPlane = { width: number; height: number; data: Uint8Array };

/** Side of the squares that are searched for strokes, in pixels. */
export const TILE = 16;
/** Letters next to each other have at least this many edges, alternately to bright and to dark, in three squares. */
const MIN_EDGES = 4;

/**
 * Upper left corners of the squares with strokes side by side, as letters have them: in at least `minRows` rows of
 * pixels. `edge`: difference of the brightness on both sides of a stroke's edge.
 */
export function findStrokes(
  { width, height, data }: GrayPlane,
  { edge, minRows }: { edge: number; minRows: number },
): { x: number; y: number }[] {
  const columns = Math.ceil(width / TILE);
  const found: { x: number; y: number }[] = [];
  const rows = new Uint8Array(columns);
  /** Edges in each square of a row of pixels, between two that have none. */
  const edges = new Uint8Array(columns + 2);
  for (let y = 0; y < height; y++) {
    edges.fill(0);
    countEdges(data.subarray(y * width, (y + 1) * width), edge, edges);
    for (let column = 0; column < columns; column++)
      if (edges[column]! + edges[column + 1]! + edges[column + 2]! >= MIN_EDGES) rows[column]!++;
    if ((y + 1) % TILE !== 0 && y + 1 < height) continue;
    for (const [column, count] of rows.entries())
      if (count >= minRows) found.push({ x: column * TILE, y: y - (y % TILE) });
    rows.fill(0);
  }
  return found;
}

/** Adds the edges of a row of pixels, each from one extreme of brightness to the next, to those of its squares. */
function countEdges(row: Uint8Array, edge: number, edges: Uint8Array): void {
  let low = row[0]!;
  let high = low;
  /** 1 after an edge to bright, -1 after one to dark. */
  let last = 0;
  for (let x = 1; x < row.length; x++) {
    const value = row[x]!;
    if (value > high) high = value;
    if (value < low) low = value;
    if (last >= 0 && high - value >= edge) last = -1;
    else if (last <= 0 && value - low >= edge) last = 1;
    else continue;
    edges[1 + Math.floor(x / TILE)]!++;
    low = value;
    high = value;
  }
}

/** Brightness of an image that is smaller by `scale`, whose sides are multiples of it. */
export function toGrayPlane({ width, height, data }: RgbImage, scale: number): GrayPlane {
  const gray = new Uint8Array(width * height);
  // Red on black has to be seen as well: green alone would not do.
  for (let to = 0, at = 0; to < gray.length; to++, at += 3)
    gray[to] = (data[at]! + 2 * data[at + 1]! + data[at + 2]!) >> 2;
  const plane = { width, height, data: gray };
  return scale === 1 ? plane : shrink(plane, scale);
}

/** The means of squares of `factor` pixels; what is left at the right and bottom edge is dropped. */
export function shrink({ width, height, data }: GrayPlane, factor: number): GrayPlane {
  const [columns, rows] = [Math.floor(width / factor), Math.floor(height / factor)];
  const small = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let y = row * factor; y < (row + 1) * factor; y++)
        for (let x = column * factor; x < (column + 1) * factor; x++) sum += data[y * width + x]!;
      small[row * columns + column] = sum / (factor * factor);
    }
  }
  return { width: columns, height: rows, data: small };
}
