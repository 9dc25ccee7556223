import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { decodeImage } from './image.ts';
import { IMAGE_SIDE, scaledSize, toImageInput } from './image-input.ts';

/** Normalized values of the channels of white and black, by the constants that CLIP publishes. */
const WHITE = [1.9303, 2.0749, 2.1459];
const BLACK = [-1.7923, -1.7521, -1.4802];
const PLANE = IMAGE_SIDE * IMAGE_SIDE;

test('the shorter side is scaled to 224', () => {
  expect(scaledSize({ width: 1920, height: 1080 })).toEqual({ width: 398, height: 224 });
  expect(scaledSize({ width: 480, height: 640 })).toEqual({ width: 224, height: 299 });
  expect(scaledSize({ width: 100, height: 100 })).toEqual({ width: 224, height: 224 });
});

test('the square in the middle is normalized by channel', () => {
  const [width, height] = [IMAGE_SIDE + 100, IMAGE_SIDE];
  const data = new Uint8Array(3 * width * height);
  // White in the middle square only: the sides are cut.
  for (let y = 0; y < height; y++) data.fill(255, 3 * (y * width + 50), 3 * (y * width + 50 + IMAGE_SIDE));
  const input = toImageInput({ width, height, data });
  expect(input).toHaveLength(3 * PLANE);
  for (const [plane, value] of WHITE.entries()) {
    const own = input.subarray(plane * PLANE, (plane + 1) * PLANE);
    expect(own.every((each) => Math.abs(each - value) < 1e-3)).toBe(true);
  }
  const black = toImageInput({ width, height, data: new Uint8Array(data.length) });
  for (const [plane, value] of BLACK.entries()) expect(black[plane * PLANE]).toBeCloseTo(value, 3);
});

test('the middle of pictures is decoded as RGB', async () => {
  const canvas = createCanvas(640, 320);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, 640, 320);
  context.fillStyle = 'rgb(200, 30, 90)';
  context.fillRect(160, 0, 320, 320);
  const encoded = [
    canvas.encode('png'),
    canvas.encode('webp', 100),
    canvas.encode('jpeg', 100),
    canvas.encode('avif'),
    canvas.encode('gif'),
  ];
  for (const bytes of await Promise.all(encoded)) {
    const { width, height, data } = (await decodeImage(bytes))!;
    expect([width, height, data.length]).toEqual([IMAGE_SIDE, IMAGE_SIDE, 3 * PLANE]);
    const inner = [PLANE / 2 + 8, PLANE / 2 + 112, PLANE / 2 + 216];
    for (const pixel of inner)
      for (const [channel, value] of [200, 30, 90].entries())
        expect(Math.abs(data[3 * pixel + channel]! - value)).toBeLessThan(8);
  }
});

test.each([
  [1, 1_000],
  [1, 10_000],
  [20_000, 1],
  [3, 2],
])('a picture of %i × %i pixels costs what any costs', async (width, height) => {
  const bytes = await createCanvas(width, height).encode('png');
  expect((await decodeImage(bytes))!.data).toHaveLength(3 * PLANE);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
const BMP_HEADER =
  '424d3a0000000000000036000000280000000100000001000000010018000000000004000000000000000000000000000000';
test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('no picture')],
  ['an SVG', Buffer.from(svg)],
  ['an SVG after a declaration', Buffer.from(`<?xml version="1.0"?>${svg}`)],
  ['a BMP', Buffer.from(`${BMP_HEADER}00000000ff00ff00`, 'hex')],
  ['a signature without a picture', Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')],
  ['a sound in RIFF', Buffer.from('RIFF....WAVEfmt ')],
  ['a video', Buffer.from('....ftypisom....isom')],
])('%s is not a picture', async (_name, bytes) => {
  expect(await decodeImage(bytes)).toBeNull();
});
