import type { Engine } from '#engine/index';
import type { Zones } from '#features/zones/index';
import type { LiveSession } from './types.ts';

export type LiveReadingDeps = { engine: Pick<Engine, 'plan' | 'interpret'>; zones: Pick<Zones, 'ofVideo'> };

/** The parts of a query that are searched for separately, and how the query is understood, in one sentence. */
export type LiveReading = { searches: string[]; interpretation: string };

/** Returns a reader of queries for a session. They can name the zones of its recording and of its folder. */
export function createReaderOf({ engine, zones }: LiveReadingDeps) {
  return async ({ videoId, folderId, cameraId }: Pick<LiveSession, 'videoId' | 'folderId' | 'cameraId'>) => {
    const named = await zones.ofVideo({ id: videoId, folderId, cameraId });
    return (query: string): LiveReading => {
      const plan = engine.plan(query, named);
      return { searches: plan.searches.map(({ text }) => text), interpretation: engine.interpret(plan) };
    };
  };
}

/** Payload of the event that a session has a new query. */
export const toQueryPayload = (sessionId: string, query: string, { interpretation }: LiveReading) => ({
  session_id: sessionId,
  rapid_review_query: query,
  interpretation,
});

export type ReaderOf = ReturnType<typeof createReaderOf>;
