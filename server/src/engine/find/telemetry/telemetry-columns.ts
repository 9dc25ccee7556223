import type { Telemetry } from '../../observe/observations.ts';
import { hasMeasure, type Measure } from '../../observe/telemetry/samples.ts';
import type { Quantity } from '../../plan/index.ts';
import { LIMITS } from '../thresholds.ts';
import { indexAt, median, type Span } from '../time/intervals.ts';
import type { FrameTimes, LimitDescriber, Scene } from '../types.ts';

const RADIANS_PER_DEGREE = Math.PI / 180;

/** Quantities of the vehicle that telemetry has; channels are those of a recording, and loudness that of its audio. */
export type VehicleQuantity = Exclude<Quantity, 'channel' | 'loudness'>;

/** Values of a quantity at given times, in SI units; null if the telemetry does not contain it. */
export function quantityAt(quantity: VehicleQuantity, t: Telemetry, times: FrameTimes): Float64Array | null {
  if (quantity === 'speed') return columnAt('speedMps', t, times);
  if (quantity === 'acceleration') return columnAt('accelerationMps2', t, times);
  if (quantity === 'deceleration') return columnAt('accelerationMps2', t, times)?.map((a) => -a) ?? null;
  const yaw = columnAt('yawRateDps', t, times)?.map((rate) => Math.abs(rate) * RADIANS_PER_DEGREE) ?? null;
  if (quantity === 'yaw_rate' || !yaw) return yaw;
  const speed = columnAt('speedMps', t, times);
  return speed && yaw.map((rate, i) => rate * speed[i]!);
}

/** A column at given times: interpolated linearly, NaN across gaps; null if it was never measured. */
export function columnAt(name: Measure, t: Telemetry, { timeS }: FrameTimes): Float64Array | null {
  if (!hasMeasure(t, name)) return null;
  const measured = [...t.timeS.keys()].filter((i) => !Number.isNaN(t[name][i]!));
  const times = Float64Array.from(measured, (i) => t.timeS[i]!);
  const values = Float64Array.from(measured, (i) => t[name][i]!);
  return timeS.map((time) => {
    const i = indexAt(times, time);
    const [before, after] = [times[i], times[i + 1]];
    if (before === undefined || after === undefined) {
      const end = i < 0 ? 0 : i;
      return Math.abs(times[end]! - time) <= t.gapS / 2 ? values[end]! : Number.NaN;
    }
    if (after - before > t.gapS) return Number.NaN;
    return values[i]! + ((values[i + 1]! - values[i]!) * (time - before)) / (after - before);
  });
}

/** Replaces unknown values by -Infinity, which is in no state. */
export const withoutUnknown = (values: Float64Array) =>
  values.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value));

/** Duration of a span in seconds. */
export const durationOf = ({ timeS }: FrameTimes, { from, to }: Span) =>
  timeS[Math.min(to + 1, timeS.length - 1)]! - timeS[from]!;

/** Times at which telemetry is evaluated: those of the frames or, if the frames are too far apart, of the samples. */
export function evaluationTimes(
  telemetry: Telemetry,
  { frames, observations }: { frames: FrameTimes; observations: Pick<Scene['observations'], 'video'> },
): FrameTimes {
  const step = median(frames.timeS.slice(1).map((time, i) => time - frames.timeS[i]!));
  if (frames.timeS.length > 1 && step <= LIMITS.measuredStep.limit) return frames;
  const { timeBase, durationS } = observations.video;
  const timeS = telemetry.timeS.filter((time) => time >= 0 && time <= durationS);
  const first = frames.pts[0] ?? 0;
  return { timeS, pts: timeS.map((time) => first + Math.round((time * timeBase[1]) / timeBase[0])) };
}

const describeSource: LimitDescriber = (_what, { observations: { telemetry } }) =>
  (telemetry?.telemetry?.notes ?? []).map((text) => ({ text }));

/** The share of the time that was measured, if that is not all of it. */
const describeMeasured: LimitDescriber = (_what, part) => {
  const measured = part.observations.telemetry?.telemetry;
  if (!measured) return [];
  const { timeS } = evaluationTimes(measured, part);
  const covered = timeS.reduce((count, time) => count + (isCovered(measured, time) ? 1 : 0), 0);
  const share = timeS.length > 0 ? covered / timeS.length : 0;
  return share < LIMITS.measuredShare.limit
    ? [{ text: `telemetry covers ${Math.round(share * 100)} % of the time` }]
    : [];
};

/** Limits of what is measured. */
export const TELEMETRY_LIMITS: readonly LimitDescriber[] = [describeSource, describeMeasured];

function isCovered(t: Telemetry, time: number): boolean {
  const i = indexAt(t.timeS, time);
  return (
    Math.min(
      Math.abs((t.timeS[i] ?? Number.NEGATIVE_INFINITY) - time),
      Math.abs((t.timeS[i + 1] ?? Number.POSITIVE_INFINITY) - time),
    ) <= t.gapS
  );
}
