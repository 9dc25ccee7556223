/**
 * Which events of the wall somebody looked at in this browser: all of a stream until a time. Events before the wall was
 * first opened are not new.
 */
export type SeenEvents = {
  /** Time of the first visit, and of the newest seen event of each stream, in milliseconds since 1970. */
  since: number;
  streams: Record<string, number>;
};

type Found = { stream_id: string; created_at: string };

/** Events that were found shortly before the first visit are new, too. */
const BEFORE_VISIT_MS = 60_000;
const MOST_STREAMS = 500;
const STORED = 'sightline:wall-seen';

export const isNew = ({ since, streams }: SeenEvents, { stream_id, created_at }: Found): boolean =>
  Date.parse(created_at) > (streams[stream_id] ?? since);

/** The state after somebody has looked at these events. */
export function markSeen({ since, streams }: SeenEvents, events: readonly Found[]): SeenEvents {
  const next = { ...streams };
  for (const { stream_id, created_at } of events)
    next[stream_id] = Math.max(next[stream_id] ?? 0, Date.parse(created_at));
  const newest = Object.entries(next).sort(([, a], [, b]) => b - a);
  return { since, streams: Object.fromEntries(newest.slice(0, MOST_STREAMS)) };
}

/** The state of a first visit, at a time by the clock of the service, as those of events are. */
export const firstVisit = (nowMs: number): SeenEvents => ({ since: nowMs - BEFORE_VISIT_MS, streams: {} });

/** The stored state; null before the first visit. */
export function readSeen(storage: Pick<Storage, 'getItem'>): SeenEvents | null {
  try {
    const { since, streams } = JSON.parse(storage.getItem(STORED) ?? '{}');
    if (typeof since === 'number' && typeof streams === 'object' && streams !== null) return { since, streams };
  } catch {
    // Another version stored it, or the browser stores nothing.
  }
  return null;
}

export function storeSeen(storage: Pick<Storage, 'setItem'>, seen: SeenEvents): void {
  try {
    storage.setItem(STORED, JSON.stringify(seen));
  } catch {
    // It holds until the page is closed.
  }
}
