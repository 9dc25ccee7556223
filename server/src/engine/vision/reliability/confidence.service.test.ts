import { describe, expect, it } from 'vitest';
import { askNoisyOracle, calibrationErrorOf } from './calibration.fixture.ts';
import { type AnswerCounts, type Ballot, estimateConfidences, NO_ANSWERS, type Vote } from './confidence.ts';

const NOTHING_KNOWN = { easy: NO_ANSWERS, hard: NO_ANSWERS };
const claim = (...further: Vote[]): Ballot => ({ first: true, further });
const one = (ballot: Ballot, easy: Partial<AnswerCounts> = {}, hard: Partial<AnswerCounts> = {}) =>
  estimateConfidences([[ballot]], { easy: { ...NO_ANSWERS, ...easy }, hard: { ...NO_ANSWERS, ...hard } })[0]![0]!;
const ofFirst = (...questions: Ballot[][]) => estimateConfidences(questions, NOTHING_KNOWN)[0]![0]!;

describe('the confidence of a claim', () => {
  it('grows with each look that confirms it, and falls with each that does not', () => {
    const ordered = [claim(false, false), claim(false), claim(), claim(true), claim(true, true)];
    const confidences = ordered.map((ballot) => one(ballot));
    expect(confidences).toEqual(confidences.toSorted((a, b) => a - b));
    expect(confidences[0]).toBeLessThan(0.2);
    expect(confidences.at(-1)).toBeGreaterThan(0.8);
    expect(one(claim(true, false, true))).toBeLessThan(one(claim(true, true)));
  });

  it('does not change with looks that could not tell', () => {
    expect(one(claim(true, null, null))).toBeCloseTo(one(claim(true)), 10);
  });

  it('is lower where the model confirms what cannot be there, contradicts itself at edges, or about another claim', () => {
    const alone = one(claim(true, true));
    expect(one(claim(true, true), { falseYes: 2 })).toBeLessThan(alone - 0.05);
    expect(one(claim(true, true), {}, { falseYes: 3, falseNo: 3, rightNo: 4, rightYes: 4 })).toBeLessThan(alone - 0.05);
    const others = [[claim(false, true, false)], [claim(true, false, false)]];
    expect(ofFirst([claim(true, true)], ...others)).toBeLessThan(alone - 0.02);
  });

  it('depends on what the model says to the same question where it had not reported it', () => {
    const around = (vote: Vote): Ballot => ({ first: false, further: [vote] });
    const alone = one(claim(true, true));
    expect(ofFirst([claim(true, true), around(false)])).toBeGreaterThan(alone + 0.02);
    expect(ofFirst([claim(true, true), around(true)])).toBeLessThan(alone - 0.1);
    expect(ofFirst([claim(true, true)], [claim(true, true), around(true)])).toBeGreaterThan(alone - 0.1);
  });

  it('is higher where known answers are right, the more so about the footage', () => {
    const alone = one(claim(true, true));
    const [easy, hard] = [one(claim(true, true), { rightNo: 8 }), one(claim(true, true), {}, { rightNo: 8 })];
    expect(easy).toBeGreaterThan(alone);
    expect(hard).toBeGreaterThan(easy);
  });

  it('stays below certainty however many looks agree: the question may confuse the model', () => {
    expect(one(claim(...Array<boolean>(20).fill(true)), { rightNo: 20 })).toBeLessThan(0.99);
  });
});

describe('against an oracle that errs', () => {
  it.each([
    ['any', 0, 0.1],
    ['footage', 0.05, 0.1],
    ['footage', 0.1, 0.1],
  ] as const)(
    'confidence fits the share of right events: errors in %s answers, at a rate of %d',
    async (...args) => {
      const [noise, rate, most] = args;
      const { events, believed } = await askNoisyOracle(noise, rate, 50);
      expect(events.length).toBeGreaterThan(15);
      expect(believed).toBeGreaterThan(30);
      expect(calibrationErrorOf(events)).toBeLessThanOrEqual(most);
    },
    180_000,
  );

  it('finds most events with one wrong answer in ten, and fewer, not less sure ones, with more', async () => {
    const found = [];
    for (const rate of [0, 0.1, 0.3]) {
      const { events } = await askNoisyOracle('any', rate, 40);
      const right = events.filter(({ isRight, isCandidate }) => isRight && !isCandidate).length;
      found.push(right);
      expect(events.filter(({ isRight, isCandidate }) => !isRight && !isCandidate).length).toBeLessThanOrEqual(2);
    }
    // Half of the clips show the event.
    expect(found[0]).toBe(20);
    expect(found[1]).toBeGreaterThanOrEqual(12);
    expect(found[2]).toBeLessThan(found[1]!);
  }, 180_000);
});

it('measures calibration by bins', () => {
  const judged = (confidence: number, isRight: boolean) => ({ confidence, isRight, isCandidate: false });
  expect(calibrationErrorOf([judged(0.95, true), judged(0.95, true)])).toBeCloseTo(0.05, 10);
  expect(calibrationErrorOf([judged(0.9, true), judged(0.9, false), judged(0.2, false)])).toBeCloseTo(1 / 3, 10);
});
