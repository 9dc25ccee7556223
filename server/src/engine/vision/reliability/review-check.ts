import type { EventVerification } from '../../types.ts';
import { MAX_UNVERIFIED, UNORDERED } from '../event.ts';
import type { CheckedReview } from './checked-claims.ts';

/**
 * The result for something that an observer found: a confidence from 0 to 1, and doubts to add to it. `isProven`:
 * chance does not explain the model's answers about it.
 */
export type ReviewVerdict = {
  verification: EventVerification;
  confidence: number;
  caveats: string[];
  isProven: boolean;
};

/** Highest confidence of what an observer and a model both found, that of observers. */
const MAX_VERIFIED = 0.97;
/**
 * The verdict on something that an observer found. What a model denies is at most a candidate by default. What it
 * confirms in the wrong order too, or together with a scene that cannot be there, is no surer than before. Answers that
 * chance explains change nothing.
 */
export function toReviewVerdict(review: CheckedReview, by: string): ReviewVerdict {
  const { item, verdict, isDecoyed, isProven, probability } = review;
  const { frames, isOrderSeen } = verdict;
  const framesS = frames.map(({ timeS }) => timeS);
  if (!isProven)
    return { verification: { status: 'unverified', by, framesS }, confidence: item.confidence, caveats: [], isProven };
  const status = isDecoyed && verdict.status === 'verified' ? 'unverified' : verdict.status;
  const isSurer = status === 'verified' && isOrderSeen;
  const most = isSurer
    ? MAX_VERIFIED
    : status === 'refuted'
      ? Math.min(MAX_UNVERIFIED, item.confidence)
      : item.confidence;
  return {
    verification: { status, by, framesS },
    confidence: Math.min(most, probability),
    caveats: status === 'verified' && !isOrderSeen ? [UNORDERED] : [],
    isProven,
  };
}
