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

/** Splits the time of a video that is not covered into ranges of `lengthS`; the last one of each gap is shorter. */
export function listGaps({ durationS, covered }: Pick<SampledAnalysis, 'durationS' | 'covered'>, lengthS: number) {
  const ranges: SampleRange[] = [];
  const addGap = (fromS: number, untilS: number) => {
    for (let startS = fromS; untilS - startS >= MIN_LENGTH_S; startS += lengthS) {
      ranges.push({ startS: toMs(startS), endS: toMs(Math.min(untilS, startS + lengthS)) });
    }
  };
  let reachedS = 0;
  for (const { startS, endS } of covered.toSorted((a, b) => a.startS - b.startS)) {
    addGap(reachedS, Math.min(startS, durationS));
    reachedS = Math.max(reachedS, endS);
  }
  addGap(reachedS, durationS);
  return ranges;
}

const toMs = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** Draws up to `count` different ranges at random, each second with the same chance. */
export function drawSamples(
  candidates: readonly SampledAnalysis[],
  { count, lengthS }: { count: number; lengthS: number },
  random: () => number = Math.random,
): Sample[] {
  const keyed = candidates.flatMap(({ durationS, covered, ...of }) =>
    listGaps({ durationS, covered }, lengthS).map((range) => ({
      // Weighted sampling without replacement (Efraimidis and Spirakis 2006).
      key: Math.log(1 - random()) / (range.endS - range.startS),
      sample: { ...of, ...range },
    })),
  );
  return keyed
    .sort((a, b) => b.key - a.key)
    .slice(0, count)
    .map(({ sample }) => sample);
}
