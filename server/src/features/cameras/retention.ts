import type { DomainEvents } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import { ownerOf } from './owner.ts';
import * as store from './store.ts';

export type RetentionDeps = { database: Database; videos: Pick<Videos, 'removeMany'>; log: Log };

/** Recordings that are deleted at once. */
const BATCH = 100;

/** Deletes recordings past the retention of their camera, as the user who added the camera could. */
export function createRetention({ database, videos, log }: RetentionDeps) {
  return {
    async removeExpired(): Promise<void> {
      for (let after = ''; ; ) {
        const expired = await store.listExpiredRecordings(database.db, after, BATCH);
        for (const recordings of Map.groupBy(expired, ({ ownerId }) => ownerId).values()) {
          const ids = recordings.map(({ videoId }) => videoId);
          for (const { videoId, problem } of await videos.removeMany(ownerOf(recordings[0]!), ids, {
            rule: 'camera_retention',
          })) {
            if (problem) log.error({ err: problem, videoId }, 'a recording past its retention stays');
          }
        }
        if (expired.length < BATCH) return;
        // Those that cannot be deleted do not hold up the others.
        after = expired.at(-1)!.videoId;
      }
    },

    /** Domain event: a recording that somebody restores stays. */
    onVideoRestored: (trx: Transaction, { videoId }: DomainEvents['video.restored']): Promise<void> =>
      store.keepRecording(trx, videoId),
  };
}

export type CameraRetention = ReturnType<typeof createRetention>;
