import { sidecarKey, type Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import type { SidecarUploads } from '../types.ts';
import { parseSidecar, type Sidecar } from './sidecar.ts';

export function createSidecarStore(storage: Storage) {
  return {
    /** Stores the sidecar file of a video, in place of an earlier one. */
    async write(videoId: string, { bytes }: Sidecar, signal?: AbortSignal): Promise<void> {
      await storage.write(sidecarKey(videoId), bytes, { signal, contentType: 'application/octet-stream' });
    },
  };
}

export type SidecarStore = ReturnType<typeof createSidecarStore>;

type SidecarUploadsDeps = {
  database: Database;
  videos: Pick<Videos, 'get' | 'getWritable' | 'setSidecar' | 'discard'>;
  sidecars: SidecarStore;
};

/** Sidecar files that are uploaded separately from their video. */
export function createSidecarUploads({ database, videos, sidecars }: SidecarUploadsDeps): SidecarUploads {
  return {
    async putSidecar(caller, videoId, { filename, bytes }, signal) {
      await videos.getWritable(caller, videoId);
      const sidecar = await parseSidecar(filename, bytes, signal);
      await sidecars.write(videoId, sidecar);
      if (!(await database.transaction((trx) => videos.setSidecar(trx, videoId, sidecar.summary)))) {
        await videos.discard(videoId);
        throw problems.upload_deleted();
      }
      return videos.get(caller, videoId);
    },
  };
}
