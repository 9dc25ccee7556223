import { checkSidecar, examine, nameOfPath } from '#features/uploads/index';
import { contentKey, type StoredFacts, sidecarKey, type Videos } from '#features/videos/index';
import type { Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { importedVideos } from './row-store.ts';
import type { Arriving, ObjectKind, Source } from './types.ts';

type Brought = { facts: StoredFacts; sidecar: ReturnType<typeof checkSidecar> | null };

export type VideoKindDeps = {
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'createAll' | 'amend' | 'find' | 'markAllReady' | 'markFailed' | 'discard'>;
  maxBytes: number;
};

const EXTENSIONS = ['.mp4', '.m4v', '.mov', '.webm', '.mkv', '.avi', '.ts', '.mts', '.m2ts', '.mpg', '.mpeg', '.flv'];
/** What may lie beside a video: `a.json` beside `a.mp4`. */
const SIDECARS = ['.json', '.csv', '.srt'];
const SIDECAR_BYTES = 16 * 2 ** 20;

/** Objects that are videos: they arrive as uploads do. */
export function createVideoKind({ storage, media, videos, maxBytes }: VideoKindDeps): ObjectKind<Brought> {
  async function sidecarOf({ key }: Arriving, source: Source) {
    const base = key.replace(/\.[^./]+$/, '');
    for (const extension of SIDECARS) {
      const bytes = await source.small(base + extension, SIDECAR_BYTES);
      if (bytes) return checkSidecar(nameOfPath(base + extension), bytes);
    }
    return null;
  }

  return {
    name: 'video',
    extensions: EXTENSIONS,

    async stateOf(id) {
      const video = await videos.find(id);
      if (!video) return null;
      return video.status === 'UPLOADING_FAILED' ? 'failed' : 'arriving';
    },

    known: importedVideos,

    async begin(trx, objects) {
      const records = objects.map(({ id, key, uri, sizeBytes, job }) => {
        const { orgId, ownerId, scope, folderId, provider } = job;
        const record = {
          id,
          orgId,
          ownerId,
          scope,
          folderId,
          name: nameOfPath(key),
          source: provider,
          sourceUri: uri,
        };
        return { ...record, metadata: {}, heartbeat: false, reserveBytes: sizeBytes ?? 0 };
      });
      await videos.createAll(trx, records);
    },

    async receive(object, source, signal) {
      const { id, key, job } = object;
      const storageKey = contentKey(id);
      const sidecar = job.sidecars ? await sidecarOf(object, source) : null;
      const stored = await storage.write(storageKey, source.bytes(key), { signal, maxBytes });
      const facts = await examine({ storage, media }, storageKey, stored, signal).catch(async (error) => {
        // What is no video does not stay.
        if (!signal.aborted) await storage.remove(storageKey);
        throw error;
      });
      if (sidecar) await storage.write(sidecarKey(id), sidecar.bytes, { signal });
      return { facts, sidecar };
    },

    async finish(trx, received) {
      for (const { id, brought } of received) {
        const { sidecar } = brought;
        if (sidecar) await videos.amend(trx, id, { metadata: { sidecar: sidecar.summary } });
      }
      const arrived = received.map(({ id, brought }) => ({ ...brought.facts, id }));
      return (await videos.markAllReady(trx, arrived)).length === received.length;
    },

    async fail(trx, id, { code, message }) {
      await videos.markFailed(trx, id, code, message);
    },

    discard: (id) => videos.discard(id),
  };
}
