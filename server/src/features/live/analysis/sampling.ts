/**
 * Interval between two frames of the object detector in seconds; null disables it. Signals of the whole frame are
 * measured at every frame in any case.
 */
const EVERY_S = { full: 0.2, reduced: 0.5, sparse: 1, pictures: null } as const;

export type Sampling = keyof typeof EVERY_S;
const SAMPLINGS = ['full', 'reduced', 'sparse', 'pictures'] as const satisfies Sampling[];
export const getDetectorIntervalS = (sampling: Sampling): number | null => EVERY_S[sampling];

/** Duration of waiting segments, and processing time of the last segment, in seconds. */
export type AnalysisLoad = {
  waitingS: number;
  elapsedS: number;
  segmentS: number;
  /** True if the detector runs; without it there is nothing to reduce. */
  detects: boolean;
};

export type SamplingState = {
  sampling: Sampling;
  /** Number of consecutive segments that were analyzed much faster than real time. */
  fastSegments: number;
};

/** The analysis falls behind if more segments than this wait and a segment takes nearly its own duration. */
const WAITING = 1.5;
const BUSY = 0.6;
/** Sampling increases after this many consecutive segments that take less than this part of their duration. */
const QUICK = 0.4;
const CALM = 5;
/** Segments are skipped if more than this waits, as current events matter most to viewers. In seconds. */
const LONGEST_S = 8;

/**
 * The sampling of the next segment. It is reduced at once when the analysis is too slow, and increased only after a
 * while.
 */
export function adjustSampling(
  { sampling, fastSegments: calm }: SamplingState,
  { waitingS, elapsedS, segmentS, detects }: AnalysisLoad,
): SamplingState {
  const at = SAMPLINGS.indexOf(sampling);
  if (detects && waitingS > WAITING * segmentS && elapsedS > BUSY * segmentS) {
    return { sampling: SAMPLINGS[Math.min(at + 1, SAMPLINGS.length - 1)]!, fastSegments: 0 };
  }
  if (elapsedS > QUICK * segmentS || waitingS > WAITING * segmentS) return { sampling, fastSegments: 0 };
  if (calm + 1 < CALM) return { sampling, fastSegments: calm + 1 };
  return { sampling: SAMPLINGS[Math.max(at - 1, 0)]!, fastSegments: 0 };
}

/** Number of waiting segments, oldest first, to skip for now: all but the newest if too many wait. */
export function countSegmentsToSkip(waiting: readonly { durationS: number }[]): number {
  const waitingS = waiting.reduce((sum, { durationS }) => sum + durationS, 0);
  return waiting.length > 1 && waitingS > LONGEST_S ? waiting.length - 1 : 0;
}
