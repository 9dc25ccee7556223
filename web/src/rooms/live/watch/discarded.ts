import type { LiveSession } from '@sightline/sdk';

type Decided = Pick<LiveSession, 'gaps' | 'retained_spans' | 'discarded_s' | 'unanswered_s'> & {
  analysis: Pick<NonNullable<LiveSession['analysis']>, 'skipped'> | null;
};

/** A shorter range is one of rounded times, in seconds. */
const SHORTEST_S = 0.1;

/**
 * Ranges of a running session that are not retained. Those that are not decided yet are not among them: the newest
 * part, and what the analysis skipped for now.
 */
export function listDiscarded({ gaps, retained_spans, analysis, discarded_s, unanswered_s }: Decided) {
  // Beyond its limit, the service deletes skipped ranges as well.
  const skipped = unanswered_s > 0 ? [] : (analysis?.skipped ?? []);
  const others = [...gaps, ...retained_spans, ...skipped].map(({ from_s, until_s }) => ({ from_s, until_s }));
  others.sort((a, b) => a.from_s - b.from_s);
  others.push({ from_s: Number.POSITIVE_INFINITY, until_s: Number.POSITIVE_INFINITY });
  const discarded: { startS: number; endS: number }[] = [];
  let [startS, leftS] = [0, discarded_s];
  for (const { from_s, until_s } of others) {
    const endS = Math.min(from_s, startS + leftS);
    if (endS - startS > SHORTEST_S) {
      discarded.push({ startS, endS });
      leftS -= endS - startS;
    }
    startS = Math.max(startS, until_s);
  }
  return discarded;
}
