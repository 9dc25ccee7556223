import {
  BLOCK,
  BLOCKS,
  COLUMNS,
  HEIGHT,
  type Kernel,
  QUARTER_HEIGHT,
  QUARTER_PIXELS,
  QUARTER_WIDTH,
  VECTOR,
  WIDTH,
} from './kernel.ts';

/** `kernel.as` in plain TypeScript. Tests compare the compiled kernel with it bit for bit. */

type Plane = { width: number; height: number; data: Uint8Array };
type Vector = { dx: number; dy: number; cost: number };

const COARSE_RANGE = 5;
const MIDDLE_RANGE = 2;
const FINE_STEPS = 4;
const STILL = BLOCK * BLOCK * 1.5;
const MAX_SHIFT = 16;
const OUTSIDE = 2 ** 31 - 1;
const PLAIN = 2;

export function referenceKernel(): Kernel {
  const slots: [Uint8Array, Uint8Array] = [new Uint8Array(WIDTH * HEIGHT), new Uint8Array(WIDTH * HEIGHT)];
  const full = slots.map((data) => ({ width: WIDTH, height: HEIGHT, data }));
  const half: Plane[] = [];
  const quarters: [Uint8Array, Uint8Array] = [new Uint8Array(QUARTER_PIXELS), new Uint8Array(QUARTER_PIXELS)];
  const quarter = quarters.map((data) => ({ width: WIDTH / 4, height: HEIGHT / 4, data }));
  const stats = new Float64Array(10);
  const vectors = new Int32Array(BLOCKS * VECTOR);
  const models = new Int32Array(BLOCKS * 2);
  const buffers: [Plane, Plane][] = [];

  const product = (slot: number, other: number) =>
    quarter[slot]!.data.reduce((sum, pixel, at) => sum + pixel * quarter[other]!.data[at]!, 0);

  return {
    slots,
    quarters,
    stats,
    vectors,
    models,
    ingest(slot) {
      const { data } = full[slot]!;
      half[slot] = halve(full[slot]!);
      quarters[slot]!.set(halve(half[slot]).data);
      stats.set([
        data.reduce((sum, pixel) => sum + pixel, 0),
        data.reduce((sum, pixel) => sum + pixel * pixel, 0),
        data.reduce((count, pixel) => count + (pixel < 32 ? 1 : 0), 0),
        data.reduce((count, pixel) => count + (pixel >= 224 ? 1 : 0), 0),
        laplacian(full[slot]!),
        product(slot, slot),
        quarters[slot]!.reduce((sum, pixel) => sum + pixel, 0),
      ]);
    },
    match(slot) {
      const other = 1 - slot;
      const [now, before] = [quarter[slot]!.data, quarter[other]!.data];
      const shift = lightShift(now, before);
      stats.set([wholeDifference(full[slot]!.data, full[other]!.data), product(slot, other), shift], 7);
      for (const { data } of [full[other]!, half[other]!, quarter[other]!]) {
        data.forEach((pixel, at) => {
          data[at] = Math.min(255, Math.max(0, pixel + shift));
        });
      }
      const cost = (x: number, y: number, dx: number, dy: number) =>
        difference(full[slot]!, full[other]!, BLOCK, x, y, dx, dy);
      const still = Array.from({ length: BLOCKS }, (_, block) => cost(...toPosition(block), 0, 0));
      for (let block = 0; block < BLOCKS; block++) {
        const [x, y] = toPosition(block);
        let best: Vector = { dx: 0, dy: 0, cost: still[block]! };
        if (best.cost >= STILL) {
          const column = Math.floor(x / 32);
          const row = Math.floor(y / 32);
          const children = [0, 1].flatMap((down) =>
            [0, 1].map((right) => (2 * row + down) * COLUMNS + 2 * column + right),
          );
          const parent = children.every((child) => still[child]! < STILL)
            ? { dx: 0, dy: 0 }
            : search(quarter[slot]!, quarter[other]!, column * 8, row * 8, [
                [0, 0, 0],
                [0, 0, COARSE_RANGE],
              ]);
          const middle = search(half[slot]!, half[other]!, x / 2, y / 2, [
            [0, 0, 0],
            [0, 0, 1],
            [parent.dx * 2, parent.dy * 2, MIDDLE_RANGE],
          ]);
          const match = { dx: middle.dx * 2, dy: middle.dy * 2, cost: cost(x, y, middle.dx * 2, middle.dy * 2) };
          if (match.cost < best.cost) best = match;
        }
        const around = (v: Vector): Vector[] =>
          [
            [-1, 0],
            [1, 0],
            [0, -1],
            [0, 1],
          ].map(([right = 0, down = 0]) => {
            const [dx, dy] = [v.dx + right, v.dy + down];
            return { dx, dy, cost: cost(x, y, dx, dy) };
          });
        for (let step = 0; step < FINE_STEPS; step++) {
          const next = around(best).reduce((a, b) => (b.cost < a.cost ? b : a));
          if (next.cost >= best.cost) break;
          best = next;
        }
        vectors.set([best.dx, best.dy, best.cost, ...around(best).map((v) => v.cost), still[block]!], block * VECTOR);
      }
    },
    compareModels(slot) {
      for (let block = 0; block < BLOCKS; block++) {
        const cost = difference(
          full[slot]!,
          full[1 - slot]!,
          BLOCK,
          ...toPosition(block),
          models[block * 2]!,
          models[block * 2 + 1]!,
        );
        models[block * 2] = cost === OUTSIDE ? -1 : cost;
      }
    },
    load(buffer, data) {
      const loaded = { width: QUARTER_WIDTH, height: QUARTER_HEIGHT, data: data.slice() };
      buffers[buffer] = [loaded, halve(loaded)];
    },
    product: (a, b) => buffers[a]![0].data.reduce((sum, pixel, at) => sum + pixel * buffers[b]![0].data[at]!, 0),
    correlate(half, a, aX, aY, b, bX, bY, width, height) {
      const [p, q] = [buffers[a]![half ? 1 : 0], buffers[b]![half ? 1 : 0]];
      let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const u = p.data[(aY + y) * p.width + aX + x]!;
          const v = q.data[(bY + y) * q.width + bX + x]!;
          sumA += u;
          sumB += v;
          squaresA += u * u;
          squaresB += v * v;
          products += u * v;
        }
      }
      const pixels = width * height;
      const floor = PLAIN * pixels;
      const varianceA = squaresA - (sumA * sumA) / pixels + floor;
      const varianceB = squaresB - (sumB * sumB) / pixels + floor;
      return (products - (sumA * sumB) / pixels) / Math.sqrt(varianceA * varianceB);
    },
  };
}

const toPosition = (block: number): [number, number] => [
  (block % COLUMNS) * BLOCK,
  Math.floor(block / COLUMNS) * BLOCK,
];

function halve({ width, height, data }: Plane): Plane {
  const half = { width: width / 2, height: height / 2, data: new Uint8Array((width * height) / 4) };
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const at = 2 * y * width + 2 * x;
      half.data[y * half.width + x] = (data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]! + 2) >> 2;
    }
  }
  return half;
}

const wholeDifference = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, pixel, at) => sum + Math.abs(pixel - b[at]!), 0);

function lightShift(a: Uint8Array, b: Uint8Array): number {
  const shifts = Int32Array.from(a, (pixel, at) => pixel - b[at]!).sort();
  const median = shifts[shifts.length / 2 - 1]!;
  const nearer = shifts.filter((shift) => (median > 0 ? shift * 2 > median : shift * 2 < median)).length;
  return Math.abs(median) <= MAX_SHIFT && nearer * 10 >= shifts.length * 7 ? median : 0;
}

function laplacian({ width, height, data }: Plane): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 16; x < width - 16; x++) {
      const at = y * width + x;
      const edge = 4 * data[at]! - data[at - 1]! - data[at + 1]! - data[at - width]! - data[at + width]!;
      sum += edge * edge;
    }
  }
  return sum;
}

function difference(a: Plane, b: Plane, size: number, x: number, y: number, dx: number, dy: number): number {
  if (x + dx < 0 || y + dy < 0 || x + dx > b.width - size || y + dy > b.height - size) return OUTSIDE;
  let sum = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const offset = (y + dy + row) * b.width + x + dx + column;
      sum += Math.abs(a.data[(y + row) * a.width + x + column]! - b.data[offset]!);
    }
  }
  return sum;
}

/** Full search of an 8 × 8 block around several positions; the first minimum wins. */
function search(a: Plane, b: Plane, x: number, y: number, around: [dx: number, dy: number, range: number][]): Vector {
  let best: Vector = { dx: 0, dy: 0, cost: OUTSIDE };
  for (const [fromX, fromY, range] of around) {
    for (let dy = fromY - range; dy <= fromY + range; dy++) {
      for (let dx = fromX - range; dx <= fromX + range; dx++) {
        const cost = difference(a, b, 8, x, y, dx, dy);
        if (cost < best.cost) best = { dx, dy, cost };
      }
    }
  }
  return best;
}
