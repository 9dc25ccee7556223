import type { Approval, EventKey } from '#features/analyses/index';
import type { Interval } from './matching.ts';

/** An event of one of the two analyses of a video, with the times that the engine reported. */
export type ComparedEvent = EventKey &
  Interval & {
    approval: Approval;
    /** A person added it: the engine did not find it. */
    added: boolean;
    /** Its times after corrections. */
    corrected: Interval;
  };

/** Judgment of an event by the verdicts on it, or on one of the other analysis at the same time. */
export type Judgment = 'right' | 'wrong' | 'undecided';

/** The two analyses of a video, and the ranges in which a reviewer saw no event. */
export type ComparedVideo = {
  baseline: readonly ComparedEvent[];
  candidate: readonly ComparedEvent[];
  clear: readonly Interval[];
};

export type SideCounts = { right: number; wrong: number; undecided: number; missed: number; overlaps: number[] };

export type EventDifference = { change: 'appeared' | 'disappeared'; judgment: Judgment; key: EventKey };

export type VideoComparison = {
  baseline: SideCounts;
  candidate: SideCounts;
  /** Events that both found. */
  unchanged: number;
  differences: EventDifference[];
};
