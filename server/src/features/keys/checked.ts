import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/db/index';

/** Channel that tells every node that keys were revoked. */
export const REVOKED = 'keys_revoked';

/** How long a checked key is believed without asking again. It bounds a revocation that a node cannot hear of. */
const BELIEVED_MS = 1_000;
const MAX_KEYS = 10_000;

/**
 * Remembers checked keys for a second, so that a busy key costs one query a second instead of one a request. A revocation empties it on every
 * node at once; the second is the bound for a node whose connection for notifications is broken.
 */
export function createCheckedKeys<T extends object>(database: Pick<Database, 'listen'>) {
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
    listening = database.listen(REVOKED, forget);
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
    /** The checked key under `digest`, or what `look` finds; "nothing" is not remembered, so that a new key works at once. */
    async get(digest: string, look: () => Promise<T | null>): Promise<T | null> {
      const known = cache.get(digest);
      if (known) return known;
      const asked = underWay.get(digest);
      if (asked) return asked;
      if (!listening) listen();
      const started = { generation, at: performance.now() };
      const asking = look();
      underWay.set(digest, asking);
      try {
        const found = await asking;
        // What was read before a revocation must not be remembered after it.
        if (found && ready && started.generation === generation) {
          cache.set(digest, found, { start: started.at });
        }
        return found;
      } finally {
        if (underWay.get(digest) === asking) underWay.delete(digest);
      }
    },
    /** Not waited for: while the database is away, the subscription is still being made. */
    close() {
      listening?.then(
        (stop) => stop(),
        () => {},
      );
    },
  };
}
