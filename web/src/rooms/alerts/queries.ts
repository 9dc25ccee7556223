import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 30;
/** Alerts follow the changes of analyses; this notices those of a connection that was lost. */
const REFRESH_MS = 60_000;

/** Alerts of saved questions, newest first, with what is new and muted for the user. */
export const alertsQuery = infiniteQueryOptions({
  queryKey: ['alerts'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) => {
    const params = { query: { limit: PAGE_SIZE, cursor: pageParam } };
    return (await api.GET('/api/alerts', { params, signal })).data!;
  },
  refetchInterval: REFRESH_MS,
});
