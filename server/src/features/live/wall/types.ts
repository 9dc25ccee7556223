/** Numbers of tiles of a wall. */
export const WALL_SIZES = [1, 4, 9, 16] as const;

/** Arrangement of streams on the wall of a user. */
export type WallLayout = {
  /** Number of tiles that are shown at once. */
  size: (typeof WALL_SIZES)[number];
  /** Ids of streams in the order of their places. */
  streamIds: string[];
};
