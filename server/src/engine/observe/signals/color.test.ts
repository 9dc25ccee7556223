import { expect, test } from 'vitest';
import { COLOR_HEIGHT, COLOR_WIDTH, createColors } from './color.ts';

test('the mean of each channel, and how colourful the pixels are', () => {
  const colors = createColors();
  const picture = new Uint8Array(COLOR_WIDTH * COLOR_HEIGHT * 3);
  for (let at = 0; at < picture.length; at += 3) picture.set(at % 2 === 0 ? [200, 100, 0] : [0, 100, 200], at);
  colors.take(picture, 0);
  colors.take(picture.fill(90), 0.5);
  const { colorTimeS, red, green, blue, chroma } = colors.finish();
  expect([...colorTimeS]).toEqual([0, 0.5]);
  expect([...red]).toEqual([100, 90]);
  expect([...green]).toEqual([100, 90]);
  expect([...blue]).toEqual([100, 90]);
  expect([...chroma]).toEqual([200, 0]);
});
