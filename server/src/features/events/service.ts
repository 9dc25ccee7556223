import type { Database, Transaction } from '#platform/db/index';
import type { Events, NewEvent, News, StreamEvent } from './index.ts';
import * as store from './store.ts';
import { createWakes } from './wakes.ts';

/** Events read at once; bounds what one reader holds in memory. */
const PAGE = 250;

type Handler = (trx: Transaction, news: never) => Promise<void>;

/** News and streams on the given database. */
export function createEvents({ database }: { database: Database }): Events {
  const handlers = new Map<keyof News, Handler[]>();
  const wakes = createWakes(database);

  async function appendAll(trx: Transaction, streamId: string, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const texts = events.map(({ kind, data }) => ({
      kind,
      text: JSON.stringify({ event: kind, type: kind, ...data }),
    }));
    await store.insertEvents(trx, wakes.channel, streamId, texts, isLast(events.at(-1)!));
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
        if (page.some(isLast)) return;
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
    append: (trx, streamId, kind, data) => appendAll(trx, streamId, [{ kind, data }]),
    appendAll,
    follow,
    purge: (before) => store.purgeEvents(database.db, before),
    async stream(streamId) {
      const found = await store.findStream(database.db, streamId);
      return found && { id: found.id, orgId: found.orgId, ownerId: found.ownerId, closed: found.closed };
    },
  };
}

/** Nothing comes after the event that closes a stream. */
const isLast = ({ kind }: { kind: string }) => kind === 'done' || kind === 'error';
