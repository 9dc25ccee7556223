import type { EventReviewRequest, EventSummary } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, sightline } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';
import type { ReviewSearch } from '#frame/search-params.ts';

const PAGE_SIZE = 40;

/** Which events a choice of the filter shows. */
const SHOWN = {
  open: { to_review: true },
  disputed: { disputed: true },
  mine: { assigned: true },
  approved: { approval: 'approved' },
  rejected: { approval: 'rejected' },
  unsure: { approval: 'unsure' },
} as const;

/** The events to review, page by page. It is not refreshed while it is shown: decided events stay where they are. */
export const reviewQueueQuery = ({ show = 'open', order, label, folder, video, batch }: ReviewSearch) => {
  const query = {
    ...(show === 'samples' ? {} : SHOWN[show]),
    label,
    folder_id: folder,
    video_id: video,
    batch_id: batch,
    // Over several questions, an incident is decided once.
    per: show === 'open' && batch === undefined ? ('incident' as const) : undefined,
    sort: order === 'newest' ? ('-created_at' as const) : ('confidence' as const),
    limit: PAGE_SIZE,
  };
  return infiniteQueryOptions({
    queryKey: ['review-queue', query],
    ...cursorPages,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { query: { ...query, facets: cursor === undefined, cursor } };
      return (await api.GET('/api/events', { params, signal })).data!;
    },
    select: ({ pages }) => ({ events: pages.flatMap(({ events }) => events), facets: pages[0]?.facets ?? null }),
  });
};

/** An event that a link leads to. */
export const eventQuery = (eventId: string | undefined) =>
  queryOptions({
    queryKey: ['review-event', eventId],
    enabled: eventId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId! } };
      return (await api.GET('/api/events/{event_id}', { params, signal })).data!;
    },
  });

export const reviewEvents = (ids: readonly string[], change: EventReviewRequest): Promise<EventSummary[]> =>
  sightline.review(ids, change);

export const undoReview = async (): Promise<EventSummary[]> => (await api.POST('/api/review/undo', {})).data!.events;

/** Assigns events to the user for some minutes. Returns the ids of those that nobody else works on. */
export const assignEvents = async (event_ids: string[]): Promise<string[]> =>
  (await api.POST('/api/review/assign', { body: { event_ids } })).data!.event_ids;

export const releaseEvents = async (event_ids: string[]): Promise<void> =>
  void (await api.POST('/api/review/release', { body: { event_ids } }));
