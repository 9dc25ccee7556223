import { expect, test } from 'vitest';
import type { Detector } from '../observe/objects/detector.ts';
import { createDetectorKeep } from './kept-detector.ts';

function counted() {
  const counts = { made: 0, closed: 0 };
  const open = createDetectorKeep(async () => {
    counts.made++;
    const detector: Detector = {
      look() {},
      ready: () => [],
      finish: async () => [],
      async close() {
        counts.closed++;
      },
    };
    return detector;
  });
  return { counts, open };
}

const SETTINGS = { weights: 'a.onnx', width: 416, height: 256, threads: 1 };

test('a detector that came to its end serves the next piece', async () => {
  const { counts, open } = counted();
  for (let piece = 0; piece < 3; piece++) {
    const detector = await open(SETTINGS);
    await detector.finish();
    await detector.close();
  }
  expect(counts).toEqual({ made: 1, closed: 0 });
});

test('one that was left in the middle does not', async () => {
  const { counts, open } = counted();
  await (await open(SETTINGS)).close();
  await open(SETTINGS);
  expect(counts).toEqual({ made: 2, closed: 1 });
});

test('pictures of another size have one of their own, and no more than one is kept', async () => {
  const { counts, open } = counted();
  for (const width of [416, 320, 416]) {
    const detector = await open({ ...SETTINGS, width });
    await detector.finish();
    await detector.close();
  }
  expect(counts).toEqual({ made: 3, closed: 2 });
});
