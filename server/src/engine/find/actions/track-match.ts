import type { ObjectTarget } from '../../plan/index.ts';
import { DECIDING_FACTOR, MAX_CONFIDENCE, marginConfidence, trackConfidence } from '../confidence.ts';
import type { FrameTime, IntervalMatch, Scene, TrackEvidence } from '../types.ts';
import { refineFrameTime } from './track/edge-refinement.ts';
import type { TrackMatch } from './types.ts';

/** Converts the action of one track to a match. */
export function toMatch(what: ObjectTarget, trackMatch: TrackMatch, scene: Scene): IntervalMatch {
  const { from, to, other } = trackMatch;
  const { view, colorFactor, colorShare } = trackMatch.candidate;
  const frameTime = (k: number): FrameTime => detectorFrameTime(scene, view.track.frame[k]!);
  const { weight, reasons: doubts } = view.plausibility();
  const certainty =
    trackConfidence(view.score, view.independentCount, weight) * colorFactor * trackMatch.otherConfidence;
  const margin = trackMatch.margin === null ? 1 : marginConfidence(trackMatch.margin);
  const miss = trackMatch.isNearMiss ? DECIDING_FACTOR : 1;
  const reasons = [
    `${view.track.className} ${view.track.id}: ${trackMatch.reason}`,
    ...(colorShare === null ? [] : [`${Math.round(colorShare * 100)} % of its pixels in the color`]),
    `detector score ${view.score.toFixed(2)} over ${view.detectionCount} detections`,
    ...doubts,
  ];
  const subject: TrackEvidence = { track: view.track, role: 'subject', from, to };
  const start = from === 0 ? refineFrameTime(view.track, 'start', scene) : frameTime(from);
  const end = to === view.track.frame.length - 1 ? refineFrameTime(view.track, 'end', scene) : frameTime(to);
  return {
    what: { ...what, ...resolveOptions(what, trackMatch) },
    negated: false,
    start,
    end,
    best: frameTime(bestEntry(trackMatch)),
    confidence: Math.min(MAX_CONFIDENCE, trackMatch.support ?? 1, certainty * margin) * miss,
    tracks: other ? [subject, other] : [subject],
    signals: [],
    presences: [{ id: view.track.id, start, end, ...countedTime(scene, view.track.frame[to]!, { start, end }) }],
    reasons,
    stepMatches: [],
  };
}

function resolveOptions(what: ObjectTarget, { resolved }: TrackMatch): Partial<ObjectTarget> {
  return {
    direction: what.direction ?? resolved?.direction ?? null,
    from: what.from ?? resolved?.from ?? null,
    to: what.to ?? resolved?.to ?? null,
  };
}

/** Presentation time of a frame that the detector examined. */
export function detectorFrameTime(scene: Scene, frame: number): FrameTime {
  const objects = scene.observations.objects!;
  return { timeS: objects.timeS[frame]!, pts: objects.pts[frame]! };
}

/** An object counts until the next frame that the detector examined, or the end of the video. */
function countedTime({ observations: { objects, video } }: Scene, last: number, { start, end }: Edges) {
  const nextS = objects!.timeS[last + 1] ?? video.range?.untilS ?? video.durationS;
  return { sinceS: start.timeS, untilS: Math.max(nextS, end.timeS) };
}
type Edges = Pick<IntervalMatch, 'start' | 'end'>;

/** The entry with the best combination of size and detector score. */
function bestEntry({ candidate, from, to }: TrackMatch): number {
  const { track } = candidate.view;
  let best = from;
  let max = -1;
  for (let k = from; k <= to; k++) {
    const value = track.score[k]! * Math.sqrt(track.width[k]! * track.height[k]!);
    if (value > max) {
      max = value;
      best = k;
    }
  }
  return best;
}
