import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLASSES } from '../classes.ts';
import { detectorOf } from '../detectors.ts';
import { createDetector } from './detector.ts';
import { createInput, decodeBoxes, decodeLogits, fillInput } from './detr.ts';
import { DETR_BOX, rawDetrModel, selectedDetrModel } from './detr-model.fixture.ts';
import { constantModel } from './model.fixture.ts';
import { openNetwork } from './network.ts';
import { testWeights } from './weights-selftest-task.ts';

const SPEC = detectorOf('dfine_n 0123456789ab');
const FRAME = { width: 640, height: 360 };
const { side } = SPEC;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'detr-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function write(name: string, bytes: Buffer): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, bytes);
  return path;
}

function plain(color: readonly [number, number, number]): Uint8Array {
  const rgb = new Uint8Array(FRAME.width * FRAME.height * 3);
  for (let at = 0; at < rgb.length; at += 3) rgb.set(color, at);
  return rgb;
}

describe('the input', () => {
  test('is planes of red, green and blue from 0 to 1, without padding', () => {
    const input = createInput(4);
    fillInput(input, Uint8Array.of(255, 51, 0, 0, 102, 255), { width: 2, height: 1 });
    const plane = (channel: number) => [...input.subarray(16 * channel, 16 * channel + 4)];
    expect(input).toHaveLength(3 * 16);
    // Pixel centers: the outer columns are the source's, the inner ones are a quarter of the way to the other.
    expect(plane(0)).toEqual([1, 0.75, 0.25, 0]);
    expect(plane(1).map((value) => Math.round(value * 255))).toEqual([51, 64, 89, 102]);
    expect(plane(2)).toEqual([0, 0.25, 0.75, 1]);
    // The single row fills all four.
    for (let row = 1; row < 4; row++) expect([...input.subarray(4 * row, 4 * row + 4)]).toEqual(plane(0));
  });

  test('stays the same if the frame has the size of the input', () => {
    const rgb = Uint8Array.from({ length: 27 }, (_, at) => at * 9);
    const input = createInput(3);
    fillInput(input, rgb, { width: 3, height: 3 });
    const back = Array.from({ length: 27 }, (_, at) => Math.round(input[(at % 3) * 9 + Math.floor(at / 3)]! * 255));
    expect(back).toEqual([...rgb]);
  });
});

describe('the outputs', () => {
  test('a box has its most likely class, and boxes below the least score are dropped', () => {
    const logits = new Float32Array(3 * CLASSES.length).fill(-8);
    logits.set([2, 1], 0);
    logits[CLASSES.length + 15] = -1;
    logits[2 * CLASSES.length + 3] = -2.5;
    const boxes = Float32Array.of(0.5, 0.5, 0.2, 0.4, 0.95, 0.5, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1);
    const found = decodeLogits(logits, boxes);
    expect(found.map(({ classIndex, score }) => [CLASSES[classIndex], score.toFixed(3)])).toEqual([
      ['person', '0.881'],
      ['cat', '0.269'],
    ]);
    expect(found[0]!.x0).toBeCloseTo(0.4, 6);
    expect(found[0]!.y1).toBeCloseTo(0.7, 6);
    // Clipped to the frame.
    expect(found[1]!.x1).toBe(1);
  });

  test('a vehicle that is found as car, truck and bus is one', () => {
    const labels = ['car', 'truck', 'bus'].map((name) => CLASSES.indexOf(name));
    const boxes = [10, 10, 110, 60, 12, 10, 112, 62, 9, 11, 108, 61];
    const [best, ...others] = decodeBoxes(labels, boxes, [0.5, 0.7, 0.3], 200);
    expect(others).toEqual([]);
    expect(best).toEqual({ classIndex: labels[1], score: 0.7, x0: 0.06, y0: 0.05, x1: 0.56, y1: 0.31 });
  });

  test('an unknown class is an error, unless its score is too low', () => {
    expect(() => decodeBoxes([80], [0, 0, 1, 1], [0.9], 1)).toThrow('class 80 of 80');
    expect(() => decodeBoxes([-1], [0, 0, 1, 1], [0.9], 1)).toThrow('class -1 of 80');
    expect(decodeBoxes([80], [0, 0, 1, 1], [0.01], 1)).toEqual([]);
  });
});

describe('generated models', () => {
  test('raw outputs: colors arrive in the order and range of the contract', async () => {
    const weights = await write('raw.onnx', rawDetrModel({ side }));
    const detect = await openNetwork({ ...SPEC, weights, frame: FRAME });
    for (const [color, name] of [
      [[255, 0, 0], 'person'],
      [[0, 255, 0], 'car'],
      [[0, 0, 255], 'dog'],
    ] as const) {
      const found = await detect(plain(color));
      expect(found.map(({ classIndex }) => CLASSES[classIndex])).toEqual([name]);
      expect(found[0]!.score).toBeCloseTo(1, 3);
      expect(found[0]!.x0).toBeCloseTo(DETR_BOX.x - DETR_BOX.width / 2, 5);
      expect(found[0]!.y1).toBeCloseTo(DETR_BOX.y + DETR_BOX.height / 2, 5);
    }
    expect(await detect(plain([0, 0, 0]))).toEqual([]);
  });

  test('selected boxes: sizes and brightness reach the model', async () => {
    const weights = await write('selected.onnx', selectedDetrModel({ side }));
    const detect = await openNetwork({ ...SPEC, weights, frame: FRAME });
    const [found, ...others] = await detect(plain([255, 255, 255]));
    expect(others).toEqual([]);
    expect(CLASSES[found!.classIndex]).toBe('car');
    expect(found!.score).toBeCloseTo(0.9, 5);
    expect(found!.x1).toBeCloseTo(DETR_BOX.x + DETR_BOX.width / 2, 5);
    expect((await detect(plain([127, 127, 127])))[0]!.score).toBeCloseTo(0.9 * (127 / 255), 2);
  });

  test('a detector thread uses the contract of its model', async () => {
    const weights = await write('thread.onnx', rawDetrModel({ side }));
    const detector = await createDetector({ weights, spec: SPEC, ...FRAME, threads: 1 });
    await detector.detect(plain([0, 255, 0]));
    const [result] = await detector.finish();
    await detector.close();
    expect(result!.detections.map(({ classIndex }) => CLASSES[classIndex])).toEqual(['car']);
    expect(Math.max(...result!.colors)).toBeCloseTo(1, 5);
  });

  test('a file that does not keep the contract of its name is refused with a reason', async () => {
    const tried = async (model: string, bytes: Buffer) =>
      testWeights({ model, files: [await write('tried.onnx', bytes)] });
    expect(await tried('dfine_n', rawDetrModel({ side }))).toBeNull();
    expect(await tried('dfine_n', selectedDetrModel({ side }))).toBeNull();
    expect(await tried('yolox_s', constantModel({ className: 'person', score: 0.9, side: 640 }))).toBeNull();
    expect(await tried('dfine_n', rawDetrModel({ side, classes: 91 }))).toContain(
      'logits has 91 numbers for each box, not 80',
    );
    expect(await tried('dfine_n', constantModel({ className: 'person', score: 0.9 }))).toMatch(
      /inputs and outputs are images and output, not those of the catalog/,
    );
    expect(await tried('yolox_nano', rawDetrModel({ side }))).not.toBeNull();
    expect(await tried('dfine_n', Buffer.from('no model'))).not.toBeNull();
  });
});
