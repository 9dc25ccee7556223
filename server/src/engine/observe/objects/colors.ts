import { CLASSES } from './classes.ts';

/** The names that colours are given, in the order of `countColors`. */
export const COLORS = [
  'black',
  'white',
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'brown',
] as const;

const [BLACK, WHITE, GRAY, RED, ORANGE, YELLOW, GREEN, BLUE, PURPLE, PINK, BROWN] = COLORS.keys().toArray() as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Fewer pixels than this say nothing. */
const LEAST_PIXELS = 24;
/** Part of the box that is looked at, as fractions of its sides: the middle, where the thing itself is and not what is behind it. */
const MIDDLE = { left: 0.2, right: 0.8, top: 0.2, bottom: 0.8 };
/** A vehicle's colour is its paint, below the windows and above the wheels. */
const PAINT = { ...MIDDLE, top: 0.45, bottom: 0.75 };
const PAINTED = new Set(['car', 'bus', 'truck', 'train'].map((name) => CLASSES.indexOf(name)));

type Picture = { width: number; height: number; rgb: Uint8Array };
type Thing = { x0: number; y0: number; x1: number; y1: number; classIndex: number };

/** Shares of the colour names among the pixels of a thing in its box (fractions of the picture); zeros when there are too few pixels. */
export function countColors({ width, height, rgb }: Picture, { x0, y0, x1, y1, classIndex }: Thing): Float32Array {
  const shares = new Float32Array(COLORS.length);
  const part = PAINTED.has(classIndex) ? PAINT : MIDDLE;
  const left = Math.ceil((x0 + (x1 - x0) * part.left) * width);
  const right = Math.floor((x0 + (x1 - x0) * part.right) * width);
  const top = Math.ceil((y0 + (y1 - y0) * part.top) * height);
  const bottom = Math.floor((y0 + (y1 - y0) * part.bottom) * height);
  const pixels = (right - left) * (bottom - top);
  if (right <= left || bottom <= top || pixels < LEAST_PIXELS) return shares;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3;
      shares[nameIndex(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!)]! += 1 / pixels;
    }
  }
  return shares;
}

/**
 * The name of one colour, by hue, saturation and value. Saturation counts against value: dark pixels have large saturations by chance, and a shadow on
 * white paint is grey, not blue.
 */
export function nameIndex(r: number, g: number, b: number): number {
  const value = Math.max(r, g, b);
  const chroma = value - Math.min(r, g, b);
  if (value < 48) return BLACK;
  const saturation = chroma / value;
  if (saturation < 0.2 || chroma < 24) return value < 75 ? BLACK : value > 185 ? WHITE : GRAY;
  const hue = hueOf(r, g, b, value, chroma);
  const neutral = value > 185 ? WHITE : GRAY;
  if (value < 70 && saturation < 0.45) return BLACK;
  // Video keeps colour coarsely: red paint in shade turns towards magenta.
  if (hue < 14 || hue >= 328) {
    if (value > 185 && saturation < 0.42) return PINK;
    return value < 110 && saturation < 0.55 && hue < 14 ? BROWN : RED;
  }
  if (hue < 42) {
    if (saturation < 0.32 && value > 150) return neutral;
    return value < 165 || saturation < 0.5 ? BROWN : ORANGE;
  }
  if (hue < 70) return saturation < 0.35 ? neutral : value < 110 ? BROWN : YELLOW;
  if (hue < 165) return saturation < 0.25 ? neutral : GREEN;
  if (hue < 255) return saturation < 0.28 ? neutral : BLUE;
  if (saturation < 0.3) return neutral;
  return hue >= 290 && value > 140 && saturation < 0.75 ? PINK : PURPLE;
}

function hueOf(r: number, g: number, b: number, value: number, chroma: number): number {
  const sixth = value === r ? (g - b) / chroma : value === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  return (sixth * 60 + 360) % 360;
}

/** Names with their shares, most first, of summed shares; what is less than a tenth is left out. */
export function nameColors(sums: Float64Array): { name: string; share: number }[] {
  const total = sums.reduce((sum, share) => sum + share, 0);
  if (total === 0) return [];
  return COLORS.map((name, index) => ({ name: name as string, share: round(sums[index]! / total) }))
    .filter(({ share }) => share >= 0.1)
    .sort((a, b) => b.share - a.share);
}

const round = (share: number) => Math.round(share * 1000) / 1000;
