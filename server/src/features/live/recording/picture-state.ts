/** Since when the picture has not changed, or has been black; null: neither. Instants in milliseconds. */
export type PictureState = { frozenSinceMs: number | null; blackSinceMs: number | null };

/** Seconds after which a condition of the picture is stated, and after which its end is. */
export type PictureLimits = { faultS: number; clearS: number };

/**
 * Two encodings of the same frame differ in up to 11 % of their pixels, those of two frames of a sensor with little
 * noise in 43 % at least (testsrc2 and noise=alls=3, H.264 at 600 kbit/s).
 */
const CHANGED = 0.2;
/** Luma of black, and of the few pixels that may be brighter, such as those of a clock in the picture. */
const BLACK = 24;
const BRIGHT_SHARE = 0.02;

/** Follows one condition: it holds from its first sample on, once it has lasted, and until it has been away. */
function createCondition(sinceMs: number | null, { faultS, clearS }: PictureLimits) {
  let stated = sinceMs;
  let firstMs = sinceMs;
  let awayMs: number | null = null;
  return (holds: boolean, fromMs: number, atMs: number): number | null => {
    if (holds) {
      awayMs = null;
      firstMs ??= fromMs;
      if (atMs - firstMs >= faultS * 1_000) stated = firstMs;
    } else {
      awayMs ??= atMs;
      if (stated === null || atMs - awayMs >= clearS * 1_000) stated = firstMs = null;
    }
    return stated;
  };
}

/** Follows the samples of a session; see `sampleFrame`. `before` is what an earlier worker stated. */
export function createPictureFollower(before: PictureState, limits: PictureLimits) {
  const [frozen, black] = [createCondition(before.frozenSinceMs, limits), createCondition(before.blackSinceMs, limits)];
  let last: { sample: Uint8Array; atMs: number } | null = null;
  return (sample: Uint8Array, atMs: number): PictureState => {
    const dark = isBlack(sample);
    const isSame = last !== null && changedShare(last.sample, sample) <= CHANGED;
    // A black picture does not change either.
    const isFrozen = isSame && !dark;
    const state = {
      frozenSinceMs: frozen(isFrozen, last?.atMs ?? atMs, atMs),
      blackSinceMs: black(dark, atMs, atMs),
    };
    last = { sample, atMs };
    return state;
  };
}

const isBlack = (sample: Uint8Array) => sample.filter((luma) => luma > BLACK).length <= BRIGHT_SHARE * sample.length;

function changedShare(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return 1;
  let changed = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) changed++;
  return changed / Math.max(1, a.length);
}
