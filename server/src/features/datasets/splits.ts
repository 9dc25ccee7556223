import { createHash } from 'node:crypto';

export type Split = 'train' | 'val' | 'test';

/** Shares of the splits, 0 to 1, less than 1 together; the rest is `train`. */
export type SplitShares = { valShare: number; testShare: number; seed: string };

/**
 * The split of a scene: a video, or all views of one event. It depends on the scene and the seed alone, so it is the
 * same in every dataset and every download, and other scenes do not change it. A larger share only adds scenes to a
 * split; `valShare` never moves a scene in or out of `test`.
 */
export function splitOf(scene: string, { valShare, testShare, seed }: SplitShares): Split {
  const digest = createHash('sha256').update(`${seed}\0${scene}`).digest();
  const position = digest.readUIntBE(0, 6) / 2 ** 48;
  if (position < testShare) return 'test';
  return position < testShare + valShare ? 'val' : 'train';
}
