import type { BatchEvent } from './queries.ts';

/** The events of a video, and the possible events below the least confidence of the question. */
export type VideoGroup = { videoId: string; events: BatchEvent[]; candidates: BatchEvent[] };

/** Tiles of a group in one row of the grid. `isFirst`: the name of the video is above them. */
export type GroupCell<T> = { group: T; from: number; to: number; isFirst: boolean };

/** Events by video, those with the most events first; `order` decides between equal ones. */
export function groupByVideo(
  events: readonly BatchEvent[],
  candidates: readonly BatchEvent[],
  order: readonly string[],
): VideoGroup[] {
  const places = new Map(order.map((videoId, index) => [videoId, index]));
  const placeOf = (videoId: string) => places.get(videoId) ?? order.length;
  const folded = Map.groupBy(candidates, ({ videoId }) => videoId);
  return [...Map.groupBy(events, ({ videoId }) => videoId)]
    .map(([videoId, found]) => ({
      videoId,
      events: found.toSorted((a, b) => a.startS - b.startS),
      candidates: (folded.get(videoId) ?? []).toSorted((a, b) => a.startS - b.startS),
    }))
    .sort((a, b) => b.events.length - a.events.length || placeOf(a.videoId) - placeOf(b.videoId));
}

/**
 * Rows of a grid with a number of columns: groups that fit share a row, larger ones have rows of their own. The order
 * of the groups stays.
 */
export function packGroups<T>(groups: readonly T[], sizeOf: (group: T) => number, columns: number): GroupCell<T>[][] {
  const rows: GroupCell<T>[][] = [];
  let free = 0;
  for (const group of groups) {
    const size = sizeOf(group);
    if (size <= free) {
      rows.at(-1)!.push({ group, from: 0, to: size, isFirst: true });
      free -= size;
      continue;
    }
    for (let from = 0; from < size; from += columns) {
      const to = Math.min(size, from + columns);
      rows.push([{ group, from, to, isFirst: from === 0 }]);
      // Below a group of several rows, another one would look like a part of it.
      free = size <= columns ? columns - size : 0;
    }
  }
  return rows;
}
