import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { buildKernel } from '#test/build-kernel';
import { DIMENSIONS } from '../encoder.ts';
import { quantize } from '../quantize.ts';
import { loadScanKernel } from './kernel.ts';
import { createScanner, SLOT_VECTORS } from './scanner.ts';
import type { FrameVectors } from './types.ts';
import { createVectorIndex, type VectorIndex, type VectorSearch } from './vector-index.ts';

/** Repeatable numbers from -1 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function randomVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, random);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Frames `stepS` apart with random vectors, except for those that are given by their position. */
function framesOf(count: number, seed: number, stepS = 10, given: Record<number, Float32Array> = {}): FrameVectors {
  const random = createRandom(seed);
  const rows = Array.from({ length: count }, (_, at) => quantize(given[at] ?? randomVector(random)));
  const vectors = new Int8Array(count * DIMENSIONS);
  for (const [at, { bytes }] of rows.entries()) vectors.set(bytes, at * DIMENSIONS);
  return {
    timeS: Float64Array.from({ length: count }, (_, at) => at * stepS),
    scales: Float32Array.from(rows, ({ scale }) => scale),
    vectors,
  };
}

/** The cosine of a query with a frame, in plain floating point. */
function cosine(query: readonly number[], { scales, vectors }: FrameVectors, at: number): number {
  return query.reduce((sum, value, index) => sum + value * vectors[at * DIMENSIONS + index]! * scales[at]!, 0);
}

test('the committed WebAssembly matches its source', async () => {
  const committed = await readFile(new URL('./kernel.wasm', import.meta.url));
  const built = await buildKernel(new URL('./kernel.as', import.meta.url));
  expect(Buffer.from(built).equals(committed), 'run test/build-kernel.ts and commit kernel.wasm').toBe(true);
});

test('products are exact, also of the greatest values, in every slot', () => {
  const kernel = loadScanKernel(3);
  const random = createRandom(1);
  const query = Int8Array.from({ length: DIMENSIONS }, (_, at) => (at < 100 ? 127 : Math.round(127 * random())));
  for (const slot of [0, 5, 700]) {
    const vectors = Int8Array.from({ length: 3 * DIMENSIONS }, (_, at) =>
      at < 200 ? -128 : Math.round(127 * random()),
    );
    kernel.slot(slot).set(vectors);
    kernel.setQuery(query);
    const expected = [0, 1, 2].map((row) =>
      query.reduce((sum, value, at) => sum + value * vectors[row * DIMENSIONS + at]!, 0),
    );
    expect([...kernel.scan(slot, 3)]).toEqual(expected);
    expect([...kernel.scan(slot, 1)].slice(0, 1)).toEqual(expected.slice(0, 1));
  }
});

test('a vector in bytes keeps its direction', () => {
  const vector = randomVector(createRandom(3));
  const { bytes, scale } = quantize(vector);
  expect(Math.max(...bytes.map(Math.abs))).toBe(127);
  const restored = Float32Array.from(bytes, (value) => value * scale);
  expect(vector.reduce((sum, value, at) => sum + value * restored[at]!, 0)).toBeGreaterThan(0.999);
  expect(quantize(new Float32Array(DIMENSIONS))).toEqual({ bytes: new Int8Array(DIMENSIONS), scale: 0 });
});

test('the best frames are those of a plain search', () => {
  const scanner = createScanner();
  const { bytes, scale } = quantize(randomVector(createRandom(9)));
  const query = [...bytes].map((value) => value * scale);
  const videos = new Map([2 * SLOT_VECTORS + 7, 1, SLOT_VECTORS].map((count, at) => [`v${at}`, framesOf(count, at)]));
  for (const [key, frames] of videos) scanner.load(key, { ...frames, vectors: frames.vectors.slice() });
  const all = [...videos].flatMap(([key, frames]) =>
    [...frames.timeS].map((timeS, at) => ({ key, timeS, score: cosine(query, frames, at) })),
  );
  const expected = all.toSorted((a, b) => b.score - a.score);
  const search = { query: bytes, queryScale: scale, minScore: -1 };
  const found = scanner.search({ ...search, keys: [...videos.keys(), 'unknown'], limit: 20 });
  expect(found.map(({ key, timeS }) => [key, timeS])).toEqual(
    expected.slice(0, 20).map(({ key, timeS }) => [key, timeS]),
  );
  for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(expected[at]!.score, 5);

  const least = expected[4]!.score - 0.001;
  expect(scanner.search({ ...search, keys: [...videos.keys()], limit: 20, minScore: least })).toHaveLength(5);
  scanner.drop('v0');
  expect(scanner.search({ ...search, keys: [...videos.keys()], limit: 20 }).some(({ key }) => key === 'v0')).toBe(
    false,
  );
});

test('of frames that are close in time only the best is found', () => {
  const scanner = createScanner();
  const query = randomVector(createRandom(5));
  scanner.load('v', framesOf(40, 6, 1, { 13: query, 14: query, 31: query }));
  const { bytes, scale } = quantize(query);
  const found = scanner.search({ keys: ['v'], query: bytes, queryScale: scale, limit: 10, minScore: 0.9 });
  expect(found.map(({ timeS }) => timeS)).toEqual([13, 31]);
});

test('of the views of an object only the best is found, wherever they are in time', () => {
  const scanner = createScanner();
  const query = randomVector(createRandom(5));
  const views = framesOf(SLOT_VECTORS + 6, 8, 100, { 1: query, 2: query, [SLOT_VECTORS]: query });
  const groups = Int32Array.from({ length: SLOT_VECTORS + 6 }, (_, at) => Math.floor(at / 4));
  scanner.load('v', { ...views, groups });
  const { bytes, scale } = quantize(query);
  const found = scanner.search({ keys: ['v'], query: bytes, queryScale: scale, limit: 10, minScore: 0.9 });
  expect(found.map(({ index: at, timeS }) => [at, timeS])).toEqual([
    [1, 100],
    [SLOT_VECTORS, 100 * SLOT_VECTORS],
  ]);
});

let index: VectorIndex;
afterEach(() => index?.close());

test('the index loads each video once, and searches more than fit into memory', async () => {
  const slotBytes = SLOT_VECTORS * DIMENSIONS;
  index = createVectorIndex({ maxBytes: 3 * slotBytes });
  const query = randomVector(createRandom(7));
  const videos = new Map(
    Array.from({ length: 8 }, (_, at) => [`v${at}`, framesOf(SLOT_VECTORS - at, 20 + at, 10, { [at]: query })]),
  );
  const loads: string[] = [];
  async function* load(keys: readonly string[]) {
    for (const key of keys) {
      loads.push(key);
      const { timeS, scales, vectors } = videos.get(key)!;
      yield { key, frames: { timeS: timeS.slice(), scales: scales.slice(), vectors: vectors.slice() } };
    }
  }
  const search = (keys: readonly string[], limit = 8) => {
    const among: VectorSearch['among'] = keys.map((key) => ({ key, frames: videos.get(key)!.timeS.length }));
    return index.search({ among, query, limit, minScore: 0.5, load });
  };
  const [v0 = '', v1 = '', ...others] = videos.keys();
  expect(await search([v0, v1])).toMatchObject([
    { key: v0, timeS: 0 },
    { key: v1, timeS: 10 },
  ]);
  expect(await search([v1])).toMatchObject([{ key: v1 }]);
  expect(loads).toEqual([v0, v1]);
  // All of them, at the same time, in a memory of three.
  const found = await Promise.all([search([...videos.keys()]), search(others, 2)]);
  expect(found[0].map(({ key, timeS }) => [key, timeS]).sort()).toEqual(
    [...videos.keys()].map((key, at) => [key, 10 * at]),
  );
  expect(found[1]).toHaveLength(2);
  expect(await search([])).toEqual([]);
});
