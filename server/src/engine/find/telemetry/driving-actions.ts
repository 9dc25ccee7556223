import type { Telemetry } from '../../observe/observations.ts';
import type { CameraTarget } from '../../plan/index.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { hysteresis, mergeGaps, type Span } from '../time/intervals.ts';
import type { FrameTimes } from '../types.ts';
import { findBraking, findDriving, findTurns } from './find-vehicle-motion.ts';
import { columnAt, durationOf, quantityAt, withoutUnknown } from './telemetry-columns.ts';

type Longitudinal = 'stopped' | 'driving' | 'accelerating' | 'braking' | 'braking_hard';
type Lateral = 'straight' | 'left' | 'right';

/** One action of a vehicle; times are seconds from the first frame. */
export type DrivingAction = {
  startS: number;
  endS: number;
  /** Null if neither speed nor acceleration was measured. */
  longitudinal: Longitudinal | null;
  /** Null while the vehicle is stopped, and without a yaw rate. */
  lateral: Lateral | null;
  /** Mean speed; null if it was not measured. */
  speedMps: number | null;
};

const brakes = (hard: boolean): CameraTarget => ({ kind: 'camera', move: 'brakes', direction: null, hard });
const turns = (direction: 'left' | 'right'): CameraTarget => ({ kind: 'camera', move: 'turns', direction });

/**
 * Actions of a vehicle in order of time, by the thresholds of the prompts about them: each lasts until one of its parts
 * changes. Times without measurements are in no action.
 */
export function listDrivingActions(t: Telemetry): DrivingAction[] {
  const times = { timeS: t.timeS, pts: t.timeS };
  const speed = columnAt('speedMps', t, times);
  const longitudinal = listLongitudinal(t, times);
  const lateral = listLateral(t, times).map((value, i) => (longitudinal[i] === 'stopped' ? null : value));
  const isGap = (i: number) => t.timeS[i]! - t.timeS[i - 1]! > t.gapS;
  const isSame = (i: number) => longitudinal[i] === longitudinal[i - 1] && lateral[i] === lateral[i - 1];

  const actions: DrivingAction[] = [];
  for (let from = 0, i = 1; i <= t.timeS.length; i++) {
    const isEnd = i === t.timeS.length || isGap(i);
    if (!isEnd && isSame(i)) continue;
    const [startS, endS] = [t.timeS[from]!, t.timeS[isEnd ? i - 1 : i]!];
    const parts = { longitudinal: longitudinal[from]!, lateral: lateral[from]! };
    if (endS > startS && (parts.longitudinal || parts.lateral))
      actions.push({ startS, endS, ...parts, speedMps: speed && meanOf(speed.subarray(from, i)) });
    from = i;
  }
  return actions;
}

function listLongitudinal(t: Telemetry, times: FrameTimes): (Longitudinal | null)[] {
  const states = new Array<Longitudinal | null>(t.timeS.length).fill(null);
  const fill = (spans: readonly Span[] | null | undefined, state: Longitudinal) => {
    for (const { from, to } of spans ?? []) states.fill(state, from, to + 1);
  };
  const driving = findDriving(t, times);
  fill(driving?.moving, 'driving');
  fill(findAccelerating(t, times), 'accelerating');
  fill(findBraking(t, times, brakes(false)), 'braking');
  fill(findBraking(t, times, brakes(true)), 'braking_hard');
  fill(driving?.still, 'stopped');
  return states;
}

function findAccelerating(t: Telemetry, times: FrameTimes): Span[] | null {
  const acceleration = quantityAt('acceleration', t, times);
  if (!acceleration) return null;
  const spans = hysteresis(withoutUnknown(acceleration), STATES.accelerating);
  return mergeGaps(spans, times.timeS, LIMITS.measuredGap.limit).filter(
    (span) => durationOf(times, span) >= LIMITS.measuredMin.limit,
  );
}

function listLateral(t: Telemetry, times: FrameTimes): (Lateral | null)[] {
  const yaw = columnAt('yawRateDps', t, times);
  const states = Array.from(times.timeS, (_, i): Lateral | null => (yaw && !Number.isNaN(yaw[i]!) ? 'straight' : null));
  for (const direction of ['left', 'right'] as const)
    for (const { from, to } of findTurns(t, times, turns(direction)) ?? []) states.fill(direction, from, to + 1);
  return states;
}

function meanOf(values: Float64Array): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}
