import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Number of incidents that wait for a verdict of the user; of many events, the newest are counted. */
export const reviewCountQuery = queryOptions({
  queryKey: ['review-count'],
  staleTime: 30_000,
  queryFn: async ({ signal }) => {
    const params = { query: { to_review: true, per: 'incident' as const, facets: true, limit: 1 } };
    const { total, is_complete } = (await api.GET('/api/events', { params, signal })).data!.facets!;
    return { total, isComplete: is_complete };
  },
});
