import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** The session of this browser. Fails if nobody is signed in: see `isSignedOut`. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await api.GET('/api/auth/session', { signal })).data!,
  staleTime: 60_000,
});

/** The signed-in user. For pages inside the frame. */
export const useSession = () => useSuspenseQuery(sessionQuery).data;

/** True if the user is an admin or the owner of the organization. */
export const useIsAdmin = (): boolean => useSession().permissions.includes('admin');
