import { CLASSES, UNKNOWN_CLASS } from './classes.ts';
import { locateClothes } from './clothes.ts';
import type { Track } from './observation.ts';

/** Names of colors, in the order of `countColors`. */
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

/** Number of shares of one box: of the colors of the whole object, of the upper clothes and of the lower ones. */
export const SHARES_PER_BOX = 3 * COLORS.length;

/** Fewer pixels than this have no meaning. */
const MIN_PIXELS = 24;
/**
 * The examined part of the box, as fractions of its sides: the middle, which shows the object and not the background.
 */
const MIDDLE = { left: 0.2, right: 0.8, top: 0.2, bottom: 0.8 };
/** The color of a vehicle is its paint, below the windows and above the wheels. */
const PAINT = { ...MIDDLE, top: 0.45, bottom: 0.75 };
const PAINTED = new Set(['car', 'bus', 'truck', 'train'].map((name) => CLASSES.indexOf(name)));
const PERSON = CLASSES.indexOf('person');

/** Size of the background around a moving region, in box sizes, and the share of the box that it takes. */
const AROUND = 0.25;
const BACKGROUND = 0.6;

/**
 * White level of a well exposed frame, and the greatest factor by which a darker one is brightened before colors are
 * named.
 */
const WHITE_LEVEL = 215;
const MAX_EXPOSURE = 1.6;
/** Share of pixels above the white level, and the step between sampled pixels. */
const BRIGHTER = 0.03;
const PIXEL_STEP = 13;

type RgbImage = { width: number; height: number; rgb: Uint8Array };
type ClassifiedBox = { x0: number; y0: number; x1: number; y1: number; classIndex: number };

/**
 * Factor by which a frame has to be brightened for white to be white: at dusk and indoors, a white coat is gray to
 * the camera but not to people.
 */
export function estimateExposure({ rgb }: Pick<RgbImage, 'rgb'>): number {
  const counts = new Uint32Array(256);
  let pixels = 0;
  for (let at = 0; at + 2 < rgb.length; at += 3 * PIXEL_STEP, pixels++)
    counts[Math.max(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!)]!++;
  let level = 255;
  for (let above = counts[255]!; level > 0 && above < BRIGHTER * pixels; ) above += counts[--level]!;
  return Math.min(MAX_EXPOSURE, Math.max(1, WHITE_LEVEL / Math.max(1, level)));
}

/**
 * Shares of the color names among the pixels of an object in its box (fractions of the frame), brightened by
 * `exposure`: of the whole object, and then, only of a person, of the upper and the lower clothes. Zeros where there
 * are too few pixels.
 */
export function measureColorShares(image: RgbImage, box: ClassifiedBox, exposure: number): Float32Array {
  const shares = new Float32Array(SHARES_PER_BOX);
  shares.set(measureObject(image, box, exposure));
  if (box.classIndex !== PERSON) return shares;
  const { upper, lower } = locateClothes(box, image.width / image.height);
  shares.set(measurePart(image, upper, exposure), COLORS.length);
  if (lower) shares.set(measurePart(image, lower, exposure), 2 * COLORS.length);
  return shares;
}

/** Zeros if there are too few pixels. */
function measurePart(image: RgbImage, part: Omit<ClassifiedBox, 'classIndex'>, exposure: number): Float32Array {
  const counts = countIn(image, exposure, part);
  const pixels = sumOf(counts);
  return pixels < MIN_PIXELS ? new Float32Array(COLORS.length) : counts.map((count) => count / pixels);
}

/** A moving region is coarse: colors that are as common around it are subtracted. */
function measureObject(image: RgbImage, { x0, y0, x1, y1, classIndex }: ClassifiedBox, exposure: number): Float32Array {
  const [width, height] = [x1 - x0, y1 - y0];
  const part = PAINTED.has(classIndex) ? PAINT : MIDDLE;
  const inside = countIn(image, exposure, {
    x0: x0 + width * part.left,
    x1: x0 + width * part.right,
    y0: y0 + height * part.top,
    y1: y0 + height * part.bottom,
  });
  const pixels = sumOf(inside);
  if (pixels < MIN_PIXELS) return new Float32Array(COLORS.length);
  if (classIndex !== UNKNOWN_CLASS) return inside.map((count) => count / pixels);
  const box = countIn(image, exposure, { x0, y0, x1, y1 });
  const [wide, high] = [width * AROUND, height * AROUND];
  const all = countIn(image, exposure, { x0: x0 - wide, x1: x1 + wide, y0: y0 - high, y1: y1 + high });
  const around = Math.max(1, sumOf(all) - sumOf(box));
  const own = inside.map((count, k) => Math.max(0, count / pixels - (BACKGROUND * (all[k]! - box[k]!)) / around));
  const total = sumOf(own);
  return total > 0 ? own.map((share) => share / total) : own;
}

/** Number of pixels of each color in a part of the frame. */
function countIn(
  { width, height, rgb }: RgbImage,
  exposure: number,
  { x0, y0, x1, y1 }: Omit<ClassifiedBox, 'classIndex'>,
): Float32Array {
  const counts = new Float32Array(COLORS.length);
  const [left, right] = [Math.max(0, Math.ceil(x0 * width)), Math.min(width, Math.floor(x1 * width))];
  const [top, bottom] = [Math.max(0, Math.ceil(y0 * height)), Math.min(height, Math.floor(y1 * height))];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3;
      counts[classifyColor(rgb[at]! * exposure, rgb[at + 1]! * exposure, rgb[at + 2]! * exposure)]!++;
    }
  }
  return counts;
}

const sumOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0);

/**
 * Name of one color, by hue, saturation and value. Dark pixels need more saturation, which they have by chance: a
 * shadow on white paint is gray, not blue.
 */
export function classifyColor(r: number, g: number, b: number): number {
  const value = Math.max(r, g, b);
  const chroma = value - Math.min(r, g, b);
  if (value < 48) return BLACK;
  const saturation = chroma / value;
  if (saturation < 0.2 || chroma < 24) return value < 64 ? BLACK : value > 185 ? WHITE : GRAY;
  const hue = hueOf(r, g, b, value, chroma);
  const neutral = value > 185 ? WHITE : GRAY;
  if (value < 70 && saturation < 0.45) return BLACK;
  // Video stores color coarsely: red paint in shade turns towards magenta.
  // Safety vests and flames.
  if (hue >= 10 && hue < 14 && value > 180 && saturation > 0.65) return ORANGE;
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

/** Colors of an object by the sums of its shares, and of a person those of the clothes. */
export function colorsOfSums(className: string, sums: Float64Array): Pick<Track, 'colors' | 'clothes'> {
  const part = (at: number) => toNamedColors(sums.subarray(at * COLORS.length, (at + 1) * COLORS.length));
  return {
    colors: part(0),
    ...(className === CLASSES[PERSON] && { clothes: { upper: part(1), lower: part(2) } }),
  };
}

/** Names with their shares of the sums, largest first; shares below a tenth are left out. */
export function toNamedColors(sums: Float64Array): { name: string; share: number }[] {
  const total = sums.reduce((sum, share) => sum + share, 0);
  if (total === 0) return [];
  return COLORS.map((name, index) => ({ name: name as string, share: round(sums[index]! / total) }))
    .filter(({ share }) => share >= 0.1)
    .sort((a, b) => b.share - a.share);
}

const round = (share: number) => Math.round(share * 1000) / 1000;
