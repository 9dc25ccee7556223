import type { Vote } from './confidence.ts';
import { type Evidence, type PlaceVote, weighEvidence } from './evidence.ts';

/** Evidence that lets answers count: a model that does not look at the frames gets there in 1 of 100 tests at most. */
export const SUFFICIENT = 100;
/** Evidence below which a test ends: the rounds that are left would hardly make up for it. */
const HOPELESS = 0.05;
const MAX_ROUNDS = 4;
/** Looks of a round at places where the statement should be false. */
const CONTRAST_LOOKS = 4;
/** Votes after which a place stays undecided. */
const MAX_UNDECIDED = 3;

/**
 * Places of a statement: `expected` ones, where it was reported, and `contrasts`, where it was not. Without contrasts
 * only the consistency of votes is tested. `canDeny`: that it is false in all expected places is an answer to prove,
 * too.
 */
export type TestDesign = { expected: number; contrasts: number; canDeny?: boolean };

/**
 * A test of whether a model's answers about a statement depend on the frames that it is shown. It continues in rounds
 * until the evidence is sufficient or hopeless, four at most. Expected places come first, then the contrasts.
 */
export interface StatementTest {
  /** Places of the looks of the next round, one for each look; empty if the test is over. */
  next(): number[];
  /** Adds the votes of a round. */
  add(votes: readonly PlaceVote[]): void;
  votesOf(place: number): Vote[];
  evidence(): Evidence;
  /** The conclusion: answers depend on the frames, or chance explains them better, or neither is shown. */
  result(): 'proven' | 'chance' | 'open';
}

export function createStatementTest({ expected, contrasts, canDeny = false }: TestDesign): StatementTest {
  const places = Array.from({ length: expected + contrasts }, (_, place) => ({ isExpected: place < expected }));
  const rounds: (readonly PlaceVote[])[] = [];
  const votesOf = (place: number) => rounds.flat().flatMap((each) => (each.place === place ? [each.vote] : []));
  let evidence: Evidence = { contrast: 1, consistency: 1 };
  const value = () => {
    const { contrast, consistency } = evidence;
    if (canDeny) return Math.max(contrast, consistency);
    return contrasts > 0 ? contrast : consistency;
  };
  const expectedPlaces = Array.from({ length: expected }, (_, place) => place);
  const looksAt = (each: number) => expectedPlaces.flatMap((place) => Array<number>(each).fill(place));
  const contrastLooks = () =>
    contrasts === 0 ? [] : Array.from({ length: CONTRAST_LOOKS }, (_, i) => expected + (i % contrasts));
  return {
    votesOf,
    evidence: () => evidence,
    next() {
      if (expected === 0) return [];
      const { first, later } = contrasts > 0 ? contrastedLooks(expected) : uncontrastedLooks(expected);
      if (rounds.length === 0) return [...looksAt(first), ...contrastLooks()];
      const isSilent = rounds.at(-1)!.every(({ vote }) => vote === null);
      if (isSilent || rounds.length >= MAX_ROUNDS) return [];
      const undecided = expectedPlaces.filter((place) => isUndecided(votesOf(place)));
      if (value() >= SUFFICIENT) return undecided;
      const isDenied = expectedPlaces.every((place) => statusOf(votesOf(place)) === 'refuted');
      return (isDenied && !canDeny) || value() < HOPELESS ? [] : [...looksAt(later), ...contrastLooks()];
    },
    add(votes) {
      rounds.push(votes);
      evidence = weighEvidence(places, rounds);
    },
    result() {
      if (value() >= SUFFICIENT) return 'proven';
      return value() < 1 ? 'chance' : 'open';
    },
  };
}

/** Looks at each expected place, so that an honest model needs one round. */
function contrastedLooks(expected: number) {
  if (expected === 1) return { first: 5, later: 5 };
  return { first: expected <= 3 ? 3 : 2, later: Math.ceil(5 / expected) };
}

function uncontrastedLooks(expected: number) {
  const first = expected === 1 ? 9 : expected === 2 ? 5 : expected <= 4 ? 4 : 3;
  return { first, later: expected === 1 ? 7 : Math.ceil(6 / expected) };
}

export type VoteStatus = 'verified' | 'unverified' | 'refuted';

/** Twice as many yes as no verify, a majority of no refutes: two of them at least. */
export function statusOf(votes: readonly Vote[]): VoteStatus {
  const count = (vote: Vote) => votes.filter((each) => each === vote).length;
  const [yes, no] = [count(true), count(false)];
  if (yes >= 2 && yes >= 2 * no) return 'verified';
  return no >= 2 && no > yes ? 'refuted' : 'unverified';
}

const isUndecided = (votes: readonly Vote[]): boolean =>
  votes.length < MAX_UNDECIDED && statusOf(votes) === 'unverified';
