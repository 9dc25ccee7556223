import { type AnswerCounts, addCounts, type Ballot, estimateConfidences, NO_ANSWERS, type Vote } from './confidence.ts';
import { weighEvidence } from './evidence.ts';
import { createKnownStatementTest } from './known-test.ts';
import { type StatementTest, SUFFICIENT } from './statement-test.ts';

/** Looks at a question in a part of a stream, and whether it was seen there after all of them. */
export type PartLooks = { question: string; isSeen: boolean; votes: readonly Vote[] };

/**
 * Answers of a model in an analysis without an end, that of a stream: those whose right ones are known, and its looks
 * at each part. Its memory is bounded; older answers count less, because footage changes.
 */
export interface Reliability {
  /** Number of parts of the stream that were judged. */
  readonly parts: number;
  /** True if known answers were added before. */
  readonly isTried: boolean;
  /** Test of the model with statements about the stream whose truth is known. */
  readonly known: StatementTest;
  /** Adds answers about scenes that cannot be there, and about plain images. */
  addKnown(answers: Partial<AnswerCounts>): void;
  /**
   * Adds the looks at a part, one for each question. Returns for each the probability that it is true there, 0 to 1,
   * and whether its looks so far are distinguished from chance. Questions that are not among them are forgotten.
   */
  judge(looks: readonly PartLooks[]): JudgedPart[];
  /** True if the looks at a question would be distinguished from chance with these. */
  isProvenWith(looks: PartLooks): boolean;
}

export type JudgedPart = { probability: number; isProven: boolean };

/** Known answers from which on older ones count half. */
const MAX_KNOWN = 100;
/** Places that are stored for each question, and votes of each. */
const MAX_PLACES = 24;
const MAX_VOTES = 16;

/** Neighboring parts in which something is seen, or not: one place, because most of what is there stays a while. */
type Place = { isSeen: boolean; votes: Vote[] };

export function createReliability(): Reliability {
  const test = createKnownStatementTest();
  let known = NO_ANSWERS;
  let isTried = false;
  let parts = 0;
  let places = new Map<string, Place[]>();
  /** Places of a question with the looks at a further part. */
  function placesWith({ question, isSeen, votes }: PartLooks): Place[] {
    const before = places.get(question) ?? [];
    const last = before.at(-1);
    const continues = last?.isSeen === isSeen;
    const own = { isSeen, votes: [...(continues ? last.votes : []), ...votes].slice(-MAX_VOTES) };
    return [...(continues ? before.slice(0, -1) : before), own].slice(-MAX_PLACES);
  }
  return {
    known: test,
    get parts() {
      return parts;
    },
    get isTried() {
      return isTried;
    },
    addKnown(answers) {
      isTried = true;
      known = addCounts(known, { ...NO_ANSWERS, ...answers });
      const { rightNo, falseYes, rightYes, falseNo } = known;
      if (rightNo + falseYes + rightYes + falseNo <= MAX_KNOWN) return;
      known = { rightNo: rightNo / 2, falseYes: falseYes / 2, rightYes: rightYes / 2, falseNo: falseNo / 2 };
    },
    isProvenWith: (looks) => isConsistent(placesWith(looks)),
    judge(looks) {
      parts++;
      places = new Map(looks.map((look) => [look.question, placesWith(look)]));
      // Every part is shown, so that the first looks count as well.
      const ballots = [...places.values()].map((own) =>
        own.map(({ votes }): Ballot => ({ first: null, further: votes })),
      );
      const estimated = estimateConfidences(ballots, { easy: known, hard: NO_ANSWERS });
      return [...places.values()].map((own, i) => ({
        probability: estimated[i]!.at(-1)!,
        isProven: isConsistent(own),
      }));
    },
  };
}

/** True if a fair coin would not vote like this. A stream has no parts that are known to show nothing. */
function isConsistent(places: readonly Place[]): boolean {
  const votes = places.flatMap((place, i) => place.votes.map((vote) => ({ place: i, vote })));
  return (
    weighEvidence(
      places.map(() => ({ isExpected: true })),
      [votes],
    ).consistency >= SUFFICIENT
  );
}
