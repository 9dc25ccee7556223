import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { objects, observations, signals, type TrackSpec } from '../../find/observations.fixture.ts';
import type { MeasuredObject } from '../types.ts';
import { size } from './index.ts';

const square = (...sides: readonly number[]): MeasuredObject => ({
  boxes: sides.map((side) => ({ width: side, height: side })),
});

describe('size', () => {
  it('is that of the largest box, in any order', () => {
    expect(size.calculate([square(0.1, 0.3, 0.2)])).toBeCloseTo(0.09);
    expect(size.calculate([square(0.2), square(0.4)])).toBe(size.calculate([square(0.4), square(0.2)]));
  });

  it('never becomes less with another object', () => {
    for (const side of [0.1, 0.5, 0.9])
      expect(size.calculate([square(0.3), square(side)])).toBeGreaterThanOrEqual(size.calculate([square(0.3)])!);
  });
});

describe('a comparison of sizes', () => {
  const animal = (className: string, x: number, side: number): TrackSpec => ({
    className,
    from: 1,
    to: 9,
    at: () => [x, 0.5],
    size: () => [side, side],
  });
  const answerTo = (prompt: string, ...tracks: TrackSpec[]) =>
    answerPrompt(prompt, observations(12, { signals: signals(12), objects: objects(12, tracks) })).answer;
  const [dog, cat] = [animal('dog', 0.3, 0.3), animal('cat', 0.7, 0.2)];

  it('is answered with the size of each', () => {
    expect(answerTo('is the dog bigger than the cat', dog, cat)).toMatch(/^Yes: .*9 % of the picture; .*4 % of the/);
    expect(answerTo('is the dog smaller than the cat', dog, cat)).toMatch(/^No: /);
    expect(answerTo('which is bigger, the dog or the cat', dog, cat)).toMatch(/^Bigger in the picture: a dog/);
  });

  it('is open where both are about the same, or one of them is not found', () => {
    expect(answerTo('is the dog bigger than the cat', dog, animal('cat', 0.7, 0.295))).toMatch(/^Not certain, /);
    expect(answerTo('is the dog bigger than the cat', dog)).toMatch(/^Not certain: a cat in view was not found/);
  });
});
