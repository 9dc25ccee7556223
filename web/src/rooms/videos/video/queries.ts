import type { VideoChanges } from '@sightline/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { loadStoryboard } from '#player/storyboard.ts';
import type { SourceKind } from '#player/use-source.ts';
import { ownAddress } from '#rooms/analyses/types.ts';

const HOUR_S = 3600;
/** Shorter than the validity of signed URLs. */
const SIGNED_STALE_MS = 50 * 60_000;

/** Status and properties of a video. */
export const videoQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['video', videoId],
    queryFn: async ({ signal }) => {
      const params = { path: { video_id: videoId } };
      return (await api.GET('/api/video/{video_id}/status', { params, signal })).data!;
    },
  });

type SignedKind = 'film' | 'hls' | 'poster' | 'storyboard' | 'captions' | 'clip';

/** Signs a URL of a file of a video. `range` is the part of a clip in seconds. */
export async function signVideo(videoId: string, kind: SignedKind, range?: { start: number; end: number }) {
  const params = { path: { video_id: videoId } };
  const body = { kind, expires_in: HOUR_S, ...range };
  const { url, expires_at } = (await api.POST('/api/video/{video_id}/signed-url', { params, body })).data!;
  return { url: ownAddress(url), expiresAt: Date.parse(expires_at) };
}

/** Signs what the player asks for. */
export const signSource = (videoId: string) => (kind: SourceKind) =>
  signVideo(videoId, kind === 'file' ? 'film' : 'hls');

export const posterQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['poster', videoId, 'address'],
    staleTime: SIGNED_STALE_MS,
    queryFn: async () => (await signVideo(videoId, 'poster')).url,
  });

/** The storyboard with its image. Null if there is none. */
export const storyboardQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['storyboard', videoId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => loadStoryboard((await signVideo(videoId, 'storyboard')).url, signal),
  });

/** Address of the captions. Null if the video has none. */
export const captionsQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['captions', videoId],
    staleTime: SIGNED_STALE_MS,
    queryFn: async ({ signal }) => {
      const { url } = await signVideo(videoId, 'captions');
      const response = await fetch(url, { signal });
      return response.ok && (await response.text()).includes('-->') ? url : null;
    },
  });

/** The set of views that contains a video; null if it is not part of one. */
export const viewsQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['views', videoId],
    queryFn: async ({ signal }) => {
      const params = { query: { video_id: videoId } };
      return (await api.GET('/api/multi-view', { params, signal })).data!.view_sets[0] ?? null;
    },
  });

/** Changes a video and shows the result everywhere. */
export function useChangeVideo(videoId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: VideoChanges) =>
      (await api.PATCH('/api/video/{video_id}', { params: { path: { video_id: videoId } }, body })).data!,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['video', videoId] }),
        queries.invalidateQueries({ queryKey: ['videos'] }),
      ]),
  });
}
