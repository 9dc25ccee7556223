import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Returns whether the user is still on the page with this path, or on the way to it. A page that changes its address
 * later must ask: the router would otherwise return to it, without its parameters.
 */
export function useIsCurrent(pathname: string): () => boolean {
  const router = useRouter();
  return useCallback(() => router.latestLocation.pathname === pathname, [router, pathname]);
}
