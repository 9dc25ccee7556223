import { inspectFile, parseSidecar, videoNameFromPath } from '#features/uploads/index';
import { contentKey, type InspectedFile, sidecarKey, type Videos } from '#features/videos/index';
import type { Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { findImportedVideos } from './transfer/row-store.ts';
import type { ObjectKind, ObjectReader, SourceObject } from './types.ts';

type StoredVideo = { facts: InspectedFile; sidecar: ReturnType<typeof parseSidecar> | null };

export type VideoKindDeps = {
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'createAll' | 'updatePending' | 'find' | 'markAllReady' | 'markFailed' | 'discard'>;
  maxBytes: number;
};

const EXTENSIONS = ['.mp4', '.m4v', '.mov', '.webm', '.mkv', '.avi', '.ts', '.mts', '.m2ts', '.mpg', '.mpeg', '.flv'];
/** Extensions of sidecar files: `a.json` belongs to `a.mp4`. */
const SIDECAR_EXTENSIONS = ['.json', '.csv', '.srt'];
const MAX_SIDECAR_BYTES = 16 * 2 ** 20;

/** Videos: stored and inspected like uploads. */
export function createVideoKind({ storage, media, videos, maxBytes }: VideoKindDeps): ObjectKind<StoredVideo> {
  async function readSidecar({ key }: SourceObject, reader: ObjectReader) {
    const base = key.replace(/\.[^./]+$/, '');
    for (const extension of SIDECAR_EXTENSIONS) {
      const bytes = await reader.readSmall(base + extension, MAX_SIDECAR_BYTES);
      if (bytes) return parseSidecar(videoNameFromPath(base + extension), bytes);
    }
    return null;
  }

  return {
    name: 'video',
    extensions: EXTENSIONS,

    async getRecordState(id) {
      const video = await videos.find(id);
      if (!video) return null;
      return video.status === 'UPLOADING_FAILED' ? 'failed' : 'pending';
    },

    findExisting: findImportedVideos,

    async createRecords(trx, objects) {
      const records = objects.map(({ id, name, key, uri, sizeBytes, job }) => {
        const { orgId, ownerId, scope, folderId, provider } = job;
        return {
          ...{ id, orgId, ownerId, scope, folderId, name: name ?? videoNameFromPath(key) },
          ...{ source: provider, sourceUri: uri },
          ...{ metadata: {}, heartbeat: false, reserveBytes: sizeBytes ?? 0 },
        };
      });
      await videos.createAll(trx, records);
    },

    async store(object, reader, signal) {
      const { id, key, job } = object;
      const storageKey = contentKey(id);
      const sidecar = job.sidecars ? await readSidecar(object, reader) : null;
      const stored = await storage.write(storageKey, reader.read(key), { signal, maxBytes });
      const facts = await inspectFile({ storage, media }, storageKey, stored, signal).catch(async (error) => {
        // Unreadable files are not stored.
        if (!signal.aborted) await storage.remove(storageKey);
        throw error;
      });
      if (sidecar) await storage.write(sidecarKey(id), sidecar.bytes, { signal });
      return { facts, sidecar };
    },

    async markReady(trx, objects) {
      for (const { id, stored } of objects) {
        const { sidecar } = stored;
        if (sidecar) await videos.updatePending(trx, id, { metadata: { sidecar: sidecar.summary } });
      }
      const ready = objects.map(({ id, stored }) => ({ ...stored.facts, id }));
      return (await videos.markAllReady(trx, ready)).length === objects.length;
    },

    async markFailed(trx, id, { code, message }) {
      await videos.markFailed(trx, id, code, message);
    },

    discard: (id) => videos.discard(id),
  };
}
