import type { FrameVectors } from '#engine/index';

/** Cosine of two vectors from which on one represents the other in the graph. */
const ALIKE = 0.95;

/**
 * The number of vectors that each represents, from itself on: those that follow it in its group and are alike. 0: one
 * before represents it. A group is one hit, so the graph needs no more of it than what differs.
 */
export function countRepresented({
  vectors,
  scales,
  groups,
}: Pick<FrameVectors, 'vectors' | 'scales'> & { groups: Int32Array }): Int32Array {
  const size = vectors.length / Math.max(groups.length, 1);
  const represented = new Int32Array(groups.length);
  let last = 0;
  for (let at = 0; at < groups.length; at++) {
    if (at === 0 || groups[at] !== groups[last] || cosine(last, at) < ALIKE) last = at;
    represented[last]!++;
  }
  return represented;

  function cosine(a: number, b: number): number {
    let product = 0;
    for (let value = 0; value < size; value++) product += vectors[a * size + value]! * vectors[b * size + value]!;
    return product * scales[a]! * scales[b]!;
  }
}
