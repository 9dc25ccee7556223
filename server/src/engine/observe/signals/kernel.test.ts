import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildKernel } from '#test/build-kernel';
import { noiseScene, renderScene } from './frames.fixture.ts';
import { referenceKernel } from './kernel.reference.ts';
import { BLOCK, BLOCKS, COLUMNS, HEIGHT, loadKernel, QUARTER_PIXELS, VECTOR, WIDTH } from './kernel.ts';

test('the committed WebAssembly matches its source', async () => {
  const committed = await readFile(new URL('./kernel.wasm', import.meta.url));
  const built = await buildKernel(new URL('./kernel.as', import.meta.url));
  expect(Buffer.from(built).equals(committed), 'run test/build-kernel.ts and commit kernel.wasm').toBe(true);
});

test('the compiled kernel and the reference agree bit for bit', () => {
  const scene = noiseScene(7, 60);
  const pictures = [
    ...[
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 3],
      [-12, 4],
      [-31, -20],
      [40, 40],
    ].map(([x = 0, y = 0]) => renderScene(scene, x, y)),
    renderScene(scene, 41, 40).map((pixel) => Math.max(0, pixel - 9)),
    renderScene(scene, 41, 41).map((pixel) => Math.min(255, pixel + 5)),
    renderScene(noiseScene(8, 4), 0, 0),
    new Uint8Array(WIDTH * HEIGHT),
    new Uint8Array(WIDTH * HEIGHT).fill(255),
    new Uint8Array(WIDTH * HEIGHT).map((_, at) => ((at + Math.floor(at / WIDTH)) % 2) * 255),
  ];
  const [fast, plain] = [loadKernel(), referenceKernel()];
  for (const [index, picture] of pictures.entries()) {
    const slot = index % 2;
    for (const kernel of [fast, plain]) {
      kernel.slots[slot]!.set(picture);
      kernel.ingest(slot);
    }
    expect(fast.stats).toEqual(plain.stats);
    if (index === 0) continue;
    for (const kernel of [fast, plain]) {
      kernel.match(slot);
      kernel.models.forEach((_, at) => {
        kernel.models[at] = ((at * 7) % 31) - 15;
      });
      kernel.compareModels(slot);
    }
    expect(fast.vectors).toEqual(plain.vectors);
    expect(fast.models).toEqual(plain.models);
    expect(fast.stats).toEqual(plain.stats);
  }
});

test('both correlate comparison buffers alike', () => {
  const [fast, plain] = [loadKernel(), referenceKernel()];
  const pictures = [noiseScene(4, 9), noiseScene(5, 30), noiseScene(4, 9)].map((scene, n) =>
    renderScene(scene, 3 * n, n).subarray(0, QUARTER_PIXELS),
  );
  pictures.push(new Uint8Array(QUARTER_PIXELS), new Uint8Array(QUARTER_PIXELS).fill(255));
  for (const [index, picture] of pictures.entries())
    for (const kernel of [fast, plain]) kernel.load(index % 3, picture);
  for (const [a, b] of [
    [0, 1],
    [1, 2],
    [2, 2],
    [2, 0],
  ] as const) {
    expect(fast.product(a, b)).toBe(plain.product(a, b));
    for (const [half, ax, ay, bx, by, width, height] of [
      [false, 0, 0, 64, 32, 16, 16],
      [false, 3, 5, 4, 4, 13, 7],
      [true, 32, 16, 0, 0, 8, 8],
      [true, 7, 0, 0, 3, 33, 21],
    ] as const)
      expect(fast.correlate(half, a, ax, ay, b, bx, by, width, height)).toBe(
        plain.correlate(half, a, ax, ay, b, bx, by, width, height),
      );
  }
});

test('blocks are found at their previous positions', () => {
  const kernel = loadKernel();
  const scene = noiseScene(3, 14);
  for (const [dx, dy] of [
    [0, 0],
    [2, 0],
    [0, -3],
    [-17, 9],
    [20, 12],
  ] as const) {
    kernel.slots[0].set(renderScene(scene, 50, 50));
    kernel.slots[1].set(renderScene(scene, 50 + dx, 50 + dy));
    kernel.ingest(0);
    kernel.ingest(1);
    kernel.match(1);
    const inside = Array.from({ length: BLOCKS }, (_, block) => block).filter((block) => {
      const x = (block % COLUMNS) * BLOCK + dx;
      const y = Math.floor(block / COLUMNS) * BLOCK + dy;
      return x >= 0 && y >= 0 && x <= WIDTH - BLOCK && y <= HEIGHT - BLOCK;
    });
    const right = inside.filter((block) => {
      const [foundX, foundY] = kernel.vectors.subarray(block * VECTOR);
      return foundX === dx && foundY === dy;
    });
    expect(right.length / inside.length).toBeGreaterThan(0.75);
  }
});
