import type { Database, Transaction } from '#platform/db/index';
import type { Events, News, StreamEvent } from './index.ts';
import * as store from './store.ts';
import { createWakes } from './wakes.ts';

/** Events read at once; bounds what one reader holds in memory. */
const PAGE = 250;

type Handler = (trx: Transaction, news: never) => Promise<void>;

/** News and streams on the given database. */
export function createEvents({ database }: { database: Database }): Events {
  const handlers = new Map<keyof News, Handler[]>();
  const wakes = createWakes(database);

  async function add(trx: Transaction, streamId: string, kind: string, data: readonly object[], close = false) {
    if (data.length === 0) return;
    const texts = data.map((d) => JSON.stringify({ event: kind, type: kind, ...d }));
    if (await store.insertEvents(trx, streamId, kind, texts, close)) {
      await database.notify(trx, wakes.channel, streamId);
    }
  }

  async function* follow(streamId: string, afterId: number, signal: AbortSignal): AsyncIterable<StreamEvent> {
    await wakes.ready();
    const bell = wakes.open(streamId, signal);
    let last = afterId;
    try {
      while (!signal.aborted) {
        const page = await store.eventsAfter(database.db, streamId, last, PAGE);
        for (const event of page) {
          if (signal.aborted) return;
          last = event.id;
          yield event;
        }
        if (page.length === PAGE) continue;
        // Nothing comes after the event that closed a stream.
        const stream = await store.findStream(database.db, streamId);
        if (!stream || (stream.closed && last >= stream.lastId)) return;
        if (last >= stream.lastId) await bell.wait();
      }
    } finally {
      bell.close();
    }
  }

  return {
    subscribe(topic, handler) {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handler as Handler]);
    },
    async publish(trx, topic, news) {
      for (const handler of handlers.get(topic) ?? []) await handler(trx, news as never);
    },
    openStream: store.insertStream,
    append: (trx, streamId, kind, data) => add(trx, streamId, kind, [data]),
    appendAll: add,
    closeStream: (trx, streamId, kind, data) => add(trx, streamId, kind, [data], true),
    follow,
    purge: (before) => store.purgeEvents(database.db, before),
    async stream(streamId) {
      const found = await store.findStream(database.db, streamId);
      return found && { id: found.id, orgId: found.orgId, ownerId: found.ownerId, closed: found.closed };
    },
  };
}
