import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const MOST = 100;

/** Number of livestreams that are not over, of those that the user may see; at most a hundred are counted. */
export const liveCountQuery = queryOptions({
  queryKey: ['live-sessions', 'running'],
  staleTime: 30_000,
  queryFn: async ({ signal }) => {
    const params = { query: { open: true, limit: MOST } };
    const { sessions, has_more } = (await api.GET('/api/live/live-sessions', { params, signal })).data!;
    return { running: sessions.length, isComplete: !has_more };
  },
});
