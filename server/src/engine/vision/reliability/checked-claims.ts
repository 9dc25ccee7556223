import type { SeenClaim } from '../claims.ts';
import type { Edges } from '../edges.ts';
import type { ReviewItem } from '../types.ts';
import type { FrameVerdict } from './verification.ts';

/** A claim after all looks at its frames. */
export type CheckedClaim = {
  claim: SeenClaim;
  verdict: FrameVerdict;
  edges: Edges;
  /** Probability that it is true, 0 to 1. */
  probability: number;
  doubts: string[];
};

/** Something that an observer found, after all looks at its frames. */
export type CheckedReview = {
  item: ReviewItem;
  verdict: FrameVerdict;
  isDecoyed: boolean;
  /** False if the model's answers about it do not differ enough from chance: they then say nothing. */
  isProven: boolean;
  /** Probability that it is right, 0 to 1. */
  probability: number;
};
