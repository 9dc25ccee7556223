import { describe, expect, it } from 'vitest';
import { findLitIntervals, type LampReading } from './attributes/lit-intervals.ts';
import { drawLight, type LightScene } from './lights.fixture.ts';
import { LAMPS, MIN_LIGHT_HEIGHT, MIN_LIGHT_WIDTH, measureLitLamp } from './lit-lamp.ts';

const read = (scene: Partial<LightScene>) => {
  const { image, box } = drawLight({ lit: 'red', height: 30, ...scene });
  return measureLitLamp(image, box);
};

describe('the lit lamp of a traffic light', () => {
  describe.each(['day', 'night', 'dusk'] as const)('by %s', (light) => {
    it.each(LAMPS.flatMap((lit) => [12, 14, 18, 24, 40, 90].map((height) => [lit, height] as const)))(
      '%s in a box %i pixels high',
      (lit, height) => {
        expect(read({ lit, height, light })).toBe(lit);
      },
    );

    it('is null if no lamp is lit', () => {
      expect(read({ lit: null, light })).toBeNull();
    });
  });

  it.each([
    ['is unknown in a box that is too low', { height: MIN_LIGHT_HEIGHT - 1, width: MIN_LIGHT_WIDTH + 1 }, undefined],
    ['is unknown in a box that is too narrow', { height: MIN_LIGHT_HEIGHT + 4, width: MIN_LIGHT_WIDTH - 1 }, undefined],
    ['is read in the smallest box', { height: MIN_LIGHT_HEIGHT + 1, width: MIN_LIGHT_WIDTH + 1 }, 'red'],
  ] as const)('%s', (_name, size, expected) => {
    expect(read(size)).toBe(expected);
  });

  it('is read where the box is larger than the light', () => {
    for (const lit of LAMPS) expect(read({ lit, margin: 0.2 })).toBe(lit);
  });

  it('is not that of a yellow housing, of foliage or of a brick wall', () => {
    expect(read({ lit: null, housing: [230, 180, 20] })).toBeNull();
    expect(read({ lit: null, background: [40, 140, 50], margin: 0.4 })).toBeNull();
    expect(read({ lit: null, background: [190, 60, 40], margin: 0.4 })).toBeNull();
    expect(read({ lit: 'red', housing: [230, 180, 20] })).toBe('red');
  });

  it('is read in horizontal lights by its color alone', () => {
    for (const lit of LAMPS) expect(read({ lit, isHorizontal: true })).toBe(lit);
  });

  it('is unknown with red and green lit at once', () => {
    expect(read({ lit: 'red', alsoLit: 'green' })).toBeNull();
  });
});

describe('the colors of a light over time', () => {
  /** One letter per reading: the color, "-" for no lamp, "?" for a box that is too small. */
  const readings = (text: string, stepS = 0.2): LampReading[] =>
    [...text].map((letter, n) => ({
      timeS: n * stepS,
      color: letter === '-' ? null : LAMPS.find((lamp) => lamp.startsWith(letter)),
    }));
  const intervals = (text: string, stepS?: number) =>
    findLitIntervals(readings(text, stepS)).map(
      ({ color, startS, endS }) => `${color} ${startS.toFixed(1)}-${endS.toFixed(1)}`,
    );

  it.each([
    ['one color', 'rrrrrr', ['red 0.0-1.0']],
    ['two colors', 'rrrrrggggg', ['red 0.0-1.0', 'green 1.0-1.8']],
    ['three colors', 'ggggyyyyrrrr', ['green 0.0-0.8', 'yellow 0.8-1.6', 'red 1.6-2.2']],
    ['a frame of another color', 'rrrrgrrrr', ['red 0.0-1.6']],
    ['frames without a lamp', 'rrr--rrr', ['red 0.0-1.4']],
    ['amber that flashes', 'yy---yy---yy', ['yellow 0.0-2.2']],
    ['a single reading', '---r---', []],
    ['no reading', '?????', []],
    ['a truck in front', `rr${'-'.repeat(15)}rr`, ['red 0.0-0.2', 'red 3.4-3.6']],
    ['a change behind a truck', `rr${'-'.repeat(15)}gg`, ['red 0.0-0.2', 'green 3.4-3.6']],
  ])('%s', (_name, text, expected) => {
    expect(intervals(text)).toEqual(expected);
  });

  it('counts single readings in footage of one frame per second', () => {
    expect(intervals('rrrgg', 1)).toEqual(['red 0.0-3.0', 'green 3.0-4.0']);
  });
});
