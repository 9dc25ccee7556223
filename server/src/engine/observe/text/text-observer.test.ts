import { expect, test } from 'vitest';
import { frameSizeOf } from './frame-size.ts';
import type { TextReader } from './reader.ts';
import { createTextObserver } from './text-observer.ts';

const VIDEO = { width: 320, height: 192 };
const SIZE = frameSizeOf(VIDEO);
const LEFT = { x0: 32, y0: 32, x1: 160, y1: 64 };
const RIGHT = { x0: 352, y0: 32, x1: 480, y1: 64 };

/** A reader that sees a line wherever a box is not black: its text is its brightness. */
function createFakeReader() {
  const calls = { detect: 0, recognize: 0 };
  const levelOf = (data: Uint8Array, { x0, y0 }: typeof LEFT) => data[3 * ((y0 + 8) * SIZE.width + x0 + 8) + 1]!;
  const reader: TextReader = {
    async detect({ data }) {
      calls.detect++;
      return [LEFT, RIGHT].filter((box) => levelOf(data, box) > 0);
    },
    async recognize({ data }, box) {
      calls.recognize++;
      return { text: `LEVEL ${'I'.repeat(levelOf(data, box) / 50)}`, score: 0.9 };
    },
    close: async () => {},
  };
  return { reader, calls };
}

function frameOf(left: number, right: number) {
  const data = new Uint8Array(3 * SIZE.width * SIZE.height);
  for (const [{ x0, y0, x1, y1 }, level] of [[LEFT, left] as const, [RIGHT, right] as const])
    for (let y = y0; y < y1; y++) data.fill(level, 3 * (y * SIZE.width + x0), 3 * (y * SIZE.width + x1));
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

test('of a changed frame, only the changed lines are read', async () => {
  const { texts, calls } = await observe([frameOf(100, 200), frameOf(100, 0), frameOf(100, 250)]);
  expect(calls).toEqual({ detect: 3, recognize: 3 });
  expect(texts.texts.map(({ text, frame }) => [text, [...frame]])).toContainEqual(['LEVEL II', [0, 1, 2]]);
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
