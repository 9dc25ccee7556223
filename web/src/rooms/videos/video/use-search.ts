import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { VideoSearch } from '../../../search-params.ts';

/** The search parameters of the page, and a function that changes some of them in place. */
export function useVideoSearch() {
  const search = useSearch({ from: '/app/videos/$videoId' });
  const navigate = useNavigate({ from: '/videos/$videoId' });
  const change = useCallback(
    (changes: Partial<VideoSearch>) =>
      navigate({ search: (old: VideoSearch) => ({ ...old, ...changes }), replace: true, resetScroll: false }),
    [navigate],
  );
  return [search, change] as const;
}
