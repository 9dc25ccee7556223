/** Colors of the canvas, from the tokens of the shown theme. */
export type Palette = {
  lanes: readonly string[];
  ink: string;
  muted: string;
  line: string;
  bg: string;
  accent: string;
  warn: string;
};

/** Reads the tokens; call it again after the theme changed. `lanes[0]` is the neutral gray. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`);
  return {
    lanes: ['ink-3', 'lane-1', 'lane-2', 'lane-3', 'lane-4', 'lane-5', 'lane-6'].map(token),
    ink: token('ink'),
    muted: token('ink-3'),
    line: token('line'),
    bg: token('bg'),
    accent: token('accent'),
    warn: token('warn'),
  };
}

/**
 * Strokes in a tile of 8 × 8 pixels, one per row color, so that rows can be distinguished without color. The first one
 * (and the neutral gray) is solid.
 */
export const LANE_PATTERNS = [
  '',
  '',
  'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  'M4 0V8',
  'M-2 6L2 10M0 0L8 8M6 -2L10 2',
  'M0 4H8',
  'M4 0V8M0 4H8',
] as const;
const TILE_PX = 8;

/** The pattern of a row color for filling over its color, or null if it is solid. */
export function lanePattern(color: number, stroke: string, context: CanvasRenderingContext2D): CanvasPattern | null {
  const path = LANE_PATTERNS[color];
  if (!path) return null;
  const tile = new OffscreenCanvas(TILE_PX, TILE_PX);
  const drawing = tile.getContext('2d')!;
  drawing.strokeStyle = stroke;
  drawing.lineWidth = 1.5;
  drawing.stroke(new Path2D(path));
  return context.createPattern(tile, 'repeat');
}

/** The pattern of ranges that were not seen. */
export function hatch(color: string, context: CanvasRenderingContext2D): CanvasPattern {
  const tile = new OffscreenCanvas(TILE_PX, TILE_PX);
  const drawing = tile.getContext('2d')!;
  drawing.strokeStyle = color;
  drawing.lineWidth = 2.4;
  drawing.stroke(new Path2D(LANE_PATTERNS[2]));
  return context.createPattern(tile, 'repeat')!;
}
