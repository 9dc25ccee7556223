import type { Transaction } from '#platform/db/index';
import type { Storage } from '#platform/storage/index';
import type { SpaceKeeper } from './space.ts';

/** What belongs to one video alone lies here. */
const folderOf = (id: string) => `videos/${id}/`;
/** What came with one video, and others may come to have too. */
const contentFolderOf = (id: string) => `contents/${id}/`;

/** Where the file of a video goes while it comes. */
export const contentKey = (id: string) => `${contentFolderOf(id)}source`;

/** Where the file that came beside a video is kept. */
export const sidecarKey = (id: string) => `${folderOf(id)}sidecar`;

/** The files of videos. Removing is safe at any time and any number of times: what a video still has as its content stays. */
export function createFiles({ storage, space }: { storage: Storage; space: Pick<SpaceKeeper, 'isUsed'> }) {
  async function dropContent(storageKey: string, trx?: Transaction): Promise<void> {
    if (!(await space.isUsed(storageKey, trx))) await storage.removeAll(storageKey.replace(/[^/]+$/, ''));
  }
  return {
    dropContent,
    async remove(id: string, trx?: Transaction): Promise<void> {
      await storage.removeAll(folderOf(id));
      await dropContent(contentKey(id), trx);
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
