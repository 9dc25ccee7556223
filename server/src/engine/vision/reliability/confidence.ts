/** Result of a look at frames for a statement: true for yes, false for no, null if it could not tell. */
export type Vote = boolean | null;

/**
 * Looks at a question in one place. `first` decided that more followed: a claim, or its absence; null if something else
 * did. `prior`: probability that the question is true there before any look; default that of a window. `most`: number
 * of further looks that say as much as all of them; default all.
 */
export type Ballot = { first: Vote; further: readonly Vote[]; prior?: number; most?: number };

/** Right and wrong answers. */
export type AnswerCounts = { rightNo: number; falseYes: number; rightYes: number; falseNo: number };

export const NO_ANSWERS: AnswerCounts = { rightNo: 0, falseYes: 0, rightYes: 0, falseNo: 0 };
export const addCounts = (a: AnswerCounts, b: AnswerCounts): AnswerCounts => ({
  rightNo: a.rightNo + b.rightNo,
  falseYes: a.falseYes + b.falseYes,
  rightYes: a.rightYes + b.rightYes,
  falseNo: a.falseNo + b.falseNo,
});

/**
 * Answers of an analysis whose right ones are known. `easy`: about scenes that cannot be there and plain images;
 * `hard`: about the frames around the edges of events, which have only one order of no and yes.
 */
export type KnownAnswers = { easy: AnswerCounts; hard: AnswerCounts };

/** Probability that a window shows the requested event, before the model has looked: most of a video does not. */
const PRIOR = 0.15;
/** Share of questions that confuse the model, and how often it says yes to them, whether they are true or not. */
const CONFUSING = 0.03;
const CONFUSED_YES = 0.8;
/** A right answer to an easy question says less about harder ones on the footage; a wrong one says as much. */
const EASY = 0.25;
/** Beta priors of the two error rates: false yes in 1 of 10 answers, false no in 1 of 5. */
const FALSE_YES = { errors: 1, right: 9 };
const FALSE_NO = { errors: 1.5, right: 6 };

const STEPS = 24;
const MAX_RATE = 0.6;
const RATES = Array.from({ length: STEPS }, (_, i) => ((i + 0.5) * MAX_RATE) / STEPS);

/**
 * Probability that a question is true in the place of each ballot, 0 to 1, by question. It depends on two error rates,
 * which are integrated over: their weights come from the known answers of this analysis, and from how often its looks
 * contradict each other. Votes of one question are independent unless it confuses the model: then they say nothing. No
 * number that the model states about itself is used.
 */
export function estimateConfidences(questions: readonly (readonly Ballot[])[], known: KnownAnswers): number[][] {
  const sums = questions.map((ballots) => ballots.map(() => 0));
  let total = 0;
  for (const falseYes of RATES)
    for (const falseNo of RATES) {
      const rates = { falseYes, falseNo };
      const judged = questions.map((ballots) => judgeQuestion(ballots, rates));
      const weight = judged.reduce((product, { likelihood }) => product * likelihood, weightOf(known, rates));
      total += weight;
      for (const [q, { confidences }] of judged.entries())
        for (const [i, confidence] of confidences.entries()) sums[q]![i]! += weight * confidence;
    }
  return sums.map((own) => own.map((sum) => sum / total));
}

type Rates = { falseYes: number; falseNo: number };
const CONFUSED: Rates = { falseYes: CONFUSED_YES, falseNo: 1 - CONFUSED_YES };

function judgeQuestion(ballots: readonly Ballot[], rates: Rates) {
  const clear = ballots.map((ballot) => jointOf(ballot, rates));
  const confused = ballots.map((ballot) => jointOf(ballot, CONFUSED));
  const productOf = (joint: readonly Joint[]) =>
    joint.reduce((product, { real, absent }) => product * (real + absent), 1);
  const [ifClear, ifConfused] = [(1 - CONFUSING) * productOf(clear), CONFUSING * productOf(confused)];
  // More looks follow because of the first vote, so that this vote says nothing about the rates.
  const selected = productOf(ballots.map((ballot) => jointOf({ ...ballot, further: [] }, rates)));
  const trueOf = ({ real, absent }: Joint) => real / (real + absent);
  return {
    likelihood: (ifClear + ifConfused) / selected,
    confidences: ballots.map(
      (_, i) => (ifClear * trueOf(clear[i]!) + ifConfused * trueOf(confused[i]!)) / (ifClear + ifConfused),
    ),
  };
}

/** Weight of error rates by their priors and the known answers. */
function weightOf({ easy, hard }: KnownAnswers, rates: Rates): number {
  return (
    rates.falseYes ** (FALSE_YES.errors - 1 + easy.falseYes + hard.falseYes) *
    (1 - rates.falseYes) ** (FALSE_YES.right - 1 + EASY * easy.rightNo + hard.rightNo) *
    rates.falseNo ** (FALSE_NO.errors - 1 + easy.falseNo + hard.falseNo) *
    (1 - rates.falseNo) ** (FALSE_NO.right - 1 + EASY * easy.rightYes + hard.rightYes)
  );
}

/** Probabilities of votes together with the question being true, and with it being false. */
type Joint = { real: number; absent: number };

function jointOf(
  { first, further, prior = PRIOR, most = Number.POSITIVE_INFINITY }: Ballot,
  { falseYes, falseNo }: Rates,
): Joint {
  const votes = further.filter((vote) => vote !== null);
  const weight = Math.min(1, most / votes.length);
  const chanceOf = (yes: number) =>
    (first === null ? 1 : first ? yes : 1 - yes) *
    votes.reduce((product, vote) => product * (vote ? yes : 1 - yes), 1) ** weight;
  return { real: prior * chanceOf(1 - falseNo), absent: (1 - prior) * chanceOf(falseYes) };
}
