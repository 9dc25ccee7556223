import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { VideoSearch } from '#frame/search-params.ts';
import { useIsCurrent } from '#frame/use-is-current.ts';

/** The search parameters of the page, and a function that changes some of them in place. */
export function useVideoSearch() {
  const search = useSearch({ from: '/app/videos/$videoId' });
  const navigate = useNavigate({ from: '/videos/$videoId' });
  const { videoId } = useParams({ from: '/app/videos/$videoId' });
  const isCurrent = useIsCurrent(`/videos/${videoId}`);
  const change = useCallback(
    async (changes: Partial<VideoSearch>) => {
      if (!isCurrent()) return;
      await navigate({ search: (old: VideoSearch) => ({ ...old, ...changes }), replace: true, resetScroll: false });
    },
    [navigate, isCurrent],
  );
  return [search, change] as const;
}
