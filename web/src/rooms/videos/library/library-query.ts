import type { Video } from '@sightline/sdk';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { LIBRARY_PAGE } from '#api/library-page.ts';
import { keepSignedUrl } from '#api/signed-urls.ts';
import { type LibrarySearch, SORTS } from '#frame/search-params.ts';
import { startOfDay } from '#ui/format/dates.ts';
import { toRecordedFilter } from '../recorded.ts';

/** A video in the library. Samples have no tags, and no number of events. */
export type LibraryVideo = Omit<Video, 'metadata' | 'source' | 'org_id' | 'filename'> & Partial<Pick<Video, 'source'>>;
export type LibraryPageData = { videos: LibraryVideo[]; next_cursor: string | null };
export type LibraryFilter = Omit<LibrarySearch, 'view'>;

/** Ranges of durations in seconds, those of the API's facets: from the one to before the other. */
export const LENGTH_S = {
  seconds: [0, 60],
  minutes: [60, 600],
  long: [600, 3600],
  hours: [3600, undefined],
} as const satisfies Record<string, readonly [number, number | undefined]>;
export const STATUS = { ready: 'uploaded', processing: 'processing', failed: 'uploading_failed' } as const;

/** The part of a filter that a question about all of its videos can have. */
export const toVideoFilter = ({ q, folder, scope, tag, after, before, queried, length, ...when }: LibraryFilter) => ({
  name: q,
  folder_id: folder,
  scope: scope === 'sample' ? undefined : scope,
  tag,
  created_after: startOfDay(after),
  created_before: startOfDay(before, 1),
  ...toRecordedFilter(when),
  queried: queried && queried === 'yes',
  min_duration_s: length && LENGTH_S[length][0],
  max_duration_s: length && LENGTH_S[length][1],
});

/** A filter as parameters of `GET /api/videos` and of its facets. */
const toListFilter = (filter: LibraryFilter) => {
  const { status, trash } = filter;
  return {
    ...toVideoFilter(filter),
    status: status && STATUS[status],
    deleted: trash,
  };
};

/** Numbers of videos by field, for the choices of each filter. */
export const facetsQuery = (filter: LibraryFilter) =>
  queryOptions({
    queryKey: ['videos', 'facets', filter],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/videos/facets', { params: { query: toListFilter(filter) }, signal })).data!,
  });

type PageRequest = { queries: QueryClient; cursor?: string; signal?: AbortSignal };

async function fetchPage(filter: LibraryFilter, { queries, cursor, signal }: PageRequest): Promise<LibraryPageData> {
  if (filter.scope === 'sample') {
    const query = { scope: 'sample', limit: Number(LIBRARY_PAGE.limit), cursor } as const;
    const { videos, next_cursor } = (await api.GET('/api/my-videos', { params: { query }, signal })).data!;
    return {
      videos: videos.map((video) => ({
        ...video,
        camera_id: null,
        tags: [],
        clock: null,
        hold: null,
        restorable_until: null,
      })),
      next_cursor,
    };
  }
  const query = {
    ...toListFilter(filter),
    include: LIBRARY_PAGE.include,
    limit: Number(LIBRARY_PAGE.limit),
    sort: filter.sort && SORTS[filter.sort],
    cursor,
  };
  const page = (await api.GET('/api/videos', { params: { query }, signal })).data!;
  for (const { video_id: id, poster_url: url } of page.videos) if (url) keepSignedUrl(queries, id, 'poster', url);
  return page;
}

/** The videos that match a filter, page by page. */
export const libraryQuery = (filter: LibraryFilter) =>
  infiniteQueryOptions({
    queryKey: ['videos', 'library', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal, client: queries }) => fetchPage(filter, { queries, cursor, signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // All pages would be fetched again; `refreshLibrary` fetches the first one.
    staleTime: Number.POSITIVE_INFINITY,
  });

type Cached = InfiniteData<LibraryPageData, string | undefined>;

/** Fetches the first page of all lists again. Later pages stay where the new one connects to them. */
export async function refreshLibrary(queries: QueryClient): Promise<void> {
  const lists = queries.getQueryCache().findAll({ queryKey: ['videos', 'library'] });
  await Promise.all(
    lists.map(async (list) => {
      const { queryKey } = list;
      if (!list.isActive()) return queries.removeQueries({ queryKey, exact: true });
      const first = await fetchPage(queryKey[2] as LibraryFilter, { queries });
      queries.setQueryData<Cached>(queryKey, (old) => old && connect(first, old));
    }),
  );
}

/** Replaces the start of a list by a new first page. Without a common video, the rest of the list is dropped. */
export function connect(first: LibraryPageData, old: Cached): Cached {
  const last = first.videos.at(-1)?.video_id;
  const page = old.pages.findIndex(({ videos }) => videos.some(({ video_id }) => video_id === last));
  if (page < 0 || first.next_cursor === null) return { pages: [first], pageParams: [undefined] };
  const overlapping = old.pages[page]!;
  const at = overlapping.videos.findIndex(({ video_id }) => video_id === last);
  const rest = overlapping.videos.slice(at + 1);
  return {
    pages: [{ videos: [...first.videos, ...rest], next_cursor: overlapping.next_cursor }, ...old.pages.slice(page + 1)],
    pageParams: [undefined, ...old.pageParams.slice(page + 1)],
  };
}

/** Changes or removes (null) videos in all lists without fetching them again. */
export function patchLibrary(
  queries: QueryClient,
  change: (video: LibraryVideo, filter: LibraryFilter) => LibraryVideo | null,
): void {
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: ['videos', 'library'] })) {
    queries.setQueryData<Cached>(queryKey, (old) => {
      if (!old) return old;
      const pages = old.pages.map((page) => {
        const videos = page.videos.flatMap((video) => change(video, queryKey[2] as LibraryFilter) ?? []);
        const same = videos.length === page.videos.length && videos.every((video, i) => video === page.videos[i]);
        return same ? page : { ...page, videos };
      });
      return pages.every((page, i) => page === old.pages[i]) ? old : { ...old, pages };
    });
  }
}
