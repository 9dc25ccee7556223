import { answerEmptyLibrary, type Engine, type Plan } from '#engine/index';
import { toRecordingClock } from '#features/analyses/index';
import { type SelectableVideo, toVideoFilters, type Video, type Videos } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { Person } from '#platform/http/index';
import type { LibraryCount, QueryRequest } from './schema.ts';

export type LibraryDeps = {
  videos: Pick<Videos, 'findPlace' | 'select'>;
  engine: Pick<Engine, 'placePlan' | 'searchLibrary'>;
  /** Most videos of a query. */
  limit: number;
};

/** The videos of a request about a library: where to look for them, and the filters. */
export type LibraryRequest = {
  folderId: string | null;
  /** Chooses the videos that were recorded when a plan says; null: it says nothing. */
  select(trx: Transaction, plan: Plan | null, requested: { at: Date; timeZone: string | null }): Promise<ChosenVideos>;
};

export type ChosenVideos = {
  selected: Video[];
  selection: LibraryCount;
  /** The reason why none is chosen; null if some are. */
  whyNone: string | null;
};

const EMPTY: LibraryCount = {
  considered: 0,
  chosen: 0,
  outside: 0,
  noClock: 0,
  noClockVideos: [],
  leftOut: 0,
  leftOutFrom: null,
  leftOutUntil: null,
};

/** Opens the library of a request. Throws the problems of the folders room, or `time_zone_invalid` (400). */
export async function openLibrary(
  { videos, engine, limit }: LibraryDeps,
  caller: Person,
  { folder, folderId, scope, timeZone, ...given }: NonNullable<QueryRequest['library']>,
  timeZoneOfQuery: string | null,
): Promise<LibraryRequest> {
  const place = await videos.findPlace(caller, { folder, folderId, scope });
  const filters = toVideoFilters({ ...given, timeZone: timeZone ?? timeZoneOfQuery });
  return {
    folderId: place?.folderId ?? null,
    async select(trx, plan, requested) {
      if (!place) return { selected: [], selection: EMPTY, whyNone: whyNone(EMPTY) };
      const { span, picks } = plan ? engine.searchLibrary(plan, requested) : { span: null, picks: null };
      const missedOf = (video: SelectableVideo) =>
        plan && engine.placePlan(plan, toRecordingClock(video), requested).missed?.reason;
      const choose = (candidates: readonly SelectableVideo[]) => {
        const byReason = Map.groupBy(candidates, (video) => missedOf(video) ?? 'chosen');
        return { chosen: byReason.get('chosen') ?? [], without: byReason.get('no_clock') ?? [] };
      };
      const options = { caller, place, filters, span, oldestFirst: picks === 'first', choose, limit };
      const { videos: selected, summary } = await videos.select(trx, options);
      const selection = {
        ...summary,
        leftOutFrom: summary.leftOutFrom?.toISOString() ?? null,
        leftOutUntil: summary.leftOutUntil?.toISOString() ?? null,
      };
      return { selected, selection, whyNone: selected.length > 0 ? null : whyNone(selection) };
    },
  };
}

const whyNone = ({ considered, outside, noClock, noClockVideos }: LibraryCount): string =>
  answerEmptyLibrary({
    considered,
    outside,
    noClock: { names: noClockVideos.map(({ name }) => name), count: noClock },
  });
