import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import type { Zone, ZoneRequest } from '../resources.generated.ts';

/** Named polygons and lines in the frame, which prompts call by name. `api` has their other operations. */
export type ZoneOperations = {
  /** Creates a zone of a video, folder or camera: two points are a line, more a polygon, in fractions of the frame. */
  createZone(zone: ZoneRequest): Promise<Zone>;
  /** Zones that hold for a video, or those of a folder or camera, by name. */
  zones(of: { videoId: string } | { folderId: string } | { cameraId: string }): Promise<Zone[]>;
  deleteZone(id: string): Promise<void>;
};

export const createZoneOperations = (api: Client<paths>): ZoneOperations => ({
  createZone: async (body) => (await api.POST('/api/zones', { body })).data!,
  async zones(of) {
    const query =
      'videoId' in of
        ? { video_id: of.videoId }
        : 'cameraId' in of
          ? { camera_id: of.cameraId }
          : { folder_id: of.folderId };
    return (await api.GET('/api/zones', { params: { query } })).data!.zones;
  },
  async deleteZone(zone_id) {
    await api.DELETE('/api/zones/{zone_id}', { params: { path: { zone_id } } });
  },
});
