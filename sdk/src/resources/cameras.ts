import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import type { Camera, CameraChange, CameraKey, CameraTest, NewCamera } from '../resources.generated.ts';

/** Sources that the service records whenever they are on. */
export type CameraOperations = {
  /**
   * Adds a camera, which is recorded unless `enabled` is false. One with the source `push` needs a key next
   * (`createCameraKey`).
   */
  addCamera(camera: NewCamera): Promise<Camera>;
  /** Cameras that you may read, of one folder or all, newest first. */
  cameras(of?: { folderId?: string }): Promise<Camera[]>;
  camera(id: string): Promise<Camera>;
  changeCamera(id: string, changes: CameraChange): Promise<Camera>;
  /** Creates a new key of a camera that pushes, which is shown only here. A previous key stops working. */
  createCameraKey(id: string): Promise<CameraKey>;
  /** Switches a camera on: it is recorded as long as its source can be reached. */
  startCamera(id: string): Promise<Camera>;
  /** Switches a camera off; its recording becomes a video. */
  stopCamera(id: string): Promise<Camera>;
  /** Deletes a camera; its recordings stay. */
  deleteCamera(id: string): Promise<void>;
  /** Tests the source of a camera, or one that is no camera yet. Failures of the source are results. */
  testCamera(of: { id: string } | { sourceUrl: string }): Promise<CameraTest>;
};

const PATH = '/api/cameras/{camera_id}';
const at = (camera_id: string) => ({ path: { camera_id } });

export function createCameraOperations(api: Client<paths>): CameraOperations {
  const changeCamera = async (id: string, body: CameraChange) =>
    (await api.PATCH(PATH, { params: at(id), body })).data!;
  return {
    addCamera: async (body) => (await api.POST('/api/cameras', { body })).data!,
    async cameras({ folderId: folder_id } = {}) {
      const all: Camera[] = [];
      for (let cursor: string | undefined; ; ) {
        const { data } = await api.GET('/api/cameras', { params: { query: { folder_id, cursor, limit: 1_000 } } });
        all.push(...data!.cameras);
        if (data!.next_cursor === null) return all;
        cursor = data!.next_cursor;
      }
    },
    camera: async (id) => (await api.GET(PATH, { params: at(id) })).data!,
    changeCamera,
    createCameraKey: async (id) => (await api.POST('/api/cameras/{camera_id}/key', { params: at(id) })).data!,
    startCamera: (id) => changeCamera(id, { enabled: true }),
    stopCamera: (id) => changeCamera(id, { enabled: false }),
    async deleteCamera(id) {
      await api.DELETE(PATH, { params: at(id) });
    },
    testCamera: async (of) =>
      'id' in of
        ? (await api.POST('/api/cameras/{camera_id}/test', { params: at(of.id) })).data!
        : (await api.POST('/api/cameras/test', { body: { source_url: of.sourceUrl } })).data!,
  };
}
