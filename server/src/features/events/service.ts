import type { Database, Transaction } from '#platform/db/index';
import { roundedJson } from '#platform/numbers';
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
    // A stream that failed ends as every stream does.
    const last = events.at(-1)!;
    const whole = last.kind === 'error' ? [...events, { kind: 'done', data: last.data } as const] : events;
    const texts = whole.map(({ kind, data }) => ({
      kind,
      text: roundedJson({ event: kind, type: kind, ...data }),
    }));
    await store.insertEvents(trx, wakes.channel, streamId, texts, isLast(whole.at(-1)!));
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
        if (page.some(isLast)) return;
        if (page.length === PAGE) continue;
        const stream = await store.findStream(database.db, streamId);
        if (!stream) return;
        if (stream.closed && last >= stream.lastId) {
          // A reader that resumes at or past the end still hears how the stream ended.
          if (page.length === 0) yield* await store.eventsAfter(database.db, streamId, stream.lastId - 1, 1);
          return;
        }
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

/** Every stream ends with `done`; an `error` before it says why it failed. */
const isLast = ({ kind }: { kind: string }) => kind === 'done';
