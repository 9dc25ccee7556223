import type { Telemetry } from '../../observe/observations.ts';
import type { CameraTarget } from '../../plan/index.ts';
import { round } from '../format.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { hysteresis, mergeGaps, runs, type Span } from '../time/intervals.ts';
import type { SignalInterval } from '../time/signal-intervals.ts';
import type { FrameTimes, Scene, StepResult } from '../types.ts';
import { toMeasuredInterval, toStepResult } from './measured-intervals.ts';
import { columnAt, durationOf, evaluationTimes, quantityAt, withoutUnknown } from './telemetry-columns.ts';

/**
 * Finds motion of the vehicle in its telemetry, which is more reliable than the motion of the frame. Returns null if
 * the telemetry cannot show it: pans, tilts and zooms are motions of the camera, and a speed has no direction.
 */
export function findVehicleMotion(what: CameraTarget, scene: Scene): StepResult | null {
  const telemetry = scene.observations.telemetry?.telemetry;
  if (!telemetry) return null;
  const times = evaluationTimes(telemetry, scene);
  const intervals = FINDERS[what.move]?.(telemetry, times, what);
  const result = intervals ? toStepResult(what, intervals, telemetry, times, scene) : null;
  if (what.move !== 'jolts' || result === null || 'unavailable' in result) return result;
  return { ...result, limits: (part) => [...result.limits(part), { text: IMPACT, doubts: 'decides' }] };
}

const IMPACT = 'contact is looked for as a stop harder than full braking: a light touch is not found';

type VehicleFinder = (t: Telemetry, times: FrameTimes, what: CameraTarget) => SignalInterval[] | null;

const FINDERS: Partial<Record<CameraTarget['move'], VehicleFinder>> = {
  moves: (t, times) => findDriving(t, times)?.moving ?? null,
  forward: (t, times) => findDriving(t, times)?.moving ?? null,
  still: (t, times) => findDriving(t, times)?.still ?? null,
  stops: (t, times) => startsOf(findDriving(t, times)?.still),
  starts: (t, times) => startsOf(findDriving(t, times)?.moving),
  brakes: findBraking,
  turns: findTurns,
  jolts: findImpacts,
};

/** States that start in the video; one that is present in the first frame started before. */
const startsOf = (states: SignalInterval[] | undefined) =>
  states?.filter(({ from }) => from > 0).map((state) => ({ ...state, best: state.from })) ?? null;

export function findDriving(
  t: Telemetry,
  times: FrameTimes,
): { moving: SignalInterval[]; still: SignalInterval[] } | null {
  const speed = columnAt('speedMps', t, times);
  if (!speed) return null;
  const { enter: limit, unit } = STATES.driving;
  const toInterval = (span: Span, falling: boolean) =>
    toMeasuredInterval(speed, times, span, { name: 'speed', unit, limit, noise: 0.5, falling });
  const moving = mergeGaps(hysteresis(withoutUnknown(speed), STATES.driving), times.timeS, LIMITS.stillMin.limit);
  const isMoving = new Uint8Array(speed.length);
  for (const { from, to } of moving) isMoving.fill(1, from, to + 1);
  const still = runs(speed.length, (i) => isMoving[i] === 0 && !Number.isNaN(speed[i]!));
  const isLongEnough = (span: Span) => durationOf(times, span) >= LIMITS.stillMin.limit;
  return {
    moving: moving.filter(isLongEnough).map((span) => toInterval(span, false)),
    still: still.filter(isLongEnough).map((span) => toInterval(span, true)),
  };
}

export function findBraking(t: Telemetry, times: FrameTimes, { hard = false }: CameraTarget): SignalInterval[] | null {
  const deceleration = quantityAt('deceleration', t, times);
  if (!deceleration) return null;
  const threshold = hard ? STATES.hardBraking : STATES.braking;
  const rule = { name: 'deceleration', unit: threshold.unit, limit: threshold.enter, noise: 0.4, falling: false };
  return mergeGaps(hysteresis(withoutUnknown(deceleration), threshold), times.timeS, LIMITS.measuredGap.limit)
    .filter((span) => durationOf(times, span) >= LIMITS.measuredMin.limit)
    .map((span) => toMeasuredInterval(deceleration, times, span, rule));
}

/** Deceleration that brakes hardly reach. */
function findImpacts(t: Telemetry, times: FrameTimes): SignalInterval[] | null {
  const deceleration = quantityAt('deceleration', t, times);
  if (!deceleration) return null;
  const { enter: limit, unit } = STATES.impact;
  const rule = { name: 'deceleration', unit, limit, noise: 2, falling: false };
  return mergeGaps(hysteresis(withoutUnknown(deceleration), STATES.impact), times.timeS, LIMITS.measuredGap.limit).map(
    (span) => toMeasuredInterval(deceleration, times, span, rule),
  );
}

/** Turns need a minimum angle: changing lane has the same yaw rate as a wide bend. */
export function findTurns(t: Telemetry, times: FrameTimes, what: CameraTarget): SignalInterval[] | null {
  const yaw = columnAt('yawRateDps', t, times);
  if (!yaw) return null;
  const { enter: limit, unit } = STATES.turning;
  return (['left', 'right'] as const)
    .filter((direction) => what.direction === null || what.direction === direction)
    .flatMap((direction) => {
      const rate = withoutUnknown(yaw.map((value) => (direction === 'left' ? value : -value)));
      const rule = { name: `yaw rate to the ${direction}`, unit, limit, noise: 4, falling: false };
      return mergeGaps(hysteresis(rate, STATES.turning), times.timeS, LIMITS.measuredGap.limit).flatMap((span) => {
        let angle = 0;
        for (let i = span.from + 1; i <= span.to; i++) angle += rate[i]! * (times.timeS[i]! - times.timeS[i - 1]!);
        const max = Math.max(...rate.subarray(span.from, span.to + 1));
        if (!(angle >= LIMITS.turnAngle.limit) || (what.hard && max < LIMITS.sharpTurn.limit)) return [];
        const interval = toMeasuredInterval(rate, times, span, rule);
        const reason = `${interval.reason}, ${round(angle, 0)} degrees in all`;
        return [{ ...interval, reason, what: { ...what, direction } }];
      });
    })
    .toSorted((a, b) => a.from - b.from);
}
