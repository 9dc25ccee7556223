import { CLASSES } from './classes.ts';

/** Lamps of a traffic light, from its top to its bottom. */
export const LAMPS = ['red', 'yellow', 'green'] as const;
export type LampColor = (typeof LAMPS)[number];

export const TRAFFIC_LIGHT = CLASSES.indexOf('traffic light');

/**
 * Smallest box in which a lamp can be distinguished, in pixels of the detector's input: its lamps are three pixels
 * wide, and video stores one color for two by two pixels.
 */
export const MIN_LIGHT_WIDTH = 5;
export const MIN_LIGHT_HEIGHT = 11;

/** Brightness and chroma (0 to 255) of a pixel of a lit lamp or its halo; the middle of a lamp may be white. */
const MIN_VALUE = 100;
const MIN_CHROMA = 45;
/** Hues in degrees: amber lamps reach into orange, green ones into cyan. The sky is bluer, foliage is yellower. */
const RED = { from: 335, to: 18 };
const YELLOW = { from: 24, to: 64 };
const GREEN = { from: 95, to: 195 };
/** The middle of the box across its lamps, as shares of its side: the rest shows the housing and what is behind it. */
const MIDDLE = { from: 0.3, to: 0.7 };
const WHOLE = { from: 0, to: 1 };
/** Boxes that are this much higher than wide have their lamps one above the other. */
const UPRIGHT = 1.3;
/**
 * Least mean strength (0 to 1) of each lamp in its place, and least ratio to that of the next one. Yellow housings show
 * between the lamps.
 */
const MIN_STRENGTHS = [0.03, 0.12, 0.03];
const MIN_RATIO = 1.6;
/** Least ratio of the strength in its place to that elsewhere: a yellow housing is yellow everywhere. */
const MIN_CONTRAST = 2;

type Corners = { x0: number; y0: number; x1: number; y1: number };
type RgbImage = { width: number; height: number; rgb: Uint8Array };

/** Adds the lit lamp to the detection of a traffic light. */
export function withLamp<Box extends Corners & { classIndex: number }>(
  image: RgbImage,
  detection: Box,
): Box & { lamp?: LampColor | null } {
  if (detection.classIndex !== TRAFFIC_LIGHT) return detection;
  const lamp = measureLitLamp(image, detection);
  return lamp === undefined ? detection : { ...detection, lamp };
}

/**
 * Color of the lit lamp of a traffic light in its box (fractions of the frame); null if no lamp stands out, undefined
 * if the box is too small to tell. A lamp is bright, saturated and in its own place: what has the same color above and
 * below, such as foliage or a yellow housing, cancels out.
 */
export function measureLitLamp(image: RgbImage, box: Corners): LampColor | null | undefined {
  const [width, height] = [(box.x1 - box.x0) * image.width, (box.y1 - box.y0) * image.height];
  if (width < MIN_LIGHT_WIDTH || height < MIN_LIGHT_HEIGHT) return undefined;
  const strengths = measureStrengths(image, box, height >= UPRIGHT * width);
  const best = strengths.indexOf(Math.max(...strengths));
  const next = Math.max(...strengths.filter((_, lamp) => lamp !== best));
  const isClear = strengths[best]! >= MIN_STRENGTHS[best]! && strengths[best]! >= MIN_RATIO * next;
  return isClear ? LAMPS[best]! : null;
}

/** Mean strength of each lamp in its place, less that elsewhere; anywhere in the box if its lamps are not upright. */
function measureStrengths({ width, height, rgb }: RgbImage, box: Corners, isUpright: boolean): number[] {
  const [left, right] = pixelsOf(box.x0, box.x1, width, isUpright ? MIDDLE : WHOLE);
  const [top, bottom] = pixelsOf(box.y0, box.y1, height, isUpright ? WHOLE : MIDDLE);
  const rows = Math.max(1, bottom - top);
  const sums = LAMPS.map(() => ({ inside: 0, outside: 0, rowsInside: 0 }));
  for (let y = top; y < bottom; y++) {
    const place = (y + 0.5 - top) / rows;
    const isInside = PLACES.map(({ from, to }) => !isUpright || (place >= from && place < to));
    isInside.forEach((inside, lamp) => {
      if (inside) sums[lamp]!.rowsInside++;
    });
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3;
      const [r, g, b] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
      const value = Math.max(r, g, b);
      const chroma = value - Math.min(r, g, b);
      const lamp = classifyPixel(r, g, b, value, chroma);
      if (lamp >= 0) sums[lamp]![isInside[lamp] ? 'inside' : 'outside'] += (chroma / 255) * (value / 255);
    }
  }
  return sums.map(({ inside, outside, rowsInside }) => {
    const columns = Math.max(1, right - left);
    const own = inside / (columns * Math.max(1, rowsInside));
    const rest = outside / (columns * Math.max(1, rows - rowsInside));
    return own >= MIN_CONTRAST * rest ? own - rest : 0;
  });
}

/** First pixel, and the one after the last, of a part of a side of the box. */
function pixelsOf(from: number, to: number, size: number, part: typeof WHOLE): [first: number, end: number] {
  const at = (share: number) => (from + (to - from) * share) * size;
  return [Math.max(0, Math.floor(at(part.from))), Math.min(size, Math.ceil(at(part.to)))];
}

/** Where each lamp may be in an upright box, as shares of its height: boxes are not exact. */
const PLACES = [
  { from: 0, to: 0.5 },
  { from: 0.35, to: 0.65 },
  { from: 0.5, to: 1 },
];

/** The lamp whose color a pixel has, an index of `LAMPS`; -1 for a pixel of no lit lamp. */
function classifyPixel(r: number, g: number, b: number, value: number, chroma: number): number {
  if (value < MIN_VALUE || chroma < MIN_CHROMA) return -1;
  const sixth = value === r ? (g - b) / chroma : value === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  const hue = (sixth * 60 + 360) % 360;
  if (hue >= RED.from || hue < RED.to) return 0;
  if (hue >= YELLOW.from && hue < YELLOW.to) return 1;
  return hue >= GREEN.from && hue < GREEN.to ? 2 : -1;
}
