import type { Engine, Plan } from '#engine/index';

/** Readings of an engine whose plans are not real ones and search for nothing: a stored plan is that of its query. */
export function testReadings(plan: (query: string) => Plan): Engine['readings'] {
  const read = (query: string): Plan => ({ ...plan(query), query, searches: [] });
  return {
    nameZones: (_query, known) => [...known],
    read,
    renew: (stored, query) => ((stored as Plan | null)?.query === query ? null : read(query)),
    place: (reading) => reading,
    open: (stored) => ({ plan: stored as Plan, fault: null }),
    idOf: ({ query }) => query,
    digestOf: ({ query }) => query,
    join: read,
  };
}
