import { describe, expect, it } from 'vitest';
import { startCpuTimer } from '#test/cpu-time';
import { createReliability, type Reliability } from './reliability.ts';

const part = (isSeen: boolean, question = 'a fire') => ({
  question,
  isSeen,
  votes: isSeen ? [true, true, true] : [false],
});
/** Parts of a stream, of which the last ones show it. Returns the confidence in the last. */
function follow(reliability: Reliability, unseen: number, seen: number): number {
  let confidence = 0;
  for (let i = 0; i < unseen + seen; i++) confidence = reliability.judge([part(i >= unseen)])[0]!.probability;
  return confidence;
}

describe('reliability in a stream', () => {
  it('grows with each part that fits, and does not fall while something stays there', () => {
    const [first, later] = [follow(createReliability(), 0, 1), follow(createReliability(), 20, 1)];
    expect(later).toBeGreaterThan(first);
    expect(follow(createReliability(), 20, 300)).toBeGreaterThanOrEqual(later);
    expect(follow(createReliability(), 0, 300)).toBeGreaterThan(0.8);
  });

  it('is lower for a model that confirms what cannot be there, until it has not done so for long', () => {
    const honest = follow(createReliability(), 5, 1);
    const erring = createReliability();
    erring.addKnown({ falseYes: 4, rightNo: 6 });
    expect(follow(erring, 5, 1)).toBeLessThan(honest - 0.05);
    for (let i = 0; i < 1000; i++) erring.addKnown({ rightNo: 1 });
    expect(follow(erring, 5, 1)).toBeGreaterThan(honest - 0.01);
  });

  it('is lower where looks contradict each other', () => {
    const unsure = createReliability();
    for (let i = 0; i < 20; i++)
      unsure.judge([{ question: 'a fire', isSeen: false, votes: [true, false, true, null] }]);
    expect(follow(unsure, 0, 1)).toBeLessThan(follow(createReliability(), 20, 1) - 0.2);
  });

  it('takes its time from what it remembers, not from the length of the stream', () => {
    const long = createReliability();
    for (let i = 0; i < 150; i++) long.judge([part(i % 2 === 0), part(i % 3 === 0, 'a flood')]);
    const spentMs = startCpuTimer();
    for (let i = 0; i < 20; i++) long.judge([part(i % 2 === 0), part(i % 3 === 0, 'a flood')]);
    expect(spentMs() / 20).toBeLessThan(200);
    // A question that is not asked any more is forgotten.
    long.judge([part(false, 'a flood')]);
    expect(long.judge([part(true)])[0]!.probability).toBeCloseTo(
      createReliability().judge([part(true)])[0]!.probability,
      1,
    );
  });
});
