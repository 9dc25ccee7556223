import { expect, test } from 'vitest';
import { BLOCKS, loadKernel, VECTOR } from './kernel.ts';
import { referenceFit } from './motion.reference.ts';
import { createMotionFit, type GlobalMotion } from './motion.ts';
import { noise, panned, randomly } from './pictures.fixture.ts';

const OUTSIDE = 2 ** 31 - 1;
/** Zero and minus zero are not the same bits. */
const bits = ({ x, y, zoom, roll, advance }: GlobalMotion) =>
  [...new BigUint64Array(Float64Array.of(x, y, zoom, roll, advance).buffer)].join();

test('the compiled fit and the plain one agree bit for bit on what pictures show', () => {
  const kernel = loadKernel();
  const [fast, plain] = [createMotionFit(), referenceFit()];
  const seen = new Set<string>();
  const scene = noise(5, 9);
  kernel.slots[0].set(panned(scene, 60, 60));
  kernel.ingest(0);
  for (let n = 1; n < 40; n++) {
    // Pans, grows, turns and shakes; now and then a thing covers half of it.
    const picture = panned(scene, 60 + 0.3 * n, 60 + (n % 5), 1.01 ** n, 0.002 * n * (n % 3));
    if (n % 4 === 0) picture.fill(90, picture.length / 2);
    kernel.slots[n % 2 === 0 ? 0 : 1].set(picture);
    kernel.ingest(n % 2);
    kernel.match(n % 2);
    const motion = fast(kernel.vectors);
    expect(bits(motion)).toBe(bits(plain(kernel.vectors)));
    seen.add(bits(motion));
  }
  expect(seen.size).toBeGreaterThan(20);
});

test('and on vectors of any kind', () => {
  const random = randomly(11);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const [fast, plain] = [createMotionFit(), referenceFit()];
  let told = 0;
  for (let n = 0; n < 300; n++) {
    const texture = [4, 300, 3000][n % 3]!;
    const vectors = new Int32Array(BLOCKS * VECTOR);
    for (let block = 0; block < BLOCKS; block++) {
      const cost = upTo(1500);
      // Now and then much less than there: the walk down the slope was broken off.
      const inside = () => (upTo(20) === 0 ? upTo(cost) : cost + upTo(texture));
      const side = () => (upTo(20) === 0 ? OUTSIDE : inside());
      const sides = [side(), side(), side(), side()];
      vectors.set([(n % 9) - 4 + upTo(3), upTo(5) - 2, cost, ...sides, cost], block * VECTOR);
    }
    const motion = fast(vectors);
    expect(bits(motion)).toBe(bits(plain(vectors)));
    if (motion.x !== 0) told++;
  }
  expect(told).toBeGreaterThan(50);
});
