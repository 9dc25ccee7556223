import { clock, round } from '../find/index.ts';
import type { Observations } from '../observe/observations.ts';
import type { VideoEvent } from '../types.ts';
import type { CheckedClaim } from './reliability/checked-claims.ts';

/**
 * Highest confidence of claims. Errors that a model repeats in every look cannot be measured within an analysis; claims
 * that were not verified are candidates by default.
 */
export const MAX_VERIFIED = 0.95;
export const MAX_UNVERIFIED = 0.45;
/** A doubt about events that are changes, such as "enters". */
export const UNORDERED = 'the model confirmed the frames in reversed order too';
/** Left of the confidence if the order of frames was not seen: the words for a change often describe a state. */
const ORDER_UNSEEN = 0.75;

type Sighting = Omit<CheckedClaim, 'claim'> & { claim: Pick<CheckedClaim['claim'], 'label' | 'frames'> };

/** The event of a claim that was not refuted. */
export function toEvent(
  { claim, verdict, edges, probability, doubts }: Sighting,
  { video }: Observations,
  name: string,
): VideoEvent {
  const { start, end } = edges;
  const caveats = [...(verdict.isOrderSeen ? [] : [UNORDERED]), ...doubts];
  const isVerified = verdict.status === 'verified';
  const confidence = Math.min(
    isVerified ? MAX_VERIFIED : MAX_UNVERIFIED,
    probability * (verdict.isOrderSeen ? 1 : ORDER_UNSEEN),
  );
  const best = claim.frames[claim.frames.length >> 1]!;
  const moments = [
    ['first', start],
    ['best', best],
    ['last', end],
  ] as const;
  const frames = moments.filter(([role, frame]) => role === 'best' || frame.pts !== best.pts);
  const times = verdict.frames.map(({ timeS }) => clock(timeS)).join(', ');
  const yes = verdict.votes.filter((vote) => vote === true).length;
  const confirmed = `confirmed it in ${yes} of ${verdict.votes.length} looks, under different options`;
  return {
    startS: start.timeS,
    endS: end.timeS,
    startPts: start.pts,
    endPts: end.pts,
    timeBase: video.timeBase,
    label: claim.label,
    category: 'look',
    severity: 'low',
    confidence: round(confidence, 3),
    caveats,
    explanation: `${name} reported it in ${claim.frames.length} of the frames shown and ${confirmed}, in the frames at ${times}. ${edges.isExact ? 'Start and end were narrowed with frames in between.' : 'Start and end are those of the frames shown.'}`,
    verification: { status: verdict.status, by: name, framesS: verdict.frames.map(({ timeS }) => timeS) },
    evidence: {
      frames: frames.map(([role, { timeS, pts }]) => ({ role, timeS, pts, boxes: [] })),
      tracks: [],
      signals: [{ name, value: round(confidence, 3), threshold: MAX_UNVERIFIED, unit: 'confidence' }],
    },
  };
}
