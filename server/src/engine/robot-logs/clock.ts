/** A range without frames, by the common clock. */
export type FrameGap = { startNs: bigint; endNs: bigint };

/** Summary of a camera's clock. */
export type ClockReport = {
  /**
   * Rate of the camera's clock relative to the recorder's in millionths; null without timestamps or in short
   * recordings.
   */
  driftPpm: number | null;
  /** Number of times that the camera's clock was set; the recorder's clock is used there. */
  steps: number;
  /** Number of frames that were left out because they are not later than the previous one. */
  backwards: number;
  gaps: FrameGap[];
};

/**
 * Timestamps before 1973 count from the start of the device and are moved to the recorder's clock, as are those this
 * far in the future of a recorder that knows the date.
 */
const EPOCH_NS = 100_000_000_000_000_000n;
const AHEAD_NS = 86_400_000_000_000n;
/** Maximum difference of the two clocks between frames due to queues and networks; beyond it one of them was set. */
const STEP_NS = 10_000_000_000n;
/** Minimum distance of frames: timestamps of videos count in 1/90,000 s. */
const MIN_NS = 11_112n;
/** Minimum length of a gap, absolute and in median frame distances. */
const GAP_NS = 500_000_000n;
const GAP_STEPS = 3;
/** Minimum duration to estimate a drift among network delays of milliseconds. */
const DRIFT_LEAST_S = 10;
/** Maximum number of frame distances for the median. */
const MAX_DISTANCES = 10_000;
const MAX_GAPS = 1_000;

/**
 * Maps frames to the common clock: by the camera's timestamps if it has any, otherwise by the recorder's. Frame rates,
 * gaps and drift are preserved. A clock that was set does not cause a jump.
 */
export function createClock() {
  let shift: bigint | null = null;
  let last: { placed: bigint; stamp: bigint; log: bigint } | null = null;
  let [steps, backwards] = [0, 0];
  const distances: number[] = [];
  const wide: FrameGap[] = [];
  const fit = createFit();

  function place(stampNs: bigint | null, logNs: bigint): bigint {
    if (stampNs === null) return logNs;
    const aheadNs = stampNs - logNs;
    const isWrong = (stampNs < EPOCH_NS && abs(aheadNs) > STEP_NS) || (logNs >= EPOCH_NS && aheadNs > AHEAD_NS);
    shift ??= isWrong ? -aheadNs : 0n;
    if (last && abs(stampNs - last.stamp - (logNs - last.log)) > STEP_NS) {
      steps++;
      fit.restart();
      shift = last.placed + (logNs - last.log) - stampNs;
    }
    fit.add(logNs, stampNs);
    return stampNs + shift;
  }

  return {
    /** Time of a frame by the common clock; null if it is not later than the previous one and is left out. */
    at(stampNs: bigint | null, logNs: bigint): bigint | null {
      const placed = place(stampNs, logNs);
      if (last && placed < last.placed + MIN_NS) {
        backwards++;
        return null;
      }
      if (last) {
        const distance = Number(placed - last.placed);
        if (distances.length < MAX_DISTANCES) distances.push(distance);
        if (placed - last.placed >= GAP_NS && wide.length < MAX_GAPS)
          wide.push({ startNs: last.placed, endNs: placed });
      }
      last = { placed, stamp: stampNs ?? logNs, log: logNs };
      return placed;
    },
    report(): ClockReport {
      const usual = distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0;
      const gaps = wide.filter(({ startNs, endNs }) => Number(endNs - startNs) >= GAP_STEPS * usual);
      return { driftPpm: fit.slope(), steps, backwards, gaps };
    },
    get lastNs() {
      return last?.placed ?? null;
    },
  };
}

/** Linear fit of the camera clock's lead over the recorder's time. */
function createFit() {
  let origin: { log: bigint; stamp: bigint } | null = null;
  let [n, sx, sy, sxx, sxy, longest] = [0, 0, 0, 0, 0, 0];
  return {
    restart() {
      origin = null;
      [n, sx, sy, sxx, sxy, longest] = [0, 0, 0, 0, 0, 0];
    },
    add(log: bigint, stamp: bigint) {
      origin ??= { log, stamp };
      const x = Number(log - origin.log) / 1e9;
      const y = Number(stamp - origin.stamp - (log - origin.log)) / 1e9;
      n++;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
      longest = Math.max(longest, x);
    },
    slope(): number | null {
      const spread = n * sxx - sx * sx;
      if (longest < DRIFT_LEAST_S || spread <= 0) return null;
      return Math.round(((n * sxy - sx * sy) / spread) * 1e7) / 10;
    },
  };
}

const abs = (value: bigint) => (value < 0n ? -value : value);
