import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { dropContent } from './jobs.ts';
import { problems } from './problems.ts';
import type { Quota } from './space-store.ts';
import * as store from './space-store.ts';
import type { SpaceLimits, StoredFacts } from './types.ts';

/** No limit at all. */
export const UNLIMITED: SpaceLimits = { videos: null, bytes: null };

type SpaceDeps = { database: Database; jobs: Pick<Jobs, 'send' | 'sendMany'>; limits: SpaceLimits };
type Arrived = Omit<StoredFacts, 'probe'> & { id: string; scope: string; storageKey: string; reservedBytes: number };
type Leaving = { orgId: string; scope: string; status: string; sha256: string | null; reservedBytes: number };

/**
 * What an organisation's videos take up. A video counts from its first word on; bytes are those that uploads under way hold free, and
 * those that are stored, once for each content; samples, which nobody asked to keep, take up nothing. Whoever changes any of it locks the video, then its content, then the organisation.
 */
export function createSpace({ database, jobs, limits }: SpaceDeps) {
  async function change(trx: Transaction, orgId: string, { videos = 0, bytes = 0 }): Promise<void> {
    if (videos === 0 && bytes === 0) return;
    const { maxVideos, maxBytes, ...now } = await store.change(trx, orgId, { videos, bytes });
    const most = { videos: maxVideos ?? limits.videos, bytes: maxBytes ?? limits.bytes };
    if (videos > 0 && most.videos !== null && now.videos > most.videos) {
      throw problems.quota_exceeded(
        `Your organisation may have ${most.videos} videos and has ${now.videos - videos}: delete some, or ask the operator for more.`,
      );
    }
    if (bytes > 0 && most.bytes !== null && now.bytes > most.bytes) {
      throw problems.quota_exceeded(
        `This takes ${bytes} bytes more. Your organisation may store ${most.bytes} bytes, and ${now.bytes - bytes} are taken or held free for uploads under way: delete some videos, or ask the operator for more.`,
      );
    }
  }

  return {
    /** Throws `quota_exceeded` (403) when it makes more of anything than there may be. */
    change,

    /**
     * The files of videos are all there. Returns those whose content another video has already, with the place where that is: what came is
     * dropped. Throws `quota_exceeded` (403).
     */
    async keep(
      trx: Transaction,
      orgId: string,
      videos: readonly Arrived[],
    ): Promise<{ id: string; storageKey: string }[]> {
      const places = await store.useContents(trx, orgId, videos);
      const known = videos.filter(({ sha256, storageKey }) => places.get(sha256) !== storageKey);
      await jobs.sendMany(
        trx,
        dropContent,
        known.map(({ storageKey }) => ({ storageKey })),
      );
      let bytes = 0;
      for (const video of videos) {
        if (video.scope !== 'sample') bytes += (known.includes(video) ? 0 : video.sizeBytes) - video.reservedBytes;
      }
      await change(trx, orgId, { bytes });
      return known.map(({ id, sha256 }) => ({ id, storageKey: places.get(sha256)! }));
    },

    /** A video goes, or will not come; a stored file with the last video that has it. */
    async leave(trx: Transaction, { orgId, scope, status, sha256, reservedBytes }: Leaving): Promise<void> {
      // What failed has left already.
      if (status === 'UPLOADING_FAILED') return;
      const last = sha256 === null ? null : await store.leaveContent(trx, orgId, sha256);
      if (last) await jobs.send(trx, dropContent, { storageKey: last.storageKey });
      if (scope !== 'sample') await change(trx, orgId, { videos: -1, bytes: -reservedBytes - (last?.sizeBytes ?? 0) });
    },

    isUsed: (storageKey: string, trx?: Transaction) => store.isUsed(trx ?? database.db, storageKey),

    /** What the organisation takes up, and the limits that hold for it. */
    async of(orgId: string): Promise<Quota> {
      const { videos, bytes, maxVideos, maxBytes } = await store.quotaOf(database.db, orgId);
      return { videos, bytes, maxVideos: maxVideos ?? limits.videos, maxBytes: maxBytes ?? limits.bytes };
    },
  };
}

export type SpaceKeeper = ReturnType<typeof createSpace>;
