import { Readable } from 'node:stream';
import type { Issuer, UrlTokens } from '#features/keys/index';
import type { LiveRoom, SourceTest } from '#features/live/index';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { Camera } from './types.ts';

const PURPOSE = 'camera-snapshot';
/** Minimum lifetime of a URL, and the time for which it stays the same. */
const LIFETIME_S = 3_600;
const ROUNDED_S = 600;

export type SnapshotsDeps = {
  database: Database;
  storage: Pick<Storage, 'write' | 'readAll' | 'removeAll'>;
  live: Pick<LiveRoom, 'frames'>;
  urlTokens: UrlTokens;
  publicUrl: string;
};

/** Images of cameras: the last recorded frame, or else the image of the last connection test. */
export function createSnapshots({ database, storage, live, urlTokens, publicUrl }: SnapshotsDeps) {
  const { db } = database;
  const folderOf = (cameraId: string) => `cameras/${cameraId}/`;
  const keyOf = (cameraId: string) => `${folderOf(cameraId)}snapshot.jpg`;

  async function read(camera: Camera): Promise<Buffer> {
    const frame = camera.session && (await live.frames.last(camera.session.id));
    if (frame) return frame;
    if (!camera.snapshotAt) throw problems.camera_without_snapshot();
    return storage.readAll(keyOf(camera.id));
  }

  return {
    /** Signed URL of the image; null if there is none yet. */
    urlOf(caller: Issuer, { id, snapshotAt, lastFrameAt }: Camera): string | null {
      if (!snapshotAt && !lastFrameAt) return null;
      const until = Math.ceil((Date.now() / 1000 + LIFETIME_S) / ROUNDED_S) * ROUNDED_S;
      const token = urlTokens.sign(PURPOSE, id, new Date(until * 1000), caller);
      return `${publicUrl}/api/cameras/media/${id}/snapshot.jpg?token=${token}`;
    },

    /** Stores the image of a test that passed. */
    async save(cameraId: string, { snapshot, testedAt }: Pick<SourceTest, 'snapshot' | 'testedAt'>): Promise<void> {
      if (!snapshot) return;
      await storage.write(keyOf(cameraId), snapshot, { contentType: 'image/jpeg' });
      await store.setSnapshotTime(db, cameraId, testedAt);
    },

    remove: (cameraId: string) => storage.removeAll(folderOf(cameraId)),

    /** Throws `camera_url_expired`, `camera_url_invalid` (403), or `camera_without_snapshot` (404). */
    async open(cameraId: string, token: string): Promise<ServedFile> {
      const verdict = await urlTokens.verify(PURPOSE, cameraId, token);
      if (verdict === 'expired') throw problems.camera_url_expired();
      const camera = verdict === 'ok' ? await store.findCamera(db, cameraId) : null;
      if (!camera) throw problems.camera_url_invalid();
      const bytes = await read(camera);
      const modified = camera.lastFrameAt ?? camera.snapshotAt ?? camera.createdAt;
      return {
        size: bytes.length,
        modified,
        etag: `${cameraId}-${modified.getTime()}`,
        contentType: 'image/jpeg',
        open: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
      };
    },
  };
}

export type Snapshots = ReturnType<typeof createSnapshots>;
