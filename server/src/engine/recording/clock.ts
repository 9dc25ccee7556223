/** A stretch without frames, by the common clock. */
export type Gap = { startNs: bigint; endNs: bigint };

/** What a camera's stamps told of its clock. */
export type ClockReport = {
  /** How much faster the camera's clock ran than the recorder's, in millionths; null without stamps, or where the recording is too short to tell. */
  driftPpm: number | null;
  /** Times that the camera's clock was set while it recorded; its frames are placed by the recorder's clock there. */
  steps: number;
  /** Frames left out because they are not later than the one before. */
  backwards: number;
  gaps: Gap[];
};

/** Stamps before 1973 count from when the device started: they are placed on the recorder's clock. So are those that lie this far ahead of a recorder that knows the date: nobody records what is to come. */
const EPOCH_NS = 100_000_000_000_000_000n;
const AHEAD_NS = 86_400_000_000_000n;
/** From one frame to the next the two clocks differ by what queues and networks delay; beyond this one of them was set. */
const STEP_NS = 10_000_000_000n;
/** Time stamps of videos count in 1/90,000 s: frames must lie at least that far apart. */
const LEAST_NS = 11_112n;
/** A gap is at least this long, and this many usual distances between frames. */
const GAP_NS = 500_000_000n;
const GAP_STEPS = 3;
/** A clock that is off by 10 ppm shows among network delays of milliseconds after minutes only. */
const DRIFT_LEAST_S = 10;
/** Distances between frames that are remembered to say which is usual. */
const MOST_DISTANCES = 10_000;
const MOST_GAPS = 1_000;

/**
 * Places frames on the common clock: by the camera's own stamps where it has any, else by when the recorder wrote them. Rates, gaps and drift
 * are kept as they are; a clock that was set is followed, so that time never jumps.
 */
export function createClock() {
  let shift: bigint | null = null;
  let last: { placed: bigint; stamp: bigint; log: bigint } | null = null;
  let [steps, backwards] = [0, 0];
  const distances: number[] = [];
  const wide: Gap[] = [];
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
    /** When the frame was taken, by the common clock; null when it is not later than the one before, and is left out. */
    at(stampNs: bigint | null, logNs: bigint): bigint | null {
      const placed = place(stampNs, logNs);
      if (last && placed < last.placed + LEAST_NS) {
        backwards++;
        return null;
      }
      if (last) {
        const distance = Number(placed - last.placed);
        if (distances.length < MOST_DISTANCES) distances.push(distance);
        if (placed - last.placed >= GAP_NS && wide.length < MOST_GAPS)
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

/** The slope of a straight line through how far the camera's clock is ahead, over the recorder's time. */
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
