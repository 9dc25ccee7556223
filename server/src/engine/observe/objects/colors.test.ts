import { expect, test } from 'vitest';
import { CLASSES, UNKNOWN_CLASS } from './classes.ts';
import { locateClothes } from './clothes.ts';
import { COLORS, classifyColor, colorsOfSums, estimateExposure, measureColorShares, toNamedColors } from './colors.ts';

const name = (r: number, g: number, b: number) => COLORS[classifyColor(r, g, b)];

test('names colors as people do', () => {
  const paints: [string, [number, number, number][]][] = [
    [
      'black',
      [
        [0, 0, 0],
        [30, 28, 33],
        [60, 58, 62],
      ],
    ],
    [
      'white',
      [
        [255, 255, 255],
        [225, 222, 215],
        [200, 205, 210],
      ],
    ],
    [
      'gray',
      [
        [128, 128, 128],
        [110, 115, 118],
        [70, 70, 72],
        [165, 160, 158],
      ],
    ],
    // The last one is red paint in shade as video keeps it.
    [
      'red',
      [
        [220, 20, 30],
        [150, 25, 40],
        [200, 60, 60],
        [100, 40, 55],
      ],
    ],
    [
      'orange',
      [
        [255, 140, 20],
        [240, 120, 10],
        [240, 90, 45],
      ],
    ],
    [
      'yellow',
      [
        [250, 220, 30],
        [230, 200, 60],
      ],
    ],
    [
      'green',
      [
        [30, 140, 50],
        [60, 180, 90],
        [20, 90, 40],
      ],
    ],
    [
      'blue',
      [
        [30, 60, 200],
        [60, 110, 180],
        [20, 40, 110],
      ],
    ],
    [
      'purple',
      [
        [120, 40, 160],
        [90, 30, 140],
      ],
    ],
    [
      'pink',
      [
        [250, 160, 200],
        [255, 182, 193],
      ],
    ],
    [
      'brown',
      [
        [110, 70, 40],
        [139, 90, 50],
        [90, 60, 45],
      ],
    ],
  ];
  for (const [expected, samples] of paints) {
    for (const rgb of samples) expect(name(...rgb), `${rgb}`).toBe(expected);
  }
});

test('every color has a name', () => {
  for (let r = 0; r < 256; r += 15) {
    for (let g = 0; g < 256; g += 15) for (let b = 0; b < 256; b += 15) expect(name(r, g, b)).toBeTypeOf('string');
  }
});

test('only the middle of the box counts, not the background', () => {
  const [width, height] = [40, 40];
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = x >= 14 && x < 26 && y >= 14 && y < 26;
      rgb.set(inside ? [220, 20, 30] : [30, 140, 50], (y * width + x) * 3);
    }
  }
  const shares = measureColorShares(
    { width, height, rgb },
    { x0: 0.25, y0: 0.25, x1: 0.75, y1: 0.75, classIndex: 0 },
    1,
  );
  expect(shares[COLORS.indexOf('red')]).toBeCloseTo(1, 5);
  const tiny = measureColorShares({ width, height, rgb }, { x0: 0.4, y0: 0.4, x1: 0.5, y1: 0.5, classIndex: 0 }, 1);
  expect(Math.max(...tiny)).toBe(0);
});

test("a vehicle's color is its paint, not its windows", () => {
  const [width, height] = [40, 40];
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rgb.set(y < 17 ? [80, 120, 200] : [230, 190, 30], (y * width + x) * 3);
  }
  const whole = { x0: 0, y0: 0, x1: 1, y1: 1 };
  const bus = measureColorShares({ width, height, rgb }, { ...whole, classIndex: CLASSES.indexOf('bus') }, 1);
  expect(bus[COLORS.indexOf('yellow')]).toBeCloseTo(1, 5);
  const person = measureColorShares({ width, height, rgb }, { ...whole, classIndex: CLASSES.indexOf('person') }, 1);
  expect(person[COLORS.indexOf('blue')]).toBeGreaterThan(0.3);
});

test('measures the clothes of a person apart, where the box shows them', () => {
  const [width, height] = [100, 100];
  const rgb = new Uint8Array(width * height * 3).fill(120);
  // A yellow shirt and blue trousers in a box of 20 by 60.
  for (let y = 20; y < 80; y++)
    for (let x = 40; x < 60; x++) rgb.set(y < 50 ? [230, 190, 30] : [40, 70, 200], (y * width + x) * 3);
  const person = { x0: 0.4, y0: 0.2, x1: 0.6, y1: 0.8, classIndex: CLASSES.indexOf('person') };
  const clothesIn = (box: typeof person) => {
    const { clothes } = colorsOfSums('person', Float64Array.from(measureColorShares({ width, height, rgb }, box, 1)));
    return [clothes?.upper[0]?.name, clothes?.lower[0]?.name];
  };
  expect(clothesIn(person)).toEqual(['yellow', 'blue']);
  // As wide as tall, it shows the upper body alone.
  expect(clothesIn({ ...person, y1: 0.45 })).toEqual(['yellow', undefined]);
  const car = { ...person, classIndex: CLASSES.indexOf('car') };
  const measured = colorsOfSums('car', Float64Array.from(measureColorShares({ width, height, rgb }, car, 1)));
  expect(measured.colors.length).toBeGreaterThan(0);
  expect(measured).not.toHaveProperty('clothes');
});

test('finds the clothes of a person who is cut by the frame where they would be', () => {
  const { upper, lower } = locateClothes({ x0: 0.4, y0: 0.5, x1: 0.6, y1: 1 }, 1);
  expect(upper).toMatchObject({ y0: expect.closeTo(0.608, 3), y1: expect.closeTo(0.759, 3) });
  expect(lower?.y1).toBeLessThanOrEqual(1);
  expect(locateClothes({ x0: 0.4, y0: 0.8, x1: 0.6, y1: 1 }, 1).lower).toBeNull();
});

test('names colors by share, without small ones', () => {
  const sums = new Float64Array(COLORS.length);
  sums[COLORS.indexOf('black')] = 3;
  sums[COLORS.indexOf('red')] = 6;
  sums[COLORS.indexOf('pink')] = 0.5;
  expect(toNamedColors(sums)).toEqual([
    { name: 'red', share: 0.632 },
    { name: 'black', share: 0.316 },
  ]);
  expect(toNamedColors(new Float64Array(COLORS.length))).toEqual([]);
});

test('white is white at dusk too, and dark stays dark', () => {
  const picture = (white: number) => {
    const rgb = new Uint8Array(60 * 60 * 3).fill(white / 3);
    return { width: 60, height: 60, rgb: rgb.fill(white, 0, 60 * 20 * 3) };
  };
  expect(estimateExposure(picture(240))).toBe(1);
  expect(estimateExposure(picture(150))).toBeCloseTo(215 / 150, 5);
  expect(estimateExposure(picture(30))).toBe(1.6);
  const dusk = picture(150);
  const coat = { x0: 0, y0: 0, x1: 1, y1: 0.3, classIndex: CLASSES.indexOf('person') };
  const road = { ...coat, y0: 0.5, y1: 1 };
  const share = (name: (typeof COLORS)[number], box: typeof coat) =>
    measureColorShares(dusk, box, estimateExposure(dusk))[COLORS.indexOf(name)];
  expect(share('white', coat)).toBeCloseTo(1, 5);
  expect(share('white', road)).toBe(0);
});

test('subtracts the colors of the road around a moving region', () => {
  const [width, height] = [100, 100];
  const rgb = new Uint8Array(width * height * 3).fill(120);
  for (let y = 40; y < 60; y++) for (let x = 40; x < 55; x++) rgb.set([200, 30, 30], (y * width + x) * 3);
  const box = { x0: 0.3, y0: 0.3, x1: 0.7, y1: 0.7, classIndex: UNKNOWN_CLASS };
  const shares = measureColorShares({ width, height, rgb }, box, 1);
  const [red, gray] = (['red', 'gray'] as const).map((name) => shares[COLORS.indexOf(name)]!);
  expect(red).toBeGreaterThan(2 * gray!);
  // A gray one on a gray road is gray.
  const plain = { width, height, rgb: new Uint8Array(rgb.length).fill(120) };
  expect(measureColorShares(plain, box, 1)[COLORS.indexOf('gray')]).toBeCloseTo(1, 5);
});
