import type { Transaction } from '#platform/db/index';
import type { Storage } from '#platform/storage/index';
import type { Quotas } from './quota/index.ts';

/** Files of one video that are never shared. */
const videoFolder = (id: string) => `videos/${id}/`;
/** The uploaded file; other videos with equal bytes may refer to it. */
const contentFolder = (id: string) => `contents/${id}/`;

/** Storage key that the file of a video is uploaded to. */
export const contentKey = (id: string) => `${contentFolder(id)}source`;

/** Storage key of the sidecar file of a video. */
export const sidecarKey = (id: string) => `${videoFolder(id)}sidecar`;

/** Storage key of the subtitle file that was added to a video: WebVTT. */
export const subtitlesKey = (id: string) => `${videoFolder(id)}subtitles`;

/** Storage key of the trajectory that a recording measured during a video. */
export const trajectoryKey = (id: string) => `${videoFolder(id)}trajectory`;

/** Removes files of videos. Safe at any time and any number of times: files that a video refers to are retained. */
export function createVideoFiles({ storage, quotas }: { storage: Storage; quotas: Pick<Quotas, 'isReferenced'> }) {
  async function removeUnusedContent(storageKey: string, trx?: Transaction): Promise<void> {
    if (!(await quotas.isReferenced(storageKey, trx))) await storage.removeAll(storageKey.replace(/[^/]+$/, ''));
  }
  return {
    removeUnusedContent,
    async remove(id: string, trx?: Transaction): Promise<void> {
      await storage.removeAll(videoFolder(id));
      await removeUnusedContent(contentKey(id), trx);
    },
  };
}

export type VideoFiles = ReturnType<typeof createVideoFiles>;
