/** A rectangle in pixels: `x1` and `y1` are excluded. */
export type PixelBox = { x0: number; y0: number; x1: number; y1: number };

/** Pixels with at least this probability of being text belong to a region; a region needs this mean. */
const PIXEL_THRESHOLD = 0.3;
const REGION_THRESHOLD = 0.6;
/** Smaller regions are noise. */
const MIN_PIXELS = 12;
const MIN_SIDE = 4;
/** The model marks the core of a line of text: area × ratio / perimeter is added on each side, as it was trained. */
const UNCLIP_RATIO = 1.6;
/** Most lines that are read in a frame: a page of print is not a video. */
const MAX_BOXES = 40;

/**
 * Boxes of the lines of text in a map of probabilities: the connected regions of likely pixels, expanded to the whole
 * line. The most certain ones, in reading order.
 */
export function findBoxes(map: Float32Array, width: number, height: number): PixelBox[] {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const found: { box: PixelBox; mean: number }[] = [];
  const visit = (at: number) => {
    if (seen[at] === 1 || map[at]! < PIXEL_THRESHOLD) return;
    seen[at] = 1;
    stack.push(at);
  };
  for (let start = 0; start < map.length; start++) {
    if (seen[start] === 1 || map[start]! < PIXEL_THRESHOLD) continue;
    visit(start);
    const box = { x0: width, y0: height, x1: 0, y1: 0 };
    let pixels = 0;
    let sum = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width;
      const y = (at - x) / width;
      pixels++;
      sum += map[at]!;
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x + 1);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y + 1);
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      if (y > 0) visit(at - width);
      if (y < height - 1) visit(at + width);
    }
    const isLarge = pixels >= MIN_PIXELS && box.x1 - box.x0 >= MIN_SIDE && box.y1 - box.y0 >= MIN_SIDE;
    if (isLarge && sum / pixels >= REGION_THRESHOLD)
      found.push({ box: expand(box, width, height), mean: sum / pixels });
  }
  return found
    .toSorted((a, b) => b.mean - a.mean)
    .slice(0, MAX_BOXES)
    .map(({ box }) => box)
    .toSorted((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
}

/** Words side by side: their middles and their gap are at most these parts of their height apart ... */
const SAME_ROW = 0.3;
const WORD_GAP = 0.25;
/** ... and the taller one is at most this much taller. */
const SAME_HEIGHT = 1.5;

/** Joins the boxes of words that stand side by side, as in one line. Boxes in reading order, as they were. */
export function joinWords(boxes: readonly PixelBox[]): PixelBox[] {
  const lines: PixelBox[] = [];
  for (const word of boxes.toSorted((a, b) => a.x0 - b.x0)) {
    const line = lines.find((each) => areSideBySide(each, word));
    if (!line) lines.push({ ...word });
    else {
      line.x1 = Math.max(line.x1, word.x1);
      line.y0 = Math.min(line.y0, word.y0);
      line.y1 = Math.max(line.y1, word.y1);
    }
  }
  return lines.toSorted((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
}

function areSideBySide(a: PixelBox, b: PixelBox): boolean {
  const [height, other] = [a.y1 - a.y0, b.y1 - b.y0];
  const lower = Math.min(height, other);
  return (
    Math.max(height, other) <= SAME_HEIGHT * lower &&
    Math.abs(a.y0 + a.y1 - b.y0 - b.y1) / 2 <= SAME_ROW * lower &&
    b.x0 - a.x1 <= WORD_GAP * lower
  );
}

function expand({ x0, y0, x1, y1 }: PixelBox, width: number, height: number): PixelBox {
  const [w, h] = [x1 - x0, y1 - y0];
  const margin = (w * h * UNCLIP_RATIO) / (2 * (w + h));
  return {
    x0: Math.max(0, Math.round(x0 - margin)),
    y0: Math.max(0, Math.round(y0 - margin)),
    x1: Math.min(width, Math.round(x1 + margin)),
    y1: Math.min(height, Math.round(y1 + margin)),
  };
}
