import { expect, test } from 'vitest';
import type { PixelBox } from './boxes.ts';
import { frameSizeOf } from './frame-size.ts';
import type { TextReader } from './reader.ts';
import { createTextObserver } from './text-observer.ts';

const VIDEO = { width: 320, height: 192 };
const SIZE = frameSizeOf(VIDEO);
const LEFT = { x0: 32, y0: 32, x1: 160, y1: 64 };
const RIGHT = { x0: 352, y0: 32, x1: 480, y1: 64 };

/** A reader that sees a line wherever a box is not black: its text is the brightness of its strokes. */
function createFakeReader() {
  const calls = { detect: 0, recognize: 0 };
  const levelOf = (data: Uint8Array, { x0, y0 }: typeof LEFT) => data[3 * ((y0 + 8) * SIZE.width + x0 + 8) + 1]!;
  const reader: TextReader = {
    async detect({ data }, _, region) {
      calls.detect++;
      return [LEFT, RIGHT].filter((box) => levelOf(data, box) > 0 && box.x0 >= region.x0 && box.x1 <= region.x1);
    },
    async recognize({ data }, box) {
      calls.recognize++;
      return { text: `LEVEL ${'I'.repeat(levelOf(data, box) / 50)}`, score: 0.9 };
    },
    close: async () => {},
  };
  return { reader, calls };
}

/** A frame with strokes of four pixels in both boxes. */
function frameOf(left: number, right: number) {
  const data = new Uint8Array(3 * SIZE.width * SIZE.height);
  for (const [{ x0, y0, x1, y1 }, level] of [[LEFT, left] as const, [RIGHT, right] as const])
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x += 8) data.fill(level, 3 * (y * SIZE.width + x), 3 * (y * SIZE.width + x + 4));
  return data;
}

async function observe(frames: readonly Uint8Array[]) {
  const { reader, calls } = createFakeReader();
  const { request, finish } = createTextObserver(reader, VIDEO, 'm');
  for (const [at, data] of frames.entries()) await request.onFrame({ data, timeS: at, pts: at, keyframe: false });
  return { texts: finish(), calls };
}

test('unchanged frames are not read again, but count', async () => {
  const same = frameOf(100, 0);
  const { texts, calls } = await observe([same, same, same, same]);
  expect(calls).toEqual({ detect: 1, recognize: 1 });
  expect(texts.texts.map(({ text, frame }) => [text, [...frame]])).toEqual([['LEVEL II', [0, 1, 2, 3]]]);
});

test('of a changed frame, only the changed parts with strokes are searched and read', async () => {
  const { texts, calls } = await observe([frameOf(100, 200), frameOf(100, 0), frameOf(100, 250)]);
  expect(calls).toEqual({ detect: 3, recognize: 3 });
  expect(texts.texts.map(({ text, frame }) => [text, [...frame]])).toContainEqual(['LEVEL II', [0, 1, 2]]);
});

test('a line at the border of two regions is searched as a whole', async () => {
  const { reader, calls } = createFakeReader();
  const line = { x0: 32, y0: 96, x1: 600, y1: 128 };
  // A tall region at the left, and a wide one: the line is in both.
  const data = new Uint8Array(3 * SIZE.width * SIZE.height);
  const draw = (x0: number, y0: number, x1: number, y1: number) => {
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x += 8) data.fill(200, 3 * (y * SIZE.width + x), 3 * (y * SIZE.width + x + 4));
  };
  draw(line.x0, line.y0, line.x1, line.y1);
  draw(16, 160, 100, 360);
  const regions: PixelBox[] = [];
  const detect: TextReader['detect'] = async (_image, _scale, region) => {
    regions.push(region);
    const [x0, x1] = [Math.max(line.x0, region.x0), Math.min(line.x1, region.x1)];
    return region.y0 < line.y0 && x0 < x1 ? [{ ...line, x0, x1 }] : [];
  };
  const { request, finish } = createTextObserver({ ...reader, detect }, VIDEO, 'm');
  await request.onFrame({ data, timeS: 0, pts: 0, keyframe: false });
  expect(regions).toHaveLength(3);
  expect(calls.recognize).toBe(1);
  expect(finish().texts).toMatchObject([{ width: new Float32Array([(line.x1 - line.x0) / SIZE.width]) }]);
});

test('a single uncertain reading is no text', async () => {
  const { texts } = await observe([frameOf(0, 0), frameOf(0, 0)]);
  expect(texts).toMatchObject({ texts: [], minHeight: 20 });
  expect([...texts.timeS]).toEqual([0, 1]);
});

test.each([
  [
    { width: 320, height: 192 },
    { width: 640, height: 384, scale: 1, minHeight: 20 },
  ],
  [
    { width: 960, height: 540 },
    { width: 960, height: 544, scale: 1, minHeight: 20 },
  ],
  [
    { width: 1920, height: 1080 },
    { width: 1920, height: 1088, scale: 2, minHeight: 20 },
  ],
  [
    { width: 3840, height: 2160 },
    { width: 1920, height: 1088, scale: 2, minHeight: 40 },
  ],
  [
    { width: 720, height: 1280 },
    { width: 1088, height: 1920, scale: 2, minHeight: 20 },
  ],
])('%j is read at %j', (video, size) => {
  expect(frameSizeOf(video)).toEqual(size);
});
