import {
  createFilesBeside,
  createSidecarStore,
  createSubtitleStore,
  type FilesBeside,
  inspectFile,
  readFilesBeside,
  summariesOf,
  videoNameFromPath,
} from '#features/uploads/index';
import { contentKey, type InspectedFile, type Videos } from '#features/videos/index';
import type { Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { findImportedVideos } from './transfer/row-store.ts';
import type { ObjectKind } from './types.ts';

type StoredVideo = { facts: InspectedFile; beside: FilesBeside };

export type VideoKindDeps = {
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'createAll' | 'updatePending' | 'find' | 'markAllReady' | 'markFailed' | 'discard'>;
  maxBytes: number;
};

const EXTENSIONS = ['.mp4', '.m4v', '.mov', '.webm', '.mkv', '.avi', '.ts', '.mts', '.m2ts', '.mpg', '.mpeg', '.flv'];
const MAX_BYTES_BESIDE = 16 * 2 ** 20;

/** Videos: stored and inspected like uploads. */
export function createVideoKind({ storage, media, videos, maxBytes }: VideoKindDeps): ObjectKind<StoredVideo> {
  const filesBeside = createFilesBeside({
    sidecars: createSidecarStore(storage),
    subtitles: createSubtitleStore(storage),
  });

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
          id,
          orgId,
          ownerId,
          scope,
          folderId,
          name: name ?? videoNameFromPath(key),
          source: provider,
          sourceUri: uri,
          metadata: {},
          heartbeat: false,
          reserveBytes: sizeBytes ?? 0,
        };
      });
      await videos.createAll(trx, records);
    },

    async store(object, reader, signal) {
      const { id, key, job } = object;
      const storageKey = contentKey(id);
      const beside = job.sidecars
        ? await readFilesBeside(key, (path) => reader.readSmall(path, MAX_BYTES_BESIDE))
        : { sidecar: null, subtitles: null };
      const stored = await storage.write(storageKey, reader.read(key), { signal, maxBytes });
      const facts = await inspectFile({ storage, media }, storageKey, stored, signal).catch(async (error) => {
        // Unreadable files are not stored.
        if (!signal.aborted) await storage.remove(storageKey);
        throw error;
      });
      await filesBeside.write(id, beside, signal);
      return { facts, beside };
    },

    async markReady(trx, objects) {
      for (const { id, stored } of objects) {
        const metadata = summariesOf(stored.beside);
        if (Object.keys(metadata).length > 0) await videos.updatePending(trx, id, { metadata });
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
