import type { Observations, Signals } from '../../observe/observations.ts';
import { hasMeasure } from '../../observe/telemetry/samples.ts';
import { LIMITS } from '../thresholds.ts';
import { smooth } from '../time/intervals.ts';
import { approachRate, frameGapOf, isUnmeasured, SPARSE_S } from './camera-speed.ts';

/** Where a video was recorded: from a moving vehicle or not, or unknown where its frames do not show that. */
export type FootageKind = 'drive' | 'other' | 'unknown';

/**
 * Determines whether a video was recorded from a moving vehicle. Measured speed decides if there is any; otherwise the
 * motion of the whole frame: the scene keeps coming closer. A camera that pans, is held by hand or watches a place has
 * no such motion; a walk with a stabilized camera and without telemetry looks like a drive. Where frames change too
 * much for their motion to be measured, as in a drive with a frame every second, the kind is unknown.
 */
export function kindOfFootage({ telemetry, signals }: Pick<Observations, 'telemetry' | 'signals'>): FootageKind {
  const measured = telemetry?.telemetry;
  if (measured && hasMeasure(measured, 'speedMps'))
    return measured.speedMps.some((speed) => speed >= LIMITS.vehicleSpeed.limit) ? 'drive' : 'other';
  if (!signals) return 'other';
  if (isDrivingForward(signals)) return 'drive';
  return isMotionUnknown(signals) ? 'unknown' : 'other';
}

/** True if the motion between frames is not known for as much of the time as a drive has to move. */
function isMotionUnknown(s: Signals): boolean {
  let unknown = 0;
  for (let i = 1; i < s.timeS.length; i++) if (isUnmeasured(s, i)) unknown++;
  return frameGapOf(s) >= SPARSE_S && unknown >= LIMITS.driveShare.limit * s.timeS.length;
}

/** Reason why it is not certain that a video was recorded from a moving vehicle; null if it is certain. */
export function whyNotDrive(kind: FootageKind): string | null {
  if (kind === 'drive') return null;
  return kind === 'other'
    ? 'the video was not recorded from a moving vehicle'
    : 'it is not known whether a moving vehicle carries the camera: its frames are too far apart to tell';
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
