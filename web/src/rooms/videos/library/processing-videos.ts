import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { type LibraryVideo, patchLibrary } from './library-query.ts';

const POLL_MS = 2_000;
/** Videos whose status is requested at a time; the others follow. */
const MAX_POLLED = 20;

/** Requests the status of videos that are being prepared until they are ready, and shows it in all lists. */
export function useProcessingVideos(videos: readonly LibraryVideo[]): void {
  const queries = useQueryClient();
  const ids = videos
    .filter(({ status }) => status === 'processing')
    .slice(0, MAX_POLLED)
    .map(({ video_id }) => video_id);
  useQuery({
    queryKey: ['processing', ids],
    enabled: ids.length > 0,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        ids.map(async (video_id) => {
          const params = { path: { video_id } };
          // A video that was deleted meanwhile leaves the lists.
          return (await api.GET('/api/video/{video_id}/status', { params, signal }).catch(() => null))?.data ?? null;
        }),
      );
      patchLibrary(queries, (video) => {
        const at = ids.indexOf(video.video_id);
        const now = answers[at];
        if (at < 0 || !now || now.status === video.status) return video;
        const { status, duration_s, message } = now;
        return { ...video, status, duration_s, message, size_bytes: now.metadata.size_bytes ?? null };
      });
      return answers.length;
    },
  });
}
