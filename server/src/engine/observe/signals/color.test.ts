import { expect, test } from 'vitest';
import { COLOR_HEIGHT, COLOR_WIDTH, createColorCollector } from './color.ts';

test('computes the mean of each channel and the chroma', () => {
  const colors = createColorCollector();
  const frame = new Uint8Array(COLOR_WIDTH * COLOR_HEIGHT * 3);
  for (let at = 0; at < frame.length; at += 3) frame.set(at % 2 === 0 ? [200, 100, 0] : [0, 100, 200], at);
  colors.addFrame(frame, 0);
  colors.addFrame(frame.fill(90), 0.5);
  const { colorTimeS, red, green, blue, chroma } = colors.collect((column) => column.toArray());
  expect([...colorTimeS]).toEqual([0, 0.5]);
  expect([...red]).toEqual([100, 90]);
  expect([...green]).toEqual([100, 90]);
  expect([...blue]).toEqual([100, 90]);
  expect([...chroma]).toEqual([200, 0]);
});
