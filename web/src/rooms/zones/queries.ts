import type { VideoStatus } from '@sightline/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sightline } from '#api/client.ts';
import type { ZoneDraft } from './draft.ts';

/** The zones that hold for a video, by name. */
export const zonesQuery = (videoId: string) =>
  queryOptions({ queryKey: ['zones', videoId], queryFn: () => sightline.zones({ videoId }) });

/** Shows changed zones everywhere, and reads prompts again that may name them. */
function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['zones'] }),
      queries.invalidateQueries({ queryKey: ['preview'] }),
    ]);
}

/** Creates or changes the zone of a draft. */
export function useSaveZone({ video_id, folder_id, camera_id }: VideoStatus) {
  return useMutation({
    mutationFn: async ({ zoneId, name, points, holdsFor }: ZoneDraft) => {
      const body = { name: name.trim(), points: [...points] };
      if (zoneId !== null)
        return (await api.PATCH('/api/zones/{zone_id}', { params: { path: { zone_id: zoneId } }, body })).data!;
      const owners = { video: { video_id }, camera: { camera_id }, folder: { folder_id } };
      return sightline.createZone({ ...body, ...owners[holdsFor] });
    },
    onSettled: useRefresh(),
  });
}

export function useDeleteZone() {
  return useMutation({ mutationFn: (zoneId: string) => sightline.deleteZone(zoneId), onSettled: useRefresh() });
}
