import type { VideoIndex } from '@sightline/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sightline } from '#api/client.ts';

/** The generated captions of a video, or of the primary view of its set. Null if there are none. */
export const indexQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['index', videoId],
    queryFn: async ({ signal }): Promise<VideoIndex | null> => {
      const { results } = (await api.POST('/api/videos/index/status', { body: { video_ids: [videoId] }, signal }))
        .data!;
      const index = results[videoId];
      return index?.status === 'completed' ? index : null;
    },
  });

/** Address of generated captions as WebVTT; it changes with the captions. */
export const vttAddress = (videoId: string, { analysis_id, index_video_id }: VideoIndex) =>
  `/api/videos/${index_video_id ?? videoId}/index.vtt#${analysis_id}`;

/** Captions a video, also one that has captions, and waits for the result. */
export function useCreateCaptions(videoId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (refresh: boolean) => sightline.captions(videoId, { refresh }),
    onSuccess: (index) => queries.setQueryData(['index', videoId], index),
  });
}
