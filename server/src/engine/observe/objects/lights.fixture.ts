import type { LampColor } from './lit-lamp.ts';

type Color = readonly [red: number, green: number, blue: number];
export type LightScene = {
  lit: LampColor | null;
  alsoLit?: LampColor;
  /** Size of the box in pixels; the width follows from the height. */
  height: number;
  width?: number;
  light?: 'day' | 'dusk' | 'night';
  housing?: Color;
  background?: Color;
  /** Part of the box around the light, as a share of its sides. */
  margin?: number;
  isHorizontal?: boolean;
};

const LIT: Record<LampColor, Color> = { red: [255, 45, 40], yellow: [255, 185, 40], green: [40, 245, 170] };
const UNLIT: Record<LampColor, Color> = { red: [60, 15, 15], yellow: [60, 45, 10], green: [10, 50, 35] };
/** Colors of everything but lamps, and the overexposed part of the radius of a lamp. */
const LIGHTS: Record<NonNullable<LightScene['light']>, { background: Color; housing: Color; core: number }> = {
  day: { background: [150, 185, 235], housing: [30, 32, 30], core: 0 },
  dusk: { background: [70, 70, 95], housing: [20, 20, 22], core: 0.35 },
  night: { background: [8, 8, 12], housing: [4, 4, 5], core: 0.55 },
};
/** Pixels around the box. */
const BORDER = 12;
/** Each pixel is the mean of this many squared. */
const SUBPIXELS = 4;

/** A frame with a traffic light, with its colors at half the resolution as in video, and the box of the light. */
export function drawLight(scene: LightScene) {
  const { lit, alsoLit, height, light = 'day', margin = 0.04, isHorizontal = false } = scene;
  const width = scene.width ?? height * 0.42;
  const [boxWidth, boxHeight] = isHorizontal ? [height, width] : [width, height];
  const look = { ...LIGHTS[light], ...(scene.housing && { housing: scene.housing }) };
  const background = scene.background ?? look.background;
  const size = { width: Math.ceil(boxWidth) + 2 * BORDER, height: Math.ceil(boxHeight) + 2 * BORDER };
  const colorAt = (x: number, y: number): Color => {
    const [u, v] = [(x - BORDER) / boxWidth, (y - BORDER) / boxHeight];
    const [across, along] = (isHorizontal ? [v, u] : [u, v]).map((at) => (at - margin) / (1 - 2 * margin));
    if (across! < 0 || across! > 1 || along! < 0 || along! > 1) return background;
    const index = Math.min(2, Math.floor(along! * 3));
    const lamp = (['red', 'yellow', 'green'] as const)[index]!;
    // The housing is 0.42 times as wide as it is high, and lamps are round.
    const radius = Math.hypot((across! - 0.5) * 0.42, along! - (index + 0.5) / 3) / 0.14;
    if (radius > 1) return look.housing;
    if (lamp !== lit && lamp !== alsoLit) return UNLIT[lamp];
    return radius < look.core ? [255, 250, 245] : LIT[lamp];
  };
  const rgb = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) rgb.set(meanColor(colorAt, x, y), (y * size.width + x) * 3);
  const box = {
    x0: BORDER / size.width,
    y0: BORDER / size.height,
    x1: (BORDER + boxWidth) / size.width,
    y1: (BORDER + boxHeight) / size.height,
  };
  return { image: { ...size, rgb: withCoarseColors(rgb, size.width) }, box };
}

function meanColor(colorAt: (x: number, y: number) => Color, x: number, y: number): number[] {
  const sum = [0, 0, 0];
  for (let k = 0; k < SUBPIXELS ** 2; k++) {
    const at = (n: number) => (n + 0.5) / SUBPIXELS;
    colorAt(x + at(k % SUBPIXELS), y + at(Math.floor(k / SUBPIXELS))).forEach((value, c) => {
      sum[c]! += value / SUBPIXELS ** 2;
    });
  }
  return sum;
}

/** Replaces the colors, not the brightness, of two by two pixels by their mean, as 4:2:0 does. */
function withCoarseColors(rgb: Uint8Array, width: number): Uint8Array {
  const coarse = new Uint8ClampedArray(rgb.length);
  const height = rgb.length / 3 / width;
  const lumaOf = (at: number) => 0.3 * rgb[at]! + 0.59 * rgb[at + 1]! + 0.11 * rgb[at + 2]!;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const block = [0, 1].flatMap((dy) => [0, 1].map((dx) => [y + dy, x + dx] as const));
      const pixels = block.filter(([row, column]) => row < height && column < width);
      const positions = pixels.map(([row, column]) => (row * width + column) * 3);
      for (let c = 0; c < 3; c++) {
        const offset = positions.reduce((sum, at) => sum + rgb[at + c]! - lumaOf(at), 0) / positions.length;
        for (const at of positions) coarse[at + c] = lumaOf(at) + offset;
      }
    }
  }
  return Uint8Array.from(coarse);
}
