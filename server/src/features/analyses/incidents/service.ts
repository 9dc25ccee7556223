import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { lockVideo } from '../event-index/store.ts';
import type { EventKey } from '../event-index/types.ts';
import { problems } from '../problems.ts';
import { contradicted } from './decisions.ts';
import * as store from './store.ts';

/** The incident of an event; null if it could not be computed. */
export type EventIncident = { eventId: string; incidentId: string | null };

export interface Incidents {
  /**
   * Decides whether an event is the same incident as each of others; null takes decisions about them back. Returns the
   * incidents of all. Throws as reviews do, or `incident_videos_differ` (400).
   */
  decide(
    caller: Caller,
    eventId: string,
    decision: { eventIds: readonly string[]; same: boolean | null },
  ): Promise<EventIncident[]>;
  /**
   * Computes the incidents of events that were stored by earlier versions, or by nodes of one during an upgrade: one
   * transaction for each video, until none is left.
   */
  assignEarlier(signal: AbortSignal): Promise<void>;
  /** Number of events whose incident is not computed yet. */
  countPending(): Promise<number>;
}

/** Access to events for decisions about them, as for verdicts: `reviewing` stores verdicts with their incidents. */
export interface ReviewedEvents {
  /** Parses the id of an event. Throws `event_not_found` (404). */
  parseEventId(eventId: string): EventKey;
  /** The problem of an event that does not exist. */
  notFound(): Error;
  /** Checks that the caller may review the events of these analyses. */
  require(caller: Caller, analysisIds: readonly string[]): Promise<void>;
}

/** Videos that are selected at once. */
const BATCH = 200;

export function createIncidents({ database, reviewing }: { database: Database; reviewing: ReviewedEvents }): Incidents {
  const { db } = database;

  /** Stores the decision and removes earlier ones that cannot hold beside it. */
  async function storeDecision(
    trx: Transaction,
    videoId: string,
    pair: { a: string; b: string },
    same: boolean,
    by: string,
  ) {
    await store.deleteDecisions(trx, contradicted(await store.listDecisions(trx, videoId), { ...pair, same }));
    await store.putDecisions(trx, videoId, [{ ...pair, same }], by);
  }

  return {
    async decide(caller, eventId, { eventIds, same }) {
      const others = [...new Set(eventIds)].filter((each) => each !== eventId);
      const all = [eventId, ...others];
      const keys = all.map(reviewing.parseEventId);
      const analysisIds = keys.map(({ analysisId }) => analysisId);
      await reviewing.require(caller, analysisIds);
      return database.transaction(async (trx) => {
        const [videoId, ...more] = await store.findVideos(trx, analysisIds);
        if (videoId === undefined || more.length > 0) throw problems.incident_videos_differ();
        await lockVideo(trx, videoId);
        const stored = await store.markStale(trx, keys);
        if (stored.length < keys.length) throw reviewing.notFound();
        for (const b of others) {
          if (same === null) await store.deleteDecisions(trx, [{ a: eventId, b }]);
          else await storeDecision(trx, videoId, { a: eventId, b }, same, caller.userId);
        }
        await store.assignIncidents(trx, videoId);
        const incidents = await store.findIncidents(trx, [...new Set(analysisIds)]);
        return all.map((each) => ({ eventId: each, incidentId: incidents.get(each) ?? null }));
      });
    },

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
