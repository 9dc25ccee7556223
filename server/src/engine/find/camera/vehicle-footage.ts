import type { Observations, Signals } from '../../observe/observations.ts';
import { hasMeasure } from '../../observe/telemetry/samples.ts';
import { LIMITS } from '../thresholds.ts';
import { smooth } from '../time/intervals.ts';
import { approachRate } from './camera-speed.ts';

/**
 * True if a video was recorded from a moving vehicle. Measured speed decides if there is any; otherwise the motion of
 * the whole frame: the scene keeps coming closer. A camera that pans, is held by hand or watches a place has no such
 * motion; a walk with a stabilized camera and without telemetry looks like a drive.
 */
export function isVehicleFootage({ telemetry, signals }: Pick<Observations, 'telemetry' | 'signals'>): boolean {
  const measured = telemetry?.telemetry;
  if (measured && hasMeasure(measured, 'speedMps'))
    return measured.speedMps.some((speed) => speed >= LIMITS.vehicleSpeed.limit);
  return signals !== undefined && signals !== null && isDrivingForward(signals);
}

function isDrivingForward(s: Signals): boolean {
  const rate = smooth(approachRate(s), s.timeS, LIMITS.smoothing.limit);
  let [ahead, back, travel, local] = [0, 0, 0, 0];
  for (let i = 1; i < rate.length; i++) {
    const dt = s.timeS[i]! - s.timeS[i - 1]!;
    if (rate[i]! >= LIMITS.driveRate.limit) {
      ahead += dt;
      travel += rate[i]! * dt;
      local += s.localMotion[i]! * dt;
    } else if (rate[i]! <= -LIMITS.driveRate.limit) back += dt;
  }
  const durationS = (s.timeS.at(-1) ?? 0) - (s.timeS[0] ?? 0);
  return (
    ahead >= LIMITS.driveMin.limit &&
    ahead >= LIMITS.driveShare.limit * durationS &&
    ahead >= DOMINANCE * back &&
    travel >= LIMITS.cameraTravel.limit &&
    local >= LIMITS.parallax.limit * ahead
  );
}

/** Least ratio of time ahead to time back: a vehicle may reverse, a hand goes to and fro. */
const DOMINANCE = 3;
