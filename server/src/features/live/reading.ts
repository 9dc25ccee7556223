import type { Engine, Plan } from '#engine/index';
import type { Zones } from '#features/zones/index';
import type { LiveSession } from './types.ts';

export type LiveReadingDeps = {
  engine: Pick<Engine, 'interpret' | 'readings'>;
  zones: Pick<Zones, 'ofVideo'>;
};

/** The parts of a query that are searched for separately, and how the query is understood, in one sentence. */
export type LiveReading = { plan: Plan; searches: string[]; interpretation: string };

/** Returns a reader of queries for a session. They can name the zones of its recording and of its folder. */
export function createReaderOf({ engine, zones }: LiveReadingDeps) {
  return async ({ videoId, folderId, cameraId }: Pick<LiveSession, 'videoId' | 'folderId' | 'cameraId'>) => {
    const named = await zones.ofVideo({ id: videoId, folderId, cameraId });
    return {
      /** Reads a query into the plan that is stored with it. */
      read: (query: string): Plan => engine.readings.read(query, named),

      /** Returns what replaces the stored reading of a query; null: it holds. */
      renew: (stored: unknown, query: string): Plan | null => engine.readings.renew(stored, query, named),

      /** Opens the stored reading of a query with the zones as they are now. Without one, the query is read. */
      open(stored: unknown, query: string): LiveReading {
        const reading = engine.readings.renew(stored, query, named) ?? stored;
        const { plan } = engine.readings.open(reading, query, named);
        return { plan, searches: plan.searches.map(({ text }) => text), interpretation: engine.interpret(plan) };
      },
    };
  };
}

/** Payload of the event that a session has a new query. */
export const toQueryPayload = (
  sessionId: string,
  query: string,
  { interpretation }: Pick<LiveReading, 'interpretation'>,
) => ({
  session_id: sessionId,
  rapid_review_query: query,
  interpretation,
});

export type ReaderOf = ReturnType<typeof createReaderOf>;
