import type { EventSummary } from '@sightline/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import type { SearchSearch } from '#frame/search-params.ts';
import { statedSeverity } from '#rooms/analyses/severity.ts';
import { ownAddress } from '#rooms/analyses/types.ts';
import type { ListedEvent } from '#rooms/batches/queries.ts';
import type { ExportFilter } from '#rooms/exports/formats.ts';
import { toRecordedFilter } from '#rooms/videos/recorded.ts';
import { startOfDay } from '#ui/format/dates.ts';

const PAGE_SIZE = 60;

/** Videos whose name contains the words. */
export const videosQuery = (words: string, folderId: string | undefined) =>
  queryOptions({
    queryKey: ['search-videos', words, folderId],
    enabled: words !== '',
    queryFn: async ({ signal }) => {
      const query = { name: words, folder_id: folderId, limit: 12 };
      return (await api.GET('/api/videos', { params: { query }, signal })).data!;
    },
  });

const PASSAGES_PAGE = 5;

/** Spoken sentences of videos and texts in their frames, page by page. */
export const passagesQuery = ({ words, folder, video }: { words: string; folder?: string; video?: string }) => {
  const query = { q: words, folder_id: folder, video_id: video, limit: PASSAGES_PAGE };
  return infiniteQueryOptions({
    queryKey: ['passages', query],
    enabled: words !== '',
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await api.GET('/api/passages', { params: { query: { ...query, cursor } }, signal })).data!,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ passages }) => passages),
  });
};

/** Filters that lists and exports of events share. */
const toSharedFilter = (search: SearchSearch) => ({
  q: search.q,
  label: search.label,
  severity: search.severity,
  approval: search.review,
  folder_id: search.folder,
  min_confidence: search.confidence,
  created_after: startOfDay(search.after),
  created_before: startOfDay(search.before, 1),
  ...toRecordedFilter(search),
});

/** A search as filters of an export. */
export const toExportFilter = (search: SearchSearch): ExportFilter => ({
  ...toSharedFilter(search),
  video_ids: search.video === undefined ? undefined : [search.video],
});

/** The incidents, or all events, that match a search, page by page. The first page has the facets. */
export const eventsQuery = (search: SearchSearch) => {
  const query = {
    ...toSharedFilter(search),
    video_id: search.video,
    sort: search.sort && ('-confidence' as const),
    per: search.per ?? ('incident' as const),
    limit: PAGE_SIZE,
  };
  return infiniteQueryOptions({
    queryKey: ['events', query],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { query: { ...query, facets: cursor === undefined, cursor } };
      return (await api.GET('/api/events', { params, signal })).data!;
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => ({
      events: pages.flatMap(({ events }) => events.map(toEventItem)),
      facets: pages[0]?.facets ?? null,
    }),
    // While other filters are loaded, the events of the former ones stay.
    placeholderData: keepPreviousData,
  });
};

export const toEventItem = (event: EventSummary): ListedEvent => ({
  id: event.event_id,
  videoId: event.video_id,
  videoName: event.video_name,
  analysisId: event.analysis_id,
  label: event.label,
  type: event.type,
  why: '',
  startS: event.start_s,
  endS: event.end_s,
  confidence: event.confidence,
  severity: statedSeverity(event),
  approval: event.approval,
  caveats: [],
  matches: event.matches,
  questions: event.incident?.questions ?? 1,
  implied: event.implied?.approval ?? null,
  image: event.annotated_thumbnail_url === null ? null : ownAddress(event.annotated_thumbnail_url),
});
