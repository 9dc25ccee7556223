import type { Database } from '#platform/db/index';
import type { Caller, ServerSentEvent } from '#platform/http/index';
import type { Log } from '#platform/log';
import { createFeed, type Feed } from './feed.ts';
import { toEvent } from './resources.ts';
import * as store from './store.ts';

type Reader = {
  /** The caller now: the role of a signed-in user may change while the stream is open. */
  caller: () => Caller;
  /** The last received event; 0: starts with the next change. */
  lastId: number;
  signal: AbortSignal;
};

/** The activity room. */
export function createActivity({ database, log }: { database: Database; log: Log }) {
  const feeds = new Map<string, { feed: Feed; opened: Promise<void>; readers: number }>();
  let listening: Promise<unknown> | null = null;

  function onNotification(orgId: string | null): void {
    // After a reconnect it is unknown which notifications were missed.
    const notified = orgId === null ? feeds.values() : [feeds.get(orgId)];
    for (const open of notified) void open?.feed.refresh();
  }

  function listen(): Promise<unknown> {
    listening ??= database.listen(store.CHANNEL, onNotification).catch((error) => {
      listening = null;
      throw error;
    });
    return listening;
  }

  function openFeed(orgId: string) {
    const feed = createFeed({ database, log }, orgId);
    const open = { feed, opened: feed.open(), readers: 0 };
    feeds.set(orgId, open);
    return open;
  }

  async function* follow({ caller, lastId, signal }: Reader): AsyncGenerator<ServerSentEvent> {
    const { orgId } = caller();
    await listen();
    const open = feeds.get(orgId) ?? openFeed(orgId);
    open.readers++;
    let wake = () => {};
    const unsubscribe = open.feed.subscribe(() => wake());
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      await open.opened;
      const { feed } = open;
      let last = lastId;
      /** Events before the first change: the position of a new reader, or the end of what another one missed. */
      const start = async (kind: 'ready' | 'reset') => {
        last = (await store.findHead(database.db, orgId)).lastId;
        return { id: last, kind, data: JSON.stringify({ event: kind, type: kind }) };
      };
      if (lastId === 0) yield await start('ready');
      else {
        const head = await store.findHead(database.db, orgId);
        if (lastId > head.lastId || lastId < head.purgedId) yield await start('reset');
      }
      while (!signal.aborted) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const changes = await feed.after(last);
        const next = changes[0]?.id;
        if (next === undefined ? !feed.isAtEnd(last) : next !== last + 1) {
          yield await start('reset');
          continue;
        }
        for (const change of changes) {
          if (signal.aborted) return;
          last = change.id;
          const event = toEvent(caller(), change);
          if (event) yield event;
        }
        if (next === undefined && !signal.aborted) await woken;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      unsubscribe();
      open.readers--;
      if (open.readers === 0 && feeds.get(orgId) === open) {
        feeds.delete(orgId);
        open.feed.close();
      }
    }
  }

  return {
    /**
     * Changes for the caller after an event, until the signal aborts: each once and in order. First
     * `ready` with the current position for a new reader, or `reset` if the changes after the event are not stored.
     */
    follow,
    /**
     * Removes changes from before a time and returns their number. Numbers the others, so that the first reader after
     * a long time does not wait for that.
     */
    async purge(before: Date): Promise<number> {
      const removed = await store.purge(database, before);
      for (const orgId of await store.findPendingOrgs(database.db)) await store.numberChanges(database, orgId);
      return removed;
    },
  };
}

export type Activity = ReturnType<typeof createActivity>;
