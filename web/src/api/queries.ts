import { SightlineError } from '@sightline/sdk';
import { QueryClient } from '@tanstack/react-query';

/** Fetched data appears at once on the next visit and is refreshed in the background. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 30 * 60_000,
      // The client retries transient failures itself.
      retry: false,
      // Offline, requests fail at once: otherwise they wait, and pages show placeholders without an end or a reason.
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
});

/** True for the failure of a request whose session has ended, or that has none. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof SightlineError && (error.status === 401 || error.code === 'session_needed');

/** True for the failure of a request that the session of this browser does not allow, or not yet. */
export const needsSession = (error: unknown): boolean =>
  isSignedOut(error) || (error instanceof SightlineError && error.code === 'second_factor_required');

/** True for the failure of a request for something that does not exist, or that the user may not see. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof SightlineError && (error.status === 404 || error.status === 403);
