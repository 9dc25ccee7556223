import type { Signals } from '../../observe/observations.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { complement, hysteresis, median, mergeGaps, type Span, smooth } from '../time/intervals.ts';

/** Speed of the whole frame by any motion, and rate at which the scene comes closer; one value per frame. */
export type CameraSpeed = { speed: Float64Array; approach: Float64Array };

export function measureCameraSpeed(s: Signals): CameraSpeed {
  const w = LIMITS.smoothing.limit;
  const approach = approachRate(s);
  const [x, y, z] = [smooth(s.globalX, s.timeS, w), smooth(s.globalY, s.timeS, w), smooth(approach, s.timeS, w)];
  const speed = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const horizontal = isUnmeasured(s, i) ? UNMEASURED_SPEED : x[i]!;
    speed[i] = Math.hypot(horizontal, y[i]!) + Math.abs(z[i]!);
  }
  return { speed, approach };
}

/**
 * Rate at which the scene comes closer: by its near parts, as on a road, or by the growth of the frame, as in front of
 * a flat scene, whichever is larger. Over open ground growth is measured on few blocks and is noisy, so it is limited
 * to a multiple of the rate of the near parts.
 */
export function approachRate({ advance, zoom }: Pick<Signals, 'advance' | 'zoom'>): Float64Array {
  const rate = new Float64Array(advance.length);
  for (let i = 0; i < rate.length; i++) {
    const near = advance[i]!;
    // Zoom moves the edges of the frame by half its value.
    const edge = zoom[i]! / 2;
    const max = MAX_GROWTH_FACTOR * Math.abs(near) + MAX_GROWTH_OFFSET;
    rate[i] = Math.abs(near) >= Math.abs(edge) ? near : Math.max(-max, Math.min(max, edge));
  }
  return rate;
}
const MAX_GROWTH_FACTOR = 1.25;
const MAX_GROWTH_OFFSET = 0.03;

/** Assumed speed where a frame changes too much to measure its motion: a still camera does not cause that. */
const UNMEASURED_SPEED = 0.1;

/** True if a frame differs too much from the one before for the motion between them to be measured. */
export function isUnmeasured(s: Signals, i: number): boolean {
  const isZero = s.globalX[i] === 0 && s.globalY[i] === 0 && s.zoom[i] === 0 && s.advance[i] === 0;
  return isZero && s.difference[i]! > LIMITS.unmeasured.limit;
}

/** Frames this far apart share too little of the scene for their motion to be measured, in seconds. */
export const SPARSE_S = 0.4;

/** Usual time between frames in seconds; 0 for a single frame. */
export const frameGapOf = ({ timeS }: Pick<Signals, 'timeS'>): number =>
  timeS.length < 2 ? 0 : median(timeS.subarray(1).map((t, i) => t - timeS[i]!));

/** Duration of a span in seconds. */
export const durationOf = (s: Signals, span: Span) => s.timeS[span.to]! - s.timeS[span.from]!;

/** Spans in which the camera moves. */
export function findMovingSpans(s: Signals, { speed, approach }: CameraSpeed): Span[] {
  const spans = mergeGaps(hysteresis(speed, STATES.moving), s.timeS, LIMITS.stillMin.limit);
  return spans.filter(
    (span) =>
      durationOf(s, span) >= LIMITS.motionMin.limit && netTravel(s, span, approach) >= LIMITS.cameraTravel.limit,
  );
}

/** Net displacement and growth of the frame; motion to and fro cancels out. */
function netTravel(s: Signals, { from, to }: Span, approach: Float64Array): number {
  let [x, y, depth] = [0, 0, 0];
  for (let i = Math.max(1, from); i <= to; i++) {
    const dt = s.timeS[i]! - s.timeS[i - 1]!;
    x += s.globalX[i]! * dt;
    y += s.globalY[i]! * dt;
    depth += approach[i]! * dt + (isUnmeasured(s, i) ? UNMEASURED_SPEED * dt : 0);
  }
  return Math.hypot(x, y) + Math.abs(depth);
}

/** Spans in which the camera stands still. */
export function findStillSpans(s: Signals, speed: CameraSpeed): Span[] {
  return complement(findMovingSpans(s, speed), s.timeS.length).filter(
    (span) => durationOf(s, span) >= LIMITS.stillMin.limit,
  );
}
