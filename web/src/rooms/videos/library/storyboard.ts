import { useQuery } from '@tanstack/react-query';
import { signedUrlQuery } from '#api/signed-urls.ts';
import { loadStoryboard, type Storyboard } from '#player/storyboard.ts';

/** The storyboard of a video, fetched once `wanted`. */
export function useStoryboard(videoId: string, wanted: boolean): Storyboard | null {
  const { data: url } = useQuery({ ...signedUrlQuery(videoId, 'storyboard'), enabled: wanted });
  const { data } = useQuery({
    queryKey: ['storyboard-image', videoId],
    enabled: wanted && url !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10 * 60_000,
    queryFn: ({ signal }) => loadStoryboard(url!, signal),
  });
  return data ?? null;
}
