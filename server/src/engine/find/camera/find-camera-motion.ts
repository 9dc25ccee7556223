import type { Signals } from '../../observe/observations.ts';
import type { CameraTarget } from '../../plan/index.ts';
import { round } from '../format.ts';
import { limitsOf } from '../limits/index.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { hysteresis, mergeGaps, type Span, smooth } from '../time/intervals.ts';
import { type SignalInterval, toSignalMatches } from '../time/signal-intervals.ts';
import type { LimitDescriber, Scene, StepResult } from '../types.ts';
import { findBraking } from './braking.ts';
import {
  approachRate,
  type CameraSpeed,
  durationOf,
  findMovingSpans,
  findStillSpans,
  frameGapOf,
  measureCameraSpeed,
  SPARSE_S,
} from './camera-speed.ts';
import { findJolts } from './jolts.ts';
import { integrate, toInterval } from './rate-intervals.ts';
import { findPans, findRolls } from './rotation.ts';

/** Finds motion of the camera, derived from the motion of the whole frame. */
export function findCameraMotion({ hard, ...what }: CameraTarget, scene: Scene): StepResult {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'frame signals are not available for this video' };
  if (what.move === 'jolts' && frameGapOf(signals) >= SPARSE_S) return { unavailable: describeGap(signals) };
  return {
    matches: toSignalMatches(what, FINDERS[what.move](signals, what), scene),
    by: ['signals (motion of the whole frame)'],
    limits: limitsOf(CAMERA_LIMITS, { ...what, ...(hard ? { hard } : {}) }),
    frames: scene.frames,
  };
}

/** Moves whose direction or extent has to be followed from frame to frame. */
const DIRECTED: ReadonlySet<CameraTarget['move']> = new Set(['turns', 'pans', 'tilts', 'rolls', 'zooms']);

const describeRule: LimitDescriber<CameraTarget> = ({ move, hard }) => {
  const note = NOTES[move];
  return [
    ...(note ? [{ text: note, doubts: 'slightly' } as const] : []),
    ...(move === 'jolts' ? [{ text: CONTACT, doubts: 'decides' } as const] : []),
    ...(hard ? [{ text: NEEDS_TELEMETRY, doubts: 'decides' } as const] : []),
  ];
};

const describeSparseFrames: LimitDescriber<CameraTarget> = ({ move }, { observations: { signals } }) => {
  if (!signals || !DIRECTED.has(move) || frameGapOf(signals) < SPARSE_S) return [];
  return [{ text: describeGap(signals), doubts: 'decides' }];
};

const CAMERA_LIMITS: readonly LimitDescriber<CameraTarget>[] = [describeRule, describeSparseFrames];

const describeGap = (signals: Signals) =>
  `frames are ${round(frameGapOf(signals), 1)} s apart, too far to follow a turn or jolt of the camera`;

const CONTACT =
  'contact is looked for as a jolt or a sudden stop of the recording vehicle: potholes look alike, and a light touch is not found';
const NEEDS_TELEMETRY = 'the intensity cannot be measured in the frames: that needs telemetry';
const NOTES: Partial<Record<CameraTarget['move'], string>> = {
  turns: 'a turn is detected as a long pan',
  zooms: 'parallax distinguishes zooming in from driving forward; in a flat scene they look the same',
  forward: 'driving forward and zooming in look the same',
  backward: 'driving backward and zooming out look the same',
  brakes: 'braking is detected if forward motion nearly stops: lighter braking is not detected',
};

type CameraFinder = (s: Signals, what: CameraTarget) => SignalInterval[];

const FINDERS: Record<CameraTarget['move'], CameraFinder> = {
  moves: (s) => findBySpeed(s, findMovingSpans),
  still: (s) => findBySpeed(s, findStillSpans),
  pans: (s, what) => findPans(s, what, 'x', STATES.pan, LIMITS.panAngle.limit, LIMITS.panMin.limit),
  tilts: (s, what) => findPans(s, what, 'y', STATES.pan, LIMITS.panAngle.limit, LIMITS.panMin.limit),
  turns: (s, what) => findPans(s, what, 'x', STATES.turn, LIMITS.turnTravel.limit, LIMITS.stateMin.limit),
  zooms: (s, { direction, move }) =>
    findDepthMotion(s, direction === 'out' ? ['out'] : direction === 'in' ? ['in'] : ['in', 'out'], STATES.zoom, move),
  rolls: findRolls,
  forward: (s) => findDepthMotion(s, ['in'], STATES.forward, 'forward'),
  backward: (s) => findDepthMotion(s, ['out'], STATES.forward, 'backward'),
  stops: (s) => startsOf(findBySpeed(s, findStillSpans)),
  starts: (s) => startsOf(findBySpeed(s, findMovingSpans)),
  brakes: findBraking,
  jolts: findJolts,
};

function findBySpeed(s: Signals, findSpans: (s: Signals, speed: CameraSpeed) => Span[]): SignalInterval[] {
  const speed = measureCameraSpeed(s);
  return findSpans(s, speed).map((span) => toInterval(s, span, speed.speed, STATES.moving, 'motion of the frame'));
}

/** Intervals that start in the video, with their first frame as the best. */
const startsOf = (intervals: readonly SignalInterval[]) =>
  intervals.filter(({ from }) => from > 0).map((interval): SignalInterval => ({ ...interval, best: interval.from }));

/** Zooms, and motion forward or backward. */
function findDepthMotion(
  s: Signals,
  directions: readonly ('in' | 'out')[],
  threshold: { enter: number; leave: number; unit: string },
  move: CameraTarget['move'],
): SignalInterval[] {
  const isZoom = move === 'zooms';
  const growth = smooth(isZoom ? s.zoom : approachRate(s), s.timeS, LIMITS.smoothing.limit);
  return directions
    .flatMap((direction) => {
      const rate = growth.map((v) => (direction === 'in' ? v : -v));
      const name = direction === 'in' ? 'growth of the frame content' : 'shrinking of the frame content';
      return mergeGaps(hysteresis(rate, threshold), s.timeS, 0.5)
        .filter((span) => durationOf(s, span) >= LIMITS.stateMin.limit)
        .filter((span) => (isZoom ? !hasParallax(s, span) : integrate(rate, s, span) >= LIMITS.cameraTravel.limit))
        .map((span) => ({
          ...toInterval(s, span, rate, threshold, name),
          what: { kind: 'camera' as const, move, direction: isZoom ? direction : null },
        }));
    })
    .toSorted((a, b) => a.from - b.from);
}

/**
 * True if near parts of the scene move more than far ones, as when the camera moves forward. A zoom has no parallax.
 */
function hasParallax(s: Signals, { from, to }: Span): boolean {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += s.localMotion[i]!;
  return sum / (to - from + 1) > LIMITS.parallax.limit;
}
