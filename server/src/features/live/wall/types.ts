import type { WALL_SIZES } from '../schema/wall.ts';

/** Arrangement of streams on the wall of a user. */
export type WallLayout = {
  /** Number of tiles that are shown at once. */
  size: (typeof WALL_SIZES)[number];
  /** Ids of streams in the order of their places. */
  streamIds: string[];
};
