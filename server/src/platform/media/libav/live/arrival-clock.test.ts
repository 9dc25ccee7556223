import { expect, test } from 'vitest';
import { createArrivalClock } from './arrival-clock.ts';

const DAY_S = 86_400;

test.each([
  ['as fast as ours', 1],
  ['50 ppm slow', 1 - 50e-6],
  ['50 ppm fast', 1 + 50e-6],
])('a camera with a clock that is %s is right after a day, though pictures are held up on the way', (_, rate) => {
  const clock = createArrivalClock();
  // Held up by up to 0.3 s, as by a generator whose numbers are the same each time.
  let seed = 1;
  const heldUpMs = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647) * 300;
  };
  for (let takenS = 0; takenS < DAY_S; takenS += 0.5) clock.observe(takenS * rate, takenS * 1000 + heldUpMs());
  expect(Math.abs(clock.captureTimeMs(DAY_S * rate) - DAY_S * 1000)).toBeLessThan(10);
});

test('a connection that was slow for a minute is not taken for the camera’s clock', () => {
  const clock = createArrivalClock();
  for (let takenS = 0; takenS < 600; takenS += 0.1)
    clock.observe(takenS, takenS * 1000 + 50 + (takenS > 540 ? 2_000 : 0));
  expect(clock.captureTimeMs(600) - 600_000).toBeLessThan(60);
});
