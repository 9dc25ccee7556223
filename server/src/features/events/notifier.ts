import type { Database } from '#platform/db/index';

const CHANNEL = 'sightline_streams';
/** Longest wait of a reader before it polls, in case a notification was lost. */
const POLL_INTERVAL_MS = 20_000;

/** Notifies the readers of this node when a stream has grown on any node, over one channel for all streams. */
export function createStreamNotifier(database: Database) {
  const listeners = new Map<string, Set<() => void>>();
  let subscription: Promise<unknown> | null = null;

  function onNotification(streamId: string | null): void {
    // After a reconnect it is unknown which notifications were missed, so all readers poll.
    const sets = streamId === null ? [...listeners.values()] : [listeners.get(streamId) ?? []];
    for (const set of sets) for (const notify of set) notify();
  }

  return {
    channel: CHANNEL,
    /** Must be awaited before the first query, so that no event falls between the query and the wait. */
    ready(): Promise<unknown> {
      subscription ??= database.listen(CHANNEL, onNotification).catch((error) => {
        subscription = null;
        throw error;
      });
      return subscription;
    },
    /**
     * Subscribes a reader. `wait` returns after a notification since the last `wait`, on abort, or after the poll
     * interval.
     */
    subscribe(streamId: string, signal: AbortSignal) {
      let notified = false;
      let resume = () => {};
      const notify = () => {
        notified = true;
        resume();
      };
      const set = listeners.get(streamId) ?? new Set();
      listeners.set(streamId, set.add(notify));
      signal.addEventListener('abort', notify);
      return {
        async wait(): Promise<void> {
          if (!notified) {
            let timer: NodeJS.Timeout | undefined;
            await new Promise<void>((resolve) => {
              resume = resolve;
              timer = setTimeout(resolve, POLL_INTERVAL_MS);
            });
            clearTimeout(timer);
          }
          notified = false;
        },
        close(): void {
          signal.removeEventListener('abort', notify);
          set.delete(notify);
          if (set.size === 0 && listeners.get(streamId) === set) listeners.delete(streamId);
        },
      };
    },
  };
}
