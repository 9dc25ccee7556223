import type { Queryable } from '#platform/db/index';
import { findByIds } from '../store.ts';
import type { LibrarySelectionOptions, SelectedVideos } from '../types.ts';
import { countSelectable, listSelectable, listUndated } from './selection-store.ts';

/** Most videos of which it is looked at when they were recorded. */
const MOST_CANDIDATES = 20_000;
/** Videos without a clock that are named. */
const MOST_NAMED = 10;

/** Chooses videos of the library: by place, filters and span in the database, and by `choose` among the rest. */
export async function selectVideos(
  db: Queryable,
  { choose, limit, ...request }: LibrarySelectionOptions,
): Promise<SelectedVideos> {
  const { considered, undated, recorded } = await countSelectable(db, request);
  const candidates = await listSelectable(db, { ...request, limit: MOST_CANDIDATES });
  const { chosen, without } = choose(candidates);
  const taken = chosen.slice(0, limit);
  const rest = chosen.slice(limit).flatMap(({ recordedAt }) => recordedAt?.getTime() ?? []);
  const named = [...(await listUndated(db, request, MOST_NAMED)), ...without].slice(0, MOST_NAMED);
  const found = new Map(
    (
      await findByIds(
        db,
        taken.map(({ id }) => id),
      )
    ).map((video) => [video.id, video]),
  );
  const videos = taken.flatMap(({ id }) => found.get(id) ?? []);
  const leftOut = chosen.length - taken.length + (recorded - candidates.length);
  const noClock = undated + without.length;
  return {
    videos,
    summary: {
      considered,
      chosen: videos.length,
      outside: considered - videos.length - noClock - leftOut,
      noClock,
      noClockVideos: named.map(({ id, name }) => ({ videoId: id, name })),
      leftOut,
      leftOutFrom: rest.length > 0 ? new Date(Math.min(...rest)) : null,
      leftOutUntil: rest.length > 0 ? new Date(Math.max(...rest)) : null,
    },
  };
}
