import type { WallLayout } from '@sightline/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

const MOST_SESSIONS = 1_000;
const MOST_EVENTS = 100;
/** The change feed reports sessions and their events; this is for when it is interrupted. */
const REFRESH_MS = 5_000;

/** Sessions that have not ended. */
export const openSessionsQuery = queryOptions({
  queryKey: ['live-sessions', 'wall'],
  queryFn: async ({ signal }) => {
    const params = { query: { open: true, limit: MOST_SESSIONS } };
    return (await api.GET('/api/live/live-sessions', { params, signal })).data!.sessions;
  },
  refetchInterval: REFRESH_MS,
});

/**
 * The latest events of running sessions, the time of the service when it responded, and how far its clock is ahead of
 * that of the browser.
 */
export const recentEventsQuery = queryOptions({
  queryKey: ['live-sessions', 'events'],
  queryFn: async ({ signal }) => {
    const sentMs = Date.now();
    const params = { query: { limit: MOST_EVENTS } };
    const { current_time, events } = (await api.GET('/api/live/events', { params, signal })).data!;
    const currentTimeMs = Date.parse(current_time);
    return { events, currentTimeMs, clockAheadMs: currentTimeMs - (sentMs + Date.now()) / 2 };
  },
  refetchInterval: REFRESH_MS,
});

export const wallLayoutQuery = queryOptions({
  queryKey: ['wall-layout'],
  queryFn: async ({ signal }) => (await api.GET('/api/live/wall', { signal })).data!,
});

export const saveWallLayout = async (body: WallLayout): Promise<WallLayout> =>
  (await api.PUT('/api/live/wall', { body })).data!;
