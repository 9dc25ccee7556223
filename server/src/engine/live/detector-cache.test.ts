import { expect, test } from 'vitest';
import type { Detector } from '../observe/objects/detector/detector.ts';
import { detectorOf } from '../observe/objects/detectors.ts';
import { createDetectorCache } from './detector-cache.ts';

function counted() {
  const counts = { made: 0, closed: 0 };
  const open = createDetectorCache(async () => {
    counts.made++;
    const detector: Detector = {
      detect() {},
      takeResults: () => [],
      finish: async () => [],
      async close() {
        counts.closed++;
      },
    };
    return detector;
  });
  return { counts, open };
}

const SETTINGS = { weights: 'a.onnx', spec: detectorOf('yolox_nano'), width: 416, height: 256, threads: 1 };

test('a finished detector is used for the next segment', async () => {
  const { counts, open } = counted();
  for (let segment = 0; segment < 3; segment++) {
    const detector = await open(SETTINGS);
    await detector.finish();
    await detector.close();
  }
  expect(counts).toEqual({ made: 1, closed: 0 });
});

test('an unfinished detector is not used again', async () => {
  const { counts, open } = counted();
  await (await open(SETTINGS)).close();
  await open(SETTINGS);
  expect(counts).toEqual({ made: 2, closed: 1 });
});

test('another frame size has its own detector, and only one is cached', async () => {
  const { counts, open } = counted();
  for (const width of [416, 320, 416]) {
    const detector = await open({ ...SETTINGS, width });
    await detector.finish();
    await detector.close();
  }
  expect(counts).toEqual({ made: 3, closed: 2 });
});
