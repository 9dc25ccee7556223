import { describe, expect, it } from 'vitest';
import { createPictureFollower, type PictureState } from './picture-state.ts';

const LIMITS = { faultS: 10, clearS: 5 };
const NONE: PictureState = { frozenSinceMs: null, blackSinceMs: null };
const frame = (seed: number, share = 1) =>
  Uint8Array.from({ length: 1_000 }, (_, i) => 100 + (i < share * 1_000 ? (i * 31 + seed * 17) % 100 : i % 7));
const BLACK = new Uint8Array(1_000).fill(16);

/** States after each sample, two seconds apart, as the second since which they hold. */
function follow(samples: readonly Uint8Array[], before = NONE) {
  const take = createPictureFollower(before, LIMITS);
  const second = (ms: number | null) => (ms === null ? null : ms / 1_000);
  return samples.map((sample, i) => {
    const { frozenSinceMs, blackSinceMs } = take(sample, i * 2_000);
    return [second(frozenSinceMs), second(blackSinceMs)];
  });
}
const last = (samples: readonly Uint8Array[], before?: PictureState) => follow(samples, before).at(-1);
const repeated = (sample: Uint8Array, times: number) => Array<Uint8Array>(times).fill(sample);
const moving = (times: number) => Array.from({ length: times }, (_, i) => frame(i));

describe('the picture of a source', () => {
  it('is frozen once it has not changed for long enough, since the first such frame', () => {
    expect(last([...moving(3), ...repeated(frame(9), 5)])).toEqual([null, null]);
    expect(last([...moving(3), ...repeated(frame(9), 6)])).toEqual([6, null]);
  });

  it('is frozen though each keyframe is encoded a little differently, and not where there is noise', () => {
    const encoded = Array.from({ length: 8 }, (_, i) => frame(i, 0.1));
    expect(last(encoded)).toEqual([0, null]);
    const noise = Array.from({ length: 20 }, (_, i) => frame(i, 0.4));
    expect(last(noise)).toEqual([null, null]);
  });

  it('is black, and not frozen, too', () => {
    expect(last([...moving(2), ...repeated(BLACK, 6)])).toEqual([null, 4]);
    expect(last([...moving(2), ...repeated(BLACK, 5)])).toEqual([null, null]);
  });

  it('recovers once it has changed for a while, so that one other frame ends nothing', () => {
    const frozen = repeated(frame(9), 7);
    expect(last([...frozen, frame(1), ...repeated(frame(2), 3)])).toEqual([0, null]);
    expect(last([...frozen, ...moving(3)])).toEqual([0, null]);
    expect(last([...frozen, ...moving(4)])).toEqual([null, null]);
    expect(last([...repeated(BLACK, 7), ...moving(4)])).toEqual([null, null]);
  });

  it('stays what an earlier worker stated until it changes', () => {
    const before = { frozenSinceMs: -60_000, blackSinceMs: null };
    expect(follow(repeated(frame(9), 3), before).at(-1)).toEqual([-60, null]);
    expect(last(moving(5), before)).toEqual([null, null]);
  });
});
