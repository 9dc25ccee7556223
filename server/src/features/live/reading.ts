import type { Engine } from '#engine/index';
import type { Zones } from '#features/zones/index';

export type LiveReadingDeps = { engine: Pick<Engine, 'plan' | 'interpret'>; zones: Pick<Zones, 'ofFolder'> };

/** The parts of a query that are searched for separately, and how the query is understood, in one sentence. */
export type LiveReading = { searches: string[]; interpretation: string };

/** Returns a reader of queries for sessions in a folder, whose zones can be named in them. */
export function createReaderOf({ engine, zones }: LiveReadingDeps) {
  return async (folderId: string | null) => {
    const named = await zones.ofFolder(folderId);
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
