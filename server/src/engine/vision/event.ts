import { clock, round } from '../find/index.ts';
import type { Observations } from '../observe/observations.ts';
import type { VideoEvent } from '../types.ts';
import type { SeenClaim } from './claims.ts';
import type { FrameVerdict } from './doubt/verification.ts';
import type { Edges } from './edges.ts';

/**
 * Confidence by agreement of the passes, never the model's own number. Not calibrated: no labels of a real model were
 * available (docs/models.md).
 */
const CONFIDENCE = { verified: 0.8, oneDoubt: 0.6, unverified: 0.4 };

type Sighting = {
  claim: Pick<SeenClaim, 'label' | 'frames'>;
  verdict: FrameVerdict;
  edges: Edges;
  /** True if the model also confirmed it where it had not reported it. */
  isDoubted: boolean;
};

/** The event of a claim that was not refuted. */
export function toEvent(
  { claim, verdict, edges, isDoubted }: Sighting,
  { video }: Observations,
  name: string,
): VideoEvent {
  const { start, end } = edges;
  const caveats = [
    ...(verdict.isOrderSeen ? [] : ['the model confirmed the frames in reversed order too']),
    ...(isDoubted ? ['the model confirmed it in other frames too'] : []),
  ];
  const confidence =
    verdict.status !== 'verified'
      ? CONFIDENCE.unverified
      : caveats.length === 0
        ? CONFIDENCE.verified
        : CONFIDENCE.oneDoubt - 0.1 * (caveats.length - 1);
  const best = claim.frames[claim.frames.length >> 1]!;
  const moments = [
    ['first', start],
    ['best', best],
    ['last', end],
  ] as const;
  const frames = moments.filter(([role, frame]) => role === 'best' || frame.pts !== best.pts);
  const times = verdict.frames.map(({ timeS }) => clock(timeS)).join(', ');
  const confirmed =
    verdict.status === 'verified' ? 'confirmed it twice, under different options' : 'did not confirm it';
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
      signals: [{ name, value: round(confidence, 3), threshold: CONFIDENCE.unverified, unit: 'confidence' }],
    },
  };
}
