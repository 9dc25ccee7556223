const WINDOW_MS = 4_000;

/** Measures bytes per second over the last seconds. */
export function createRate() {
  let samples: { at: number; bytes: number }[] = [];
  return {
    /** Adds the number of bytes sent so far. Returns bytes per second; null until it is known. */
    add(bytes: number, at = performance.now()): number | null {
      samples = [...samples.filter((sample) => at - sample.at < WINDOW_MS && sample.bytes <= bytes), { at, bytes }];
      const first = samples[0]!;
      return at - first.at < 300 ? null : ((bytes - first.bytes) / (at - first.at)) * 1000;
    },
  };
}
