import type { Camera } from '@sightline/sdk';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, sightline } from '#api/client.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';

/** Interval at which states and images are read again. */
const REFRESH_MS = 5_000;

export const camerasQuery = queryOptions({
  queryKey: ['cameras'],
  queryFn: async () => (await sightline.cameras()).toSorted((a, b) => a.name.localeCompare(b.name)),
  refetchInterval: REFRESH_MS,
});

/** Zones that were drawn for a camera. */
export const cameraZonesQuery = (id: string) =>
  queryOptions({
    queryKey: ['zones', 'camera', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/zones', { params: { query: { camera_id: id } }, signal })).data!.zones,
  });

type Changes = Parameters<typeof sightline.changeCamera>[1];

/** Returns a function that changes a camera, shows a failure, and reads the cameras again. */
export function useChangeCamera() {
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  return async ({ camera_id }: Camera, changes: Changes): Promise<void> => {
    try {
      await sightline.changeCamera(camera_id, changes);
    } catch (error) {
      showError(error);
    }
    await queryClient.invalidateQueries({ queryKey: camerasQuery.queryKey });
  };
}
