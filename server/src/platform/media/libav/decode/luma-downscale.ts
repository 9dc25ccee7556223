import { readFileSync } from 'node:fs';
import type { Size } from '../../engine/index.ts';

/** Sum of the weights in one mean. */
const WHOLE = 128;
/** Black level and range of limited-range luma, which is expanded to full range. */
const BLACK = 16;
const RANGE = 219;
/** Rows are padded to the kernel's step; the kernel may read the padding. */
const STEP = 32;
const PAGE = 65_536;
/** First usable address in the kernel's memory. */
const BASE = 1024;

type Kernel = {
  memory: WebAssembly.Memory;
  average(taps: number, count: number, stride: number, columns: number, to: number, half: number, black: number): void;
  transpose(from: number, stride: number, rows: number, columns: number, to: number, toStride: number): void;
};

/** Downscaler with buffers for input and output. Output rows have `stride` bytes. */
export type LumaDownscaler = {
  source: Uint8Array;
  pixels: Uint8Array;
  stride: number;
  /** Downscales `source` into `pixels`. `stretch` expands limited range (16 to 235) to full range. */
  downscale(isLimited: boolean): void;
};

/** The compiled `luma-downscale.as`, 1 KB. */
const MODULE = new WebAssembly.Module(readFileSync(new URL('./luma-downscale.wasm', import.meta.url)));

const padded = (bytes: number) => Math.ceil(bytes / STEP) * STEP;

/**
 * Downscales 8-bit luma planes by area averaging, as FFmpeg's scaler does: first vertically, then horizontally by
 * transposing. `from`, with rows of `stride` bytes, must not be smaller than `to` in either direction.
 */
export function createLumaDownscaler(from: Size, stride: number, to: Size): LumaDownscaler {
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
  /** Weight tables without and with range expansion, which the last pass applies. */
  const taps = [false, true].map((isLimited) => ({
    isLimited,
    downAt: room(tapBytes(from.height, to.height)),
    sidewaysAt: across ? room(tapBytes(from.width, to.width)) : 0,
  }));
  memory.grow(Math.ceil(Math.max(0, end - memory.buffer.byteLength) / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  for (const { isLimited, downAt, sidewaysAt } of taps) {
    weigh(new DataView(memory.buffer, downAt), from.height, to.height, source, stride, isLimited && !across);
    if (across) weigh(new DataView(memory.buffer, sidewaysAt), from.width, to.width, turned, rows, isLimited);
  }
  return {
    source: bytes.subarray(source, source + stride * from.height),
    pixels: bytes.subarray(picture, picture + toStride * to.height),
    stride: toStride,
    downscale(isLimited) {
      const { downAt, sidewaysAt } = taps[isLimited ? 1 : 0]!;
      const black = isLimited ? BLACK * weightOf(true) : 0;
      if (!across) return average(downAt, to.height, stride, columns, lower, WHOLE / 2, black);
      // Halves are rounded down in this pass and up in the next, so that brightness is unbiased.
      average(downAt, to.height, stride, columns, lower, WHOLE / 2 - 1, 0);
      transpose(lower, columns, rows, columns, turned, rows);
      average(sidewaysAt, to.width, rows, rows, narrower, WHOLE / 2, black);
      transpose(narrower, rows, toStride, rows, picture, toStride);
    },
  };
}

const weightOf = (isLimited: boolean) => (isLimited ? Math.round((WHOLE * 255) / RANGE) : WHOLE);

/** Maximum number of bytes that `weigh` writes. */
const tapBytes = (from: number, to: number) => to * (8 + 4 * (Math.ceil(from / to / 2) + 1));

/** Writes the kernel's table: per target row, the address of its first source row, the number of rows, and weights. */
function weigh(taps: DataView, from: number, to: number, address: number, stride: number, isLimited: boolean): void {
  const whole = weightOf(isLimited);
  let at = 0;
  for (let row = 0; row < to; row++) {
    // In units where a source row has length `to` and a target row has length `from`.
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
