import type { Signals } from '../../observe/observations.ts';
import type { CameraTarget } from '../../plan/index.ts';
import { round } from '../format.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { hysteresis, mergeGaps, smooth } from '../time/intervals.ts';
import type { SignalInterval } from '../time/signal-intervals.ts';
import { durationOf } from './camera-speed.ts';
import { integrate, toInterval } from './rate-intervals.ts';

const FRAME_SIDES = { left: 'right', right: 'left', up: 'bottom', down: 'top' } as const;

/** Pans, tilts and turns. The content of the frame moves in the opposite direction. */
export function findPans(
  s: Signals,
  what: CameraTarget,
  axis: 'x' | 'y',
  threshold: { enter: number; leave: number; unit: string },
  minTravel: number,
  minS: number,
): SignalInterval[] {
  const motion = smooth(axis === 'x' ? s.globalX : s.globalY, s.timeS, LIMITS.smoothing.limit);
  // Panning right moves the content left; tilting up moves it down.
  const directions =
    axis === 'x'
      ? ([
          ['right', -1],
          ['left', 1],
        ] as const)
      : ([
          ['up', 1],
          ['down', -1],
        ] as const);
  return directions
    .filter(([name]) => what.direction === null || what.direction === name)
    .flatMap(([name, sign]) => {
      const speed = motion.map((v) => v * sign);
      return mergeGaps(hysteresis(speed, threshold), s.timeS, 0.3).flatMap((span): SignalInterval[] => {
        const travel = integrate(speed, s, span);
        if (travel < minTravel || durationOf(s, span) < minS) return [];
        const interval = toInterval(s, span, speed, threshold, `motion of the frame to the ${FRAME_SIDES[name]}`);
        const unit = axis === 'x' ? 'widths' : 'heights';
        const reason = `${interval.reason}, ${round(travel)} frame ${unit} in all`;
        return [{ ...interval, margin: travel / minTravel - 1, reason, what: { ...what, direction: name } }];
      });
    })
    .toSorted((a, b) => a.from - b.from);
}

/** Rolls. A camera that rolls to the right turns its frame to the left. */
export function findRolls(s: Signals, what: CameraTarget): SignalInterval[] {
  const motion = smooth(s.roll, s.timeS, LIMITS.smoothing.limit);
  return (['left', 'right'] as const)
    .filter((direction) => what.direction === null || what.direction === direction)
    .flatMap((direction) => {
      const rate = motion.map((v) => (direction === 'left' ? v : -v) / RADIANS_PER_DEGREE);
      return mergeGaps(hysteresis(rate, STATES.roll), s.timeS, 0.3).flatMap((span): SignalInterval[] => {
        const angle = integrate(rate, s, span);
        if (angle < LIMITS.rollAngle.limit || durationOf(s, span) < LIMITS.panMin.limit) return [];
        const interval = toInterval(s, span, rate, STATES.roll, 'rotation of the frame');
        const reason = `${interval.reason}, ${round(angle, 0)} degrees in all`;
        return [{ ...interval, margin: angle / LIMITS.rollAngle.limit - 1, reason, what: { ...what, direction } }];
      });
    })
    .toSorted((a, b) => a.from - b.from);
}
const RADIANS_PER_DEGREE = Math.PI / 180;
