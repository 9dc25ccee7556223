/** A range of time in seconds. */
export type SampleRange = { startS: number; endS: number };
/** An analysis with the ranges that need no sample: events of the engine, and samples that were reviewed. */
export type SampledAnalysis = {
  analysisId: string;
  videoId: string;
  videoName: string;
  query: string;
  durationS: number;
  covered: SampleRange[];
};
export type Sample = Omit<SampledAnalysis, 'durationS' | 'covered'> & SampleRange;

/** Remainders at the end of a gap that are shorter than this are not shown. */
const MIN_LENGTH_S = 1;

/** The time of a video that is not covered, without remainders that are too short for ranges of `lengthS`. */
export function listGaps(
  { durationS, covered }: Pick<SampledAnalysis, 'durationS' | 'covered'>,
  lengthS: number,
): SampleRange[] {
  const gaps: SampleRange[] = [];
  const addGap = (startS: number, untilS: number) => {
    const remainder = (untilS - startS) % lengthS;
    const endS = remainder < MIN_LENGTH_S ? untilS - remainder : untilS;
    if (endS - startS >= MIN_LENGTH_S) gaps.push({ startS, endS });
  };
  let reachedS = 0;
  for (const { startS, endS } of covered.toSorted((a, b) => a.startS - b.startS)) {
    addGap(reachedS, Math.min(startS, durationS));
    reachedS = Math.max(reachedS, endS);
  }
  addGap(reachedS, durationS);
  return gaps;
}

const toMs = (seconds: number) => Math.round(seconds * 1000) / 1000;

/**
 * Draws up to `count` different ranges at random, each second with the same chance. A range is `lengthS` long, but for
 * the last one of a gap. Time and memory follow from the number of gaps, not of ranges.
 */
export function drawSamples(
  candidates: readonly SampledAnalysis[],
  { count, lengthS }: { count: number; lengthS: number },
  random: () => number = Math.random,
): Sample[] {
  const gaps = candidates.flatMap(({ durationS, covered, ...of }) =>
    listGaps({ durationS, covered }, lengthS).map((gap) => ({ of, gap })),
  );
  const ends: number[] = [];
  for (const { gap } of gaps) ends.push((ends.at(-1) ?? 0) + gap.endS - gap.startS);
  const ranges = gaps.reduce((sum, { gap }) => sum + Math.ceil((gap.endS - gap.startS) / lengthS), 0);
  const drawn = new Map<string, Sample>();
  while (drawn.size < Math.min(count, ranges)) {
    const atS = random() * ends.at(-1)!;
    const i = firstAbove(ends, atS);
    const { of, gap } = gaps[i]!;
    const n = Math.floor((atS - (ends[i - 1] ?? 0)) / lengthS);
    const startS = gap.startS + n * lengthS;
    const range = { startS: toMs(startS), endS: toMs(Math.min(gap.endS, startS + lengthS)) };
    // A range that was drawn before is drawn again: the others keep their chances.
    drawn.set(`${i} ${n}`, { ...of, ...range });
  }
  return [...drawn.values()];
}

/** The index of the first of ascending values that is above `value`. */
function firstAbove(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
