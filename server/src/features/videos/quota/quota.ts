import type { Events } from '#features/events/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { deleteContent } from '../jobs.ts';
import { problems } from '../problems.ts';
import type { InspectedFile, Quota, QuotaLimits } from '../types.ts';
import * as store from './store.ts';

export const UNLIMITED: QuotaLimits = { videos: null, bytes: null };

/** Settings for the limits of organizations without their own. */
type QuotaSettings = QuotaLimits & { furtherVideos: number; furtherBytes: number };

/** Limits of an organization without its own: those of all, if they are set; else only further ones have any. */
export const toLimits = (settings: QuotaSettings, isFirst: boolean): QuotaLimits => ({
  videos: settings.videos ?? (isFirst ? null : settings.furtherVideos),
  bytes: settings.bytes ?? (isFirst ? null : settings.furtherBytes),
});

/** Shares of a limit whose crossing is published, in percent. */
const LEVELS = [90, 100];

type QuotasDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  jobs: Pick<Jobs, 'send' | 'sendMany'>;
  /** Limits of an organization without its own. */
  limitsOf: (orgId: string) => Promise<QuotaLimits>;
};
type CountedVideo = Omit<InspectedFile, 'probe'> & {
  id: string;
  scope: string;
  storageKey: string;
  reservedBytes: number;
};
type ReleasedVideo = { orgId: string; scope: string; status: string; sha256: string | null; reservedBytes: number };

/**
 * Usage of each organization. Videos count from their creation; bytes are the reservations of running uploads plus
 * the stored files, each distinct content once. Samples do not count. Lock order: the video, its content, the
 * organization.
 */
export function createQuotas({ database, events, jobs, limitsOf }: QuotasDeps) {
  async function addUsage(trx: Transaction, orgId: string, { videos = 0, bytes = 0 }): Promise<void> {
    if (videos === 0 && bytes === 0) return;
    const { maxVideos, maxBytes, ...used } = await store.addUsage(trx, orgId, { videos, bytes });
    const limits = await limitsOf(orgId);
    const limit = { videos: maxVideos ?? limits.videos, bytes: maxBytes ?? limits.bytes };
    if (videos > 0 && limit.videos !== null && used.videos > limit.videos) {
      throw problems.quota_exceeded(
        `Your organization may have ${limit.videos} videos and has ${used.videos - videos}. Delete some, or ask the operator for more.`,
      );
    }
    if (bytes > 0 && limit.bytes !== null && used.bytes > limit.bytes) {
      throw problems.quota_exceeded(
        `This needs ${bytes} more bytes. Your organization may store ${limit.bytes} bytes, and ${used.bytes - bytes} are used or reserved for running uploads: delete some videos, or ask the operator for more.`,
      );
    }
    await publishLevels(trx, orgId, 'videos', { used: used.videos, added: videos, maximum: limit.videos });
    await publishLevels(trx, orgId, 'bytes', { used: used.bytes, added: bytes, maximum: limit.bytes });
  }

  /** Publishes the highest level that an increase has crossed. A refused increase changes nothing. */
  async function publishLevels(
    trx: Transaction,
    orgId: string,
    limit: 'videos' | 'bytes',
    { used, added, maximum }: { used: number; added: number; maximum: number | null },
  ): Promise<void> {
    if (!maximum || added <= 0) return;
    const percent = LEVELS.findLast((level) => used >= (maximum * level) / 100);
    if (percent === undefined || used - added >= (maximum * percent) / 100) return;
    await events.publish(trx, 'quota.reached', { orgId, limit, percent, used, maximum });
  }

  return {
    /** Adds to the usage; negative numbers release. Throws `quota_exceeded` (403) if an increase exceeds a limit. */
    addUsage,

    /**
     * Counts the files of videos that are now stored completely. Returns the videos whose content is stored already,
     * with its storage key; jobs delete the duplicates. Throws `quota_exceeded` (403).
     */
    async countStored(
      trx: Transaction,
      orgId: string,
      videos: readonly CountedVideo[],
    ): Promise<{ id: string; storageKey: string }[]> {
      const storageKeys = await store.referenceContents(trx, orgId, videos);
      const duplicates = videos.filter(({ sha256, storageKey }) => storageKeys.get(sha256) !== storageKey);
      await jobs.sendMany(
        trx,
        deleteContent,
        duplicates.map(({ storageKey }) => ({ storageKey })),
      );
      let bytes = 0;
      for (const video of videos) {
        if (video.scope !== 'sample') bytes += (duplicates.includes(video) ? 0 : video.sizeBytes) - video.reservedBytes;
      }
      await addUsage(trx, orgId, { bytes });
      return duplicates.map(({ id, sha256 }) => ({ id, storageKey: storageKeys.get(sha256)! }));
    },

    /** Releases the usage of a video that failed or is erased; its file is deleted if no other video refers to it. */
    async release(trx: Transaction, { orgId, scope, status, sha256, reservedBytes }: ReleasedVideo): Promise<void> {
      // A failed video was released when it failed.
      if (status === 'UPLOADING_FAILED') return;
      const unused = sha256 === null ? null : await store.releaseContent(trx, orgId, sha256);
      if (unused) await jobs.send(trx, deleteContent, { storageKey: unused.storageKey });
      if (scope !== 'sample')
        await addUsage(trx, orgId, { videos: -1, bytes: -reservedBytes - (unused?.sizeBytes ?? 0) });
    },

    /** True if a video refers to the file. */
    isReferenced: (storageKey: string, trx?: Transaction) => store.isReferenced(trx ?? database.db, storageKey),

    /** Usage of the organization and the limits in force. */
    async get(orgId: string): Promise<Quota> {
      const { videos, bytes, maxVideos, maxBytes } = await store.findQuota(database.db, orgId);
      const limits = await limitsOf(orgId);
      return { videos, bytes, maxVideos: maxVideos ?? limits.videos, maxBytes: maxBytes ?? limits.bytes };
    },
  };
}

export type Quotas = ReturnType<typeof createQuotas>;
