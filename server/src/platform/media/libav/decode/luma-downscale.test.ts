import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildKernel } from '#test/build-kernel';
import type { Size } from '../../engine/geometry.ts';
import { createLumaDownscaler } from './luma-downscale.ts';

test('the committed WebAssembly is what the source compiles to', async () => {
  const committed = await readFile(new URL('./luma-downscale.wasm', import.meta.url));
  const built = await buildKernel(new URL('./luma-downscale.as', import.meta.url));
  expect(Buffer.from(built).equals(committed), 'run test/build-kernel.ts and commit shrink.wasm').toBe(true);
});

/** Source pixels that each target pixel covers, with their weights. */
const covered = (from: number, to: number) =>
  Array.from({ length: to }, (_, at) => {
    const [start, end] = [(at * from) / to, ((at + 1) * from) / to];
    const first = Math.floor(start);
    return Array.from({ length: Math.ceil(end - 1e-9) - first }, (_, n) => ({
      at: first + n,
      share: (Math.min(end, first + n + 1) - Math.max(start, first + n)) / (end - start),
    }));
  });

/** The mean of the source pixels that each target pixel covers, in exact arithmetic. */
function meansOf(plane: Uint8Array, from: Size, stride: number, to: Size): number[] {
  const columns = covered(from.width, to.width);
  return covered(from.height, to.height).flatMap((rows) =>
    columns.map((across) => {
      let mean = 0;
      for (const row of rows) {
        for (const column of across) mean += row.share * column.share * plane[row.at * stride + column.at]!;
      }
      return mean;
    }),
  );
}

test.each([
  { from: { width: 320, height: 240 }, stride: 384, to: { width: 320, height: 192 } },
  { from: { width: 320, height: 192 }, stride: 320, to: { width: 320, height: 192 } },
  { from: { width: 640, height: 360 }, stride: 640, to: { width: 320, height: 192 } },
  { from: { width: 518, height: 488 }, stride: 544, to: { width: 160, height: 96 } },
  { from: { width: 97, height: 613 }, stride: 97, to: { width: 31, height: 10 } },
  { from: { width: 33, height: 24 }, stride: 64, to: { width: 32, height: 24 } },
])('every pixel is the mean of what it covers: $from to $to', ({ from, stride, to }) => {
  const shrinker = createLumaDownscaler(from, stride, to);
  // Beside the picture lies what must not be seen.
  shrinker.source.fill(255);
  let seed = 1;
  for (let y = 0; y < from.height; y++) {
    for (let x = 0; x < from.width; x++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      shrinker.source[y * stride + x] = x < from.width / 2 ? seed >> 22 : (x + y) % 256;
    }
  }
  const plane = shrinker.source.slice();
  for (const isLimited of [false, true]) {
    shrinker.downscale(isLimited);
    expect(shrinker.source).toEqual(plane);
    const wanted = meansOf(plane, from, stride, to).map((mean) =>
      isLimited ? Math.min(255, Math.max(0, ((mean - 16) * 255) / 219)) : mean,
    );
    const off = wanted.map((mean, at) => {
      const [x, y] = [at % to.width, Math.floor(at / to.width)];
      return shrinker.pixels[y * shrinker.stride + x]! - mean;
    });
    // Half a level in each direction, and what weights of seven bits come to in noise.
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(3);
    expect(Math.abs(off.reduce((sum, one) => sum + one, 0) / off.length)).toBeLessThan(0.5);
  }
});
