import { createHash } from 'node:crypto';

/** Random numbers from 0 to 1; the same seed gives the same numbers. */
export function randomNumbers(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest();
  // xorshift128: a digest for each number would be slow.
  const state = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at) | 1);
  return () => {
    let mixed = state[3]!;
    const first = state[0]!;
    state.copyWithin(1, 0);
    mixed ^= mixed << 11;
    mixed ^= mixed >>> 8;
    state[0] = mixed ^ first ^ (first >>> 19);
    return (state[0]! >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to below `below`; the same seed gives the same number. */
export const numberOf = (seed: string, below: number): number => Math.floor(randomNumbers(seed)() * below);

/** The items in a random order; the same numbers give the same order. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [mixed[i], mixed[k]] = [mixed[k]!, mixed[i]!];
  }
  return mixed;
}
