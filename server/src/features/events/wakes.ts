import type { Database } from '#platform/db/index';

const CHANNEL = 'sightline_streams';
/** How long a reader waits at most before it looks anyway. */
const LOOK_ANYWAY_MS = 20_000;

/** Wakes this node's readers when one of their streams has grown on any node: one notification channel for all streams. */
export function createWakes(database: Database) {
  const waiting = new Map<string, Set<() => void>>();
  let listening: Promise<unknown> | null = null;

  function onPayload(streamId: string | null): void {
    // After a reconnect nobody knows what was missed: everyone looks.
    const sets = streamId === null ? [...waiting.values()] : [waiting.get(streamId) ?? []];
    for (const set of sets) for (const notify of set) notify();
  }

  return {
    channel: CHANNEL,
    /** Must be awaited before the first look at the rows, so that nothing falls between the look and the wait. */
    ready(): Promise<unknown> {
      listening ??= database.listen(CHANNEL, onPayload).catch((error) => {
        listening = null;
        throw error;
      });
      return listening;
    },
    /** A reader's bell: `wait` returns once it rang since the last `wait`, on abort, or after a while. */
    open(streamId: string, signal: AbortSignal) {
      let rang = false;
      let resume = () => {};
      const ring = () => {
        rang = true;
        resume();
      };
      const set = waiting.get(streamId) ?? new Set();
      waiting.set(streamId, set.add(ring));
      signal.addEventListener('abort', ring);
      return {
        async wait(): Promise<void> {
          if (!rang) {
            let timer: NodeJS.Timeout | undefined;
            await new Promise<void>((resolve) => {
              resume = resolve;
              timer = setTimeout(resolve, LOOK_ANYWAY_MS);
            });
            clearTimeout(timer);
          }
          rang = false;
        },
        close(): void {
          signal.removeEventListener('abort', ring);
          set.delete(ring);
          if (set.size === 0 && waiting.get(streamId) === set) waiting.delete(streamId);
        },
      };
    },
  };
}
