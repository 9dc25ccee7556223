import type { TelemetryReading } from '../../observe/observations.ts';
import type { Target } from '../../plan/index.ts';
import { findLoudness } from '../sound/index.ts';
import { LIMITS } from '../thresholds.ts';
import { mergeGaps, runs } from '../time/intervals.ts';
import type { Scene, StepResult } from '../types.ts';
import { findChannel } from './find-channel.ts';
import { toMeasuredInterval, toStepResult } from './measured-intervals.ts';
import { durationOf, evaluationTimes, quantityAt, type VehicleQuantity } from './telemetry-columns.ts';

const NOT_READ: TelemetryReading = { telemetry: null, reason: 'telemetry has not been read for this video yet' };

type QuantityTarget = Extract<Target, { kind: 'quantity' }>;

/** Finds intervals in which a measured quantity is in a range. Quantities are never estimated from frames. */
export function findQuantity(what: QuantityTarget, scene: Scene): StepResult {
  const { channel, quantity } = what;
  if (channel) return findChannel({ ...what, channel }, scene);
  if (quantity === 'channel') return { unavailable: 'no channel is named' };
  if (quantity === 'loudness') return findLoudness(what, scene);
  const name = quantity.replaceAll('_', ' ');
  const { telemetry, reason } = scene.observations.telemetry ?? NOT_READ;
  if (!telemetry) {
    const cause = reason ?? 'the video has no telemetry';
    return { unavailable: `${cause}, and ${name} cannot be measured in the frames` };
  }
  const times = evaluationTimes(telemetry, scene);
  const values = quantityAt(quantity, telemetry, times);
  if (!values) return { unavailable: `the telemetry of this video (${telemetry.source}) does not contain ${name}` };
  const { unit, noise } = QUANTITIES[quantity];
  const { min, max } = what.range;
  const inRange = runs(
    values.length,
    // Without limits, all the time that it is measured.
    (i) => values[i]! >= (min ?? (max === null ? Number.NEGATIVE_INFINITY : 0)) && values[i]! <= (max ?? Infinity),
  );
  const falling = min === null;
  const intervals = mergeGaps(inRange, times.timeS, LIMITS.measuredGap.limit)
    .filter((span) => durationOf(times, span) >= LIMITS.measuredMin.limit)
    .map((span) => toMeasuredInterval(values, times, span, { name, unit, limit: min ?? max ?? 0, noise, falling }));
  return toStepResult(what, intervals, telemetry, times, scene);
}

/** Units, and the error of a good receiver. */
const QUANTITIES: Record<VehicleQuantity, { unit: string; noise: number }> = {
  speed: { unit: 'm/s', noise: 0.5 },
  acceleration: { unit: 'm/s²', noise: 0.4 },
  deceleration: { unit: 'm/s²', noise: 0.4 },
  lateral_acceleration: { unit: 'm/s²', noise: 0.5 },
  yaw_rate: { unit: 'rad/s', noise: 0.03 },
};
