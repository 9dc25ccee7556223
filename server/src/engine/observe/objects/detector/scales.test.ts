import { expect, test } from 'vitest';
import { CLASSES } from '../classes.ts';
import { SHARES_PER_BOX } from '../colors.ts';
import { detectorOf } from '../detectors.ts';
import type { Detection } from './detection.ts';
import type { createDetector, FrameDetections } from './detector.ts';
import { joinScales } from './join-scales.ts';
import { openScales } from './scales.ts';

const SIZE = { width: 416, height: 234 };
const box = (className: string, score: number, x0: number, side = 0.05): Detection => ({
  classIndex: CLASSES.indexOf(className),
  score,
  x0,
  x1: x0 + side,
  y0: 0.4,
  y1: 0.4 + side,
});
/** Detections whose colors are their number. */
const found = (...detections: Detection[]): FrameDetections => ({
  detections,
  colors: Float32Array.from(
    { length: detections.length * SHARES_PER_BOX },
    (_, at) => 1 + Math.floor(at / SHARES_PER_BOX),
  ),
});
const colorsOf = ({ colors }: FrameDetections) => [...colors].filter((_, at) => at % SHARES_PER_BOX === 0);

test.each([
  {
    what: 'what only the larger copy shows is added, without colors',
    usual: [],
    fine: [box('car', 0.6, 0.2)],
    score: [0.6],
    colors: [0],
  },
  {
    what: 'the clearer box of an object is used, with its colors',
    usual: [box('car', 0.3, 0.2)],
    fine: [box('car', 0.6, 0.205)],
    score: [0.6],
    colors: [1],
  },
  {
    what: 'the usual box is used if it is clearer',
    usual: [box('car', 0.7, 0.2)],
    fine: [box('car', 0.6, 0.205)],
    score: [0.7],
    colors: [1],
  },
  {
    what: 'a large box of the larger copy is dropped',
    usual: [box('car', 0.5, 0.1, 0.6)],
    fine: [box('car', 0.9, 0.3, 0.4)],
    score: [0.5],
    colors: [1],
  },
  {
    what: 'rare classes are dropped',
    usual: [box('car', 0.5, 0.1)],
    fine: [box('airplane', 0.9, 0.5)],
    score: [0.5],
    colors: [1],
  },
  {
    what: 'objects beside each other remain',
    usual: [box('car', 0.5, 0.1)],
    fine: [box('car', 0.4, 0.5)],
    score: [0.5, 0.4],
    colors: [1, 0],
  },
])('$what', ({ usual, fine, score, colors }) => {
  const joined = joinScales(found(...usual), found(...fine), SIZE);
  expect(joined.detections.map((each) => each.score)).toEqual(score);
  expect(colorsOf(joined)).toEqual(colors);
});

/** Detectors whose results are released by the test; each result has the frame's first byte as its score. */
function openByHand() {
  const opened: { side: number; ready: (count: number) => void; closed: boolean }[] = [];
  const open: typeof createDetector = async ({ width }) => {
    const queued: FrameDetections[] = [];
    let ready = 0;
    const release = (count: number) => {
      ready += count;
    };
    const own = { side: width, closed: false, ready: release };
    opened.push(own);
    return {
      detect: (rgb) => void queued.push(found(box('car', rgb[0]! / 255, opened.indexOf(own) / 2))),
      takeResults: () => queued.splice(0, ready),
      finish: async () => queued.splice(0),
      close: async () => {
        own.closed = true;
      },
    };
  };
  return { open, opened };
}

const openFor = (model: string, open: typeof createDetector) =>
  openScales({ weights: 'w', spec: detectorOf(model), displaySize: { width: 1920, height: 1080 }, threads: 1, open });
const frameOf = ({ width, height }: { width: number; height: number }, value: number) =>
  new Uint8Array(3 * width * height).fill(value);

test('results of both copies are joined in the order of the frames, whichever is done first', async () => {
  const { open, opened } = openByHand();
  const detector = await openFor('yolox_nano_640 fd7193b8405b', open);
  expect(opened.map(({ side }) => side)).toEqual([416, 640]);
  expect(detector.fineSize).toEqual({ width: 640, height: 360 });
  for (const at of [1, 2, 3]) {
    await detector.detectFine(frameOf(detector.fineSize!, 40 * at), at);
    await detector.detect(frameOf(detector.size, 40 * at), at);
  }
  opened[0]!.ready(3);
  expect(detector.takeResults()).toEqual([]);
  opened[1]!.ready(1);
  const [first, ...others] = detector.takeResults();
  expect(others).toEqual([]);
  expect(first!.detections).toHaveLength(2);
  const rest = await detector.finish();
  const scores = rest.map(({ detections }) => detections.map(({ score }) => Math.round(255 * score)));
  expect(scores).toEqual([
    [80, 80],
    [120, 120],
  ]);
  await detector.close();
  expect(opened.every(({ closed }) => closed)).toBe(true);
});

test('a detector of one size sees no other copy', async () => {
  const { open, opened } = openByHand();
  const detector = await openFor('yolox_nano fd7193b8405b', open);
  expect(opened).toHaveLength(1);
  expect(detector.fineSize).toBeNull();
  await detector.detect(frameOf(detector.size, 100), 0);
  expect((await detector.finish())[0]!.detections).toHaveLength(1);
});

test('the first detector is closed if the second one cannot be opened', async () => {
  const { open, opened } = openByHand();
  const failing: typeof createDetector = async (settings) => {
    if (settings.width > 416) throw new Error('no memory');
    return open(settings);
  };
  await expect(openFor('yolox_nano_640 fd7193b8405b', failing)).rejects.toThrow('no memory');
  expect(opened[0]!.closed).toBe(true);
});
