import { readFileSync } from 'node:fs';
import type { Size } from '../geometry.ts';

/** What the weights of the pixels in one mean add up to. */
const WHOLE = 128;
/** Coded black, and black to white, of pictures that do not use all 256 values: they are stretched to do so. */
const BLACK = 16;
const RANGE = 219;
/** Rows are padded to what the kernel takes at a time; what is padded may be read past its end. */
const STEP = 32;
const PAGE = 65_536;
/** The first address that is ours. */
const BASE = 1024;

type Kernel = {
  memory: WebAssembly.Memory;
  average(taps: number, count: number, stride: number, columns: number, to: number, half: number, black: number): void;
  transpose(from: number, stride: number, rows: number, columns: number, to: number, toStride: number): void;
};

/** Rows of `source` are as long as was said, those of `picture` `stride` bytes. */
export type Shrinker = {
  source: Uint8Array;
  picture: Uint8Array;
  stride: number;
  /** Makes `picture` of what lies in `source`; `stretch`: of pictures whose black is 16 and white 235. */
  shrink(stretch: boolean): void;
};

/** The compiled `shrink.as`, 1 KB. */
const MODULE = new WebAssembly.Module(readFileSync(new URL('./shrink.wasm', import.meta.url)));

const padded = (bytes: number) => Math.ceil(bytes / STEP) * STEP;

/**
 * Shrinks planes of 8-bit luma by area averaging, as FFmpeg's scaler does but with less ado: every pixel is the mean of what it covers, first down, then
 * across, which is down again with rows for columns. `from`, with rows of `stride` bytes, is not smaller than `to` in either direction.
 */
export function createShrinker(from: Size, stride: number, to: Size): Shrinker {
  const { memory, average, transpose } = new WebAssembly.Instance(MODULE).exports as unknown as Kernel;
  let end = BASE;
  const room = (bytes: number) => {
    const at = end;
    end = padded(end + bytes + STEP);
    return at;
  };
  const across = from.width !== to.width;
  const [columns, rows, toStride] = [padded(from.width), padded(to.height), padded(to.width)];
  const source = room(stride * from.height);
  const lower = room(columns * rows);
  const turned = across ? room(rows * columns) : 0;
  const narrower = across ? room(rows * toStride) : 0;
  const picture = across ? room(toStride * rows) : lower;
  /** By whether the range is stretched, which is done last. */
  const taps = [false, true].map((stretch) => ({
    stretch,
    downAt: room(tapBytes(from.height, to.height)),
    sidewaysAt: across ? room(tapBytes(from.width, to.width)) : 0,
  }));
  memory.grow(Math.ceil(Math.max(0, end - memory.buffer.byteLength) / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  for (const { stretch, downAt, sidewaysAt } of taps) {
    weigh(new DataView(memory.buffer, downAt), from.height, to.height, source, stride, stretch && !across);
    if (across) weigh(new DataView(memory.buffer, sidewaysAt), from.width, to.width, turned, rows, stretch);
  }
  return {
    source: bytes.subarray(source, source + stride * from.height),
    picture: bytes.subarray(picture, picture + toStride * to.height),
    stride: toStride,
    shrink(stretch) {
      const { downAt, sidewaysAt } = taps[stretch ? 1 : 0]!;
      const black = stretch ? BLACK * weightOf(true) : 0;
      if (!across) return average(downAt, to.height, stride, columns, lower, WHOLE / 2, black);
      // Halves are rounded down here and up there: together they make the picture neither darker nor brighter.
      average(downAt, to.height, stride, columns, lower, WHOLE / 2 - 1, 0);
      transpose(lower, columns, rows, columns, turned, rows);
      average(sidewaysAt, to.width, rows, rows, narrower, WHOLE / 2, black);
      transpose(narrower, rows, toStride, rows, picture, toStride);
    },
  };
}

const weightOf = (stretch: boolean) => (stretch ? Math.round((WHOLE * 255) / RANGE) : WHOLE);

/** Most bytes that `weigh` writes. */
const tapBytes = (from: number, to: number) => to * (8 + 4 * (Math.ceil(from / to / 2) + 1));

/** For each target row, as the kernel reads them: the address of the first source row that it covers, how many it covers, and how much of each. */
function weigh(taps: DataView, from: number, to: number, address: number, stride: number, stretch: boolean): void {
  const whole = weightOf(stretch);
  let at = 0;
  for (let row = 0; row < to; row++) {
    // In units of which `to` make a source row and `from` a target row.
    const [start, end] = [row * from, (row + 1) * from];
    const first = Math.floor(start / to);
    const count = Math.ceil(end / to) - first;
    taps.setInt32(at, address + first * stride, true);
    taps.setInt32(at + 4, count, true);
    at += 8;
    let before = 0;
    for (let n = 0; n < count; n++) {
      const upTo = Math.round((whole * (Math.min(end, (first + n + 1) * to) - start)) / from);
      taps.setUint16(at + 2 * n, upTo - before, true);
      before = upTo;
    }
    at += 4 * Math.ceil(count / 2);
  }
}
