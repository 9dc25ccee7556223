/** Number of events with these verdicts of two reviewers. */
export type VerdictPair = { first: string; second: string; count: number };

/** Agreement of two reviewers on the events that both judged. */
export type Agreement = {
  events: number;
  /** Share of the events with equal verdicts, 0 to 1. */
  observed: number;
  /** Cohen's kappa: 1 is full agreement, 0 that of chance. Null if chance alone would agree on everything. */
  kappa: number | null;
};

/** Computes Cohen's kappa (Cohen 1960) from the counts of verdict pairs; at least one event. */
export function agreementOf(pairs: readonly VerdictPair[]): Agreement {
  const events = pairs.reduce((sum, { count }) => sum + count, 0);
  const shareOf = (has: (pair: VerdictPair) => boolean) =>
    pairs.reduce((sum, pair) => sum + (has(pair) ? pair.count : 0), 0) / events;
  const verdicts = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  const observed = shareOf(({ first, second }) => first === second);
  const byChance = [...verdicts].reduce(
    (sum, verdict) => sum + shareOf(({ first }) => first === verdict) * shareOf(({ second }) => second === verdict),
    0,
  );
  return { events, observed, kappa: byChance === 1 ? null : (observed - byChance) / (1 - byChance) };
}
