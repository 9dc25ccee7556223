import type { Vote } from './confidence.ts';

/**
 * A place that a statement is tested in. `isExpected`: it should be true there; false where nothing was reported.
 */
export type TestPlace = { isExpected: boolean };

/** A vote about a place, by its index. */
export type PlaceVote = { place: number; vote: Vote };

/**
 * The factor by which a model that sees explains votes better than one that does not look at the frames.
 *
 * `contrast`: compared with a model whose answers may depend on anything but the frames: the number of the call, the
 * letters of the options, a coin of any bias. The calls of a round are sent in random order, so that such a model gives
 * each arrangement of its answers with the same probability.
 *
 * `consistency`: compared with a fair coin. It does not need places where the statement is false.
 *
 * Both are e-values: whatever is tested, however often, and whenever the test ends, a model of that kind reaches x with
 * a probability of at most 1 / x.
 */
export type Evidence = { contrast: number; consistency: number };

/** Rates of right answers of the model that sees. */
const CONTRAST_RIGHT = 0.93;
const CONSISTENCY_RIGHT = 0.92;

/** Probability that the statement is true in a place before any vote. */
const CONTRAST_PRIOR = { only: 0.97, oneOfSeveral: 0.8, unexpected: 0.03 };
const CONSISTENCY_PRIOR = { expected: 0.5, unexpected: 0.04 };

/** Weighs the votes of rounds, each with its calls sent in random order. Votes that say nothing are ignored. */
export function weighEvidence(places: readonly TestPlace[], rounds: readonly (readonly PlaceVote[])[]): Evidence {
  const isOnly = places.filter(({ isExpected }) => isExpected).length === 1;
  const expected = isOnly ? CONTRAST_PRIOR.only : CONTRAST_PRIOR.oneOfSeveral;
  const contrast = createSeeing(
    places.map(({ isExpected }) => (isExpected ? expected : CONTRAST_PRIOR.unexpected)),
    CONTRAST_RIGHT,
  );
  const consistency = createSeeing(
    places.map(({ isExpected }) => (isExpected ? CONSISTENCY_PRIOR.expected : CONSISTENCY_PRIOR.unexpected)),
    CONSISTENCY_RIGHT,
  );
  const evidence = { contrast: 1, consistency: 1 };
  for (const round of rounds) {
    const counts = countVotes(round, places.length);
    const total = counts.reduce((sum, { yes, no }) => sum + yes + no, 0);
    const yes = counts.reduce((sum, each) => sum + each.yes, 0);
    const arrangements = binomial(total, yes);
    evidence.contrast *= (contrast.chanceOf(counts) / contrast.chanceOfTotal(counts, yes)) * arrangements;
    evidence.consistency *= consistency.chanceOf(counts) * 2 ** total;
    contrast.learn(counts);
    consistency.learn(counts);
  }
  return evidence;
}

type Count = { yes: number; no: number };

function countVotes(round: readonly PlaceVote[], places: number): Count[] {
  const counts = Array.from({ length: places }, () => ({ yes: 0, no: 0 }));
  for (const { place, vote } of round) {
    if (vote === true) counts[place]!.yes++;
    if (vote === false) counts[place]!.no++;
  }
  return counts;
}

/** A model that sees, and answers rightly at this rate. Its answers about a place count for the rounds after it. */
function createSeeing(priors: readonly number[], right: number) {
  const isTrue = [...priors];
  const chanceIf = ({ yes, no }: Count, truth: boolean) =>
    truth ? right ** yes * (1 - right) ** no : right ** no * (1 - right) ** yes;
  const chanceIn = (place: number, count: Count) =>
    isTrue[place]! * chanceIf(count, true) + (1 - isTrue[place]!) * chanceIf(count, false);
  return {
    /** Probability of these votes. */
    chanceOf: (counts: readonly Count[]) =>
      counts.reduce((product, count, place) => product * chanceIn(place, count), 1),
    /** Probability of this number of yes in all. */
    chanceOfTotal(counts: readonly Count[], yes: number): number {
      let totals = [1];
      for (const [place, count] of counts.entries()) {
        const votes = count.yes + count.no;
        const own = Array.from(
          { length: votes + 1 },
          (_, k) => binomial(votes, k) * chanceIn(place, { yes: k, no: votes - k }),
        );
        totals = convolve(totals, own);
      }
      return totals[yes]!;
    },
    learn(counts: readonly Count[]): void {
      for (const [place, count] of counts.entries()) {
        const known = isTrue[place]! * chanceIf(count, true);
        isTrue[place] = known / (known + (1 - isTrue[place]!) * chanceIf(count, false));
      }
    },
  };
}

function convolve(a: readonly number[], b: readonly number[]): number[] {
  const sums = Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, x] of a.entries()) for (const [k, y] of b.entries()) sums[i + k]! += x * y;
  return sums;
}

function binomial(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= k; i++) product = (product * (n - k + i)) / i;
  return product;
}
