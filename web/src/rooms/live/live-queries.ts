import type { LiveSessionSummary } from '@sightline/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 50;

/** True until a session has ended. */
export const isOpen = ({ status }: Pick<LiveSessionSummary, 'status'>): boolean =>
  status === 'INITIALIZING' || status === 'ACTIVE' || status === 'ENDING';

export const liveSessionsQuery = infiniteQueryOptions({
  queryKey: ['live-sessions'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE_SIZE, cursor: pageParam };
    return (await api.GET('/api/live/live-sessions', { params: { query }, signal })).data!;
  },
});
