import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/db/index';
import type { Log } from '#platform/log';
import * as store from './store.ts';
import type { Change } from './types.ts';

/** Latest changes of an organization that a node keeps for its readers; others are read from the database. */
const RECENT = 1_000;
/** Shortest time between two reads, so that many small changes are sent together. */
const GATHER_MS = 100;
/** Pause after a failed read. */
const RETRY_MS = 1_000;
/** Interval of reads without a notification, in case one was lost. */
const POLL_MS = 20_000;

export type Feed = ReturnType<typeof createFeed>;

/** The stream of one organization on this node: read once, for all its readers. `close` when the last one ends. */
export function createFeed({ database, log }: { database: Database; log: Log }, orgId: string) {
  const wakers = new Set<() => void>();
  let recent: Change[] = [];
  let head = 0;
  let state: 'idle' | 'reading' | 'read again' = 'idle';
  let opened = false;
  let closed = false;
  const poll = setInterval(() => void refresh(), POLL_MS).unref();

  async function load(): Promise<void> {
    await store.numberChanges(database, orgId);
    for (;;) {
      const changes = await store.findChanges(database.db, orgId, head, RECENT);
      // Purged positions between the last read and this one: the rest must have no gap.
      if (changes.length > 0 && changes[0]!.id !== head + 1) recent = [];
      recent = [...recent, ...changes].slice(-RECENT);
      head = changes.at(-1)?.id ?? head;
      if (changes.length > 0) for (const wake of wakers) wake();
      if (changes.length < RECENT || closed) return;
    }
  }

  /** Reads new changes, soon and not more often than needed. */
  async function refresh(): Promise<void> {
    if (!opened) return;
    if (state !== 'idle') {
      state = 'read again';
      return;
    }
    do {
      state = 'reading';
      try {
        await load();
        await sleep(GATHER_MS);
      } catch (error) {
        if (closed) break;
        log.warn({ err: error }, 'could not read the activity of an organization');
        state = 'read again';
        await sleep(RETRY_MS);
      }
    } while (!closed && (state as string) === 'read again');
    state = 'idle';
  }

  return {
    /** Starts at the end of the stream. Throws if the database is unavailable. */
    async open(): Promise<void> {
      await store.numberChanges(database, orgId);
      head = (await store.findHead(database.db, orgId)).lastId;
      opened = true;
      // Notifications before this were ignored.
      void refresh();
    },
    refresh,
    isAtEnd: (after: number) => after >= head,
    /** Changes after a position, in order; at most one page. */
    async after(after: number): Promise<readonly Change[]> {
      const first = recent[0]?.id;
      if (first !== undefined && after + 1 >= first) return recent.slice(after + 1 - first);
      return store.findChanges(database.db, orgId, after, RECENT);
    },
    /** Calls `wake` when there are new changes. Returns a function that stops this. */
    subscribe(wake: () => void): () => void {
      wakers.add(wake);
      return () => void wakers.delete(wake);
    },
    close(): void {
      closed = true;
      clearInterval(poll);
    },
  };
}
