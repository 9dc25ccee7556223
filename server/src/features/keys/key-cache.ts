import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/db/index';

/** Notification channel of revocations, for all nodes. */
export const REVOCATION_CHANNEL = 'keys_revoked';

/** Lifetime of a cache entry. Bounds the delay of a revocation on a node that gets no notifications. */
const BELIEVED_MS = 1_000;
const MAX_KEYS = 10_000;

/**
 * Caches checked keys for a second, so that a busy key costs one query per second instead of one per request. A
 * revocation empties the cache on every node at once; the lifetime is the bound for nodes whose notification connection
 * is broken.
 */
export function createKeyCache<T extends object>(database: Pick<Database, 'listen'>) {
  const cache = new LRUCache<string, T>({ max: MAX_KEYS, ttl: BELIEVED_MS });
  const underWay = new Map<string, Promise<T | null>>();
  let generation = 0;
  let listening: Promise<() => void> | null = null;
  let ready = false;

  function forget() {
    generation++;
    cache.clear();
    underWay.clear();
  }

  function listen() {
    listening = database.listen(REVOCATION_CHANNEL, forget);
    listening.then(
      () => {
        ready = true;
      },
      () => {
        listening = null;
      },
    );
  }

  return {
    forget,
    /**
     * The cached key of `digest`, or the result of `look`. A missing key is not cached, so that a new key works at
     * once.
     */
    async get(digest: string, look: () => Promise<T | null>): Promise<T | null> {
      const known = cache.get(digest);
      if (known) return known;
      const pending = underWay.get(digest);
      if (pending) return pending;
      if (!listening) listen();
      const started = { generation, at: performance.now() };
      const asking = look();
      underWay.set(digest, asking);
      try {
        const found = await asking;
        // A result that was read before a revocation must not be cached after it.
        if (found && ready && started.generation === generation) {
          cache.set(digest, found, { start: started.at });
        }
        return found;
      } finally {
        if (underWay.get(digest) === asking) underWay.delete(digest);
      }
    },
    /** Not awaited: while the database is down, the subscription is still pending. */
    close() {
      listening?.then(
        (stop) => stop(),
        () => {},
      );
    },
  };
}
