import type { CameraTarget, LightTarget } from '../../plan/index.ts';
import { findCameraMotion, whyNotDrive } from '../camera/index.ts';
import { UNCHECKED_FACTOR } from '../confidence.ts';
import { findVehicleMotion } from '../telemetry/index.ts';
import type { IntervalMatch, Limit, Scene } from '../types.ts';
import { type Lit, litConfidence, litIntervals, toTrackEvidence } from './lights.ts';

/** A light whose color is unknown for the last seconds of its track may have changed. */
const STILL_LIT_S = 1;
/** Time around the moment at which a light leaves the frame in which the vehicle has to move, in seconds. */
const AROUND_S = 0.5;
/** A light that leaves the frame may apply to another lane, or hang beyond the stop line. */
const RUN_CONFIDENCE = 0.3;
/** Standing where no lit lamp is recognized, if lights were recognized elsewhere: most likely for another reason. */
const ELSEWHERE_FACTOR = 0.5;

export const NEVER_CERTAIN =
  'a red light that leaves the frame while the vehicle moves is only a candidate: which lane it applies to, and where the stop line is, are not recognized';
const UNCONFIRMED = 'no lit lamp was recognized meanwhile, so it is not confirmed that this was at a red light';
const NEVER_MOVES = 'the camera never moves, so it is not known whether a vehicle carries it';

/** Finds motion of the recording vehicle, by its telemetry or by the motion of the frame. */
function vehicleMotion(move: CameraTarget['move'], scene: Scene): { matches: IntervalMatch[]; by: string[] } {
  const what: CameraTarget = { kind: 'camera', move, direction: null };
  const found = findVehicleMotion(what, scene) ?? findCameraMotion(what, scene);
  return 'unavailable' in found ? { matches: [], by: [] } : found;
}

/**
 * Standstills of the recording vehicle at a light of the color. Between readings, the light is taken to stay as it is.
 * `presumed`: where no lamp is recognized at all, any standstill counts, with less confidence.
 */
export function findWaits(
  what: LightTarget,
  scene: Scene,
): { matches: IntervalMatch[]; limits: Limit[]; by: string[]; isComplete: boolean } {
  const lit = litIntervals(scene);
  const { matches: stops, by } = vehicleMotion('still', scene);
  const waits = stops.map((stop) => {
    const seen = lit.filter(({ startS, endS }) => startS <= stop.end.timeS && endS >= stop.start.timeS);
    return { stop, isUnknown: seen.length === 0, wait: confirmWait(what, stop, seen, scene) };
  });
  const confirmed = waits.flatMap(({ wait }) => wait ?? []);
  const factor = what.presumed && confirmed.length === 0 ? UNCHECKED_FACTOR : ELSEWHERE_FACTOR;
  const unconfirmed = waits
    .filter(({ isUnknown }) => isUnknown)
    .map(({ stop }) => ({ ...stop, what, confidence: stop.confidence * factor, caveats: [UNCONFIRMED] }));
  const kind = scene.footageKind();
  const doubt = kind === 'other' ? NEVER_MOVES : whyNotDrive(kind);
  return {
    matches: [...confirmed, ...unconfirmed],
    limits: doubt === null ? [] : [{ text: doubt, doubts: 'decides' }],
    by,
    isComplete: stops.length === 0,
  };
}

/** The part of a standstill in which the light shows the color; null if it is not seen to. */
function confirmWait(what: LightTarget, stop: IntervalMatch, seen: readonly Lit[], scene: Scene): IntervalMatch | null {
  const own = seen.filter(({ color }) => what.color === null || color === what.color);
  const [first] = own;
  if (!first) return null;
  const last = own.reduce((a, b) => (b.endS > a.endS ? b : a));
  const start = first.before ? Math.max(stop.start.timeS, first.startS) : stop.start.timeS;
  const end = last.after ? Math.min(stop.end.timeS, last.endS) : stop.end.timeS;
  if (end <= start) return null;
  return {
    ...stop,
    what,
    start: scene.frameTimeAt(start),
    end: scene.frameTimeAt(end),
    best: scene.frameTimeAt(Math.max(start, Math.min(end, first.startS))),
    confidence: stop.confidence * Math.max(...own.map(litConfidence)),
    tracks: [toTrackEvidence(first.view, start, end)],
    reasons: [...stop.reasons, `${first.color} lamp of traffic light ${first.view.track.id}`],
  };
}

/** Lights of the color that leave the frame while the vehicle moves. */
export function findRuns(what: LightTarget, scene: Scene): IntervalMatch[] {
  const moving = vehicleMotion('moves', scene).matches;
  return litIntervals(scene).flatMap((lit): IntervalMatch[] => {
    const { view, color, startS, endS, after } = lit;
    if ((what.color !== null && color !== what.color) || after || !view.track.leftTo) return [];
    const isMoving = moving.some(
      ({ start, end }) => start.timeS <= view.endS - AROUND_S && end.timeS >= view.endS + AROUND_S,
    );
    if (view.endS - endS > STILL_LIT_S || !isMoving) return [];
    return [
      {
        what: { ...what, color },
        negated: false,
        signals: [],
        stepMatches: [],
        presences: [],
        start: scene.frameTimeAt(Math.max(startS, view.endS - STILL_LIT_S)),
        end: scene.frameTimeAt(view.endS),
        best: scene.frameTimeAt(endS),
        confidence: RUN_CONFIDENCE * litConfidence(lit),
        tracks: [toTrackEvidence(view, startS, endS)],
        reasons: [`traffic light ${view.track.id} leaves the frame with its ${color} lamp lit while the vehicle moves`],
      },
    ];
  });
}
