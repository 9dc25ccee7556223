/** How closely a stream is looked at: seconds between two pictures that the detector sees; null: what the picture as a whole does is still observed at every frame. */
const EVERY_S = { full: 0.2, reduced: 0.5, sparse: 1, pictures: null } as const;

export type Sampling = keyof typeof EVERY_S;
const SAMPLINGS = ['full', 'reduced', 'sparse', 'pictures'] as const satisfies Sampling[];
export const everyS = (sampling: Sampling): number | null => EVERY_S[sampling];

/** What is waiting, and what the last segment took, in seconds. */
export type Load = {
  waitingS: number;
  tookS: number;
  segmentS: number;
  /** Whether a detector looks at all; without one there is nothing to look at less. */
  detects: boolean;
};

export type Pace = {
  sampling: Sampling;
  /** Segments in a row that were looked at in much less time than they last. */
  calm: number;
};

/** More than this many segments waiting is falling behind, where looking at one takes nearly as long as it lasts. */
const WAITING = 1.5;
const BUSY = 0.6;
/** Quicker than this, so many times in a row, leaves room to look more closely. */
const QUICK = 0.4;
const CALM = 5;
/** What waits for longer is skipped for now: viewers want to know what happens now. In seconds. */
const LONGEST_S = 8;

/** How closely to look at what comes next: less at once when looking takes too long, more again only after a while. */
export function paced({ sampling, calm }: Pace, { waitingS, tookS, segmentS, detects }: Load): Pace {
  const at = SAMPLINGS.indexOf(sampling);
  if (detects && waitingS > WAITING * segmentS && tookS > BUSY * segmentS) {
    return { sampling: SAMPLINGS[Math.min(at + 1, SAMPLINGS.length - 1)]!, calm: 0 };
  }
  if (tookS > QUICK * segmentS || waitingS > WAITING * segmentS) return { sampling, calm: 0 };
  if (calm + 1 < CALM) return { sampling, calm: calm + 1 };
  return { sampling: SAMPLINGS[Math.max(at - 1, 0)]!, calm: 0 };
}

/** How many of the waiting segments, the oldest first, to skip and catch up on later: all but the newest, when too much waits. */
export function leftOut(waiting: readonly { durationS: number }[]): number {
  const waitingS = waiting.reduce((sum, { durationS }) => sum + durationS, 0);
  return waiting.length > 1 && waitingS > LONGEST_S ? waiting.length - 1 : 0;
}
