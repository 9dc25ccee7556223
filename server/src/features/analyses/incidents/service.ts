import type { Database } from '#platform/db/index';
import { lockVideo } from '../event-index/store.ts';
import * as store from './store.ts';

/** Incidents of events that were stored by earlier versions, or by nodes of one during an upgrade. */
export interface Incidents {
  /** Computes what is missing, one transaction for each video, until nothing is. */
  assignEarlier(signal: AbortSignal): Promise<void>;
  /** Number of events whose incident is not computed yet. */
  countPending(): Promise<number>;
}

/** Videos that are selected at once. */
const BATCH = 200;

export function createIncidents({ database }: { database: Database }): Incidents {
  const { db } = database;
  return {
    async assignEarlier(signal) {
      for (;;) {
        const videoIds = await store.findVideosWithout(db, BATCH);
        if (videoIds.length === 0) return;
        for (const videoId of videoIds) {
          signal.throwIfAborted();
          await database.transaction(async (trx) => {
            await lockVideo(trx, videoId);
            await store.assignIncidents(trx, videoId);
          });
        }
      }
    },
    countPending: () => store.countWithout(db),
  };
}
