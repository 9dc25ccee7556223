import type { LiveSessionSummary } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 50;
/** Chunks arrive every two seconds; the change feed reports them, and this is for when it is interrupted. */
const REFRESH_MS = 5_000;

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

/** The session that a video is or was recorded by; null if it is of no livestream. */
export const sessionOfVideoQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['live-sessions', 'of-video', videoId],
    queryFn: async ({ signal }) => {
      const params = { query: { video_id: videoId, limit: 1 } };
      return (await api.GET('/api/live/live-sessions', { params, signal })).data!.sessions[0] ?? null;
    },
  });

/** A session with its chunks, gaps and events. `clockAheadMs`: how far the clock of the service is ahead. */
export const liveSessionQuery = ({ stream_id, session_id }: Pick<LiveSessionSummary, 'stream_id' | 'session_id'>) =>
  queryOptions({
    queryKey: ['live-session', session_id],
    queryFn: async ({ signal }) => {
      const params = { path: { stream_id, session_id } };
      const sentMs = Date.now();
      const session = (await api.GET('/api/live/live-sessions/{stream_id}/{session_id}', { params, signal })).data!;
      const clockAheadMs = Date.parse(session.current_time) - (sentMs + Date.now()) / 2;
      return { session, clockAheadMs };
    },
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.session) ? REFRESH_MS : false),
  });
