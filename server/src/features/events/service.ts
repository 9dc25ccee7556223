import type { Database, Transaction } from '#platform/db/index';
import { roundedJson } from '#platform/numbers';
import { createStreamNotifier } from './notifier.ts';
import * as store from './store.ts';
import type { AppendedEvent, DomainEvents, Events, NewEvent } from './types.ts';

/** Events per query; bounds the memory of one reader. */
const PAGE_SIZE = 250;

type Handler = (trx: Transaction, event: never) => Promise<void>;

/** Domain events and streams on the given database. */
export function createEvents({ database }: { database: Database }): Events {
  const handlers = new Map<keyof DomainEvents, Handler[]>();
  const notifier = createStreamNotifier(database);

  async function appendAll(trx: Transaction, streamId: string, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    // A failed stream ends with `done` too.
    const last = events.at(-1)!;
    const complete = last.kind === 'error' ? [...events, { kind: 'done', data: last.data } as const] : events;
    const texts = complete.map(({ kind, data }) => ({
      kind,
      text: roundedJson({ event: kind, type: kind, ...data }),
    }));
    await store.insertEvents(trx, notifier.channel, streamId, texts, isLast(complete.at(-1)!));
  }

  async function* follow(streamId: string, afterId: number, signal: AbortSignal): AsyncIterable<AppendedEvent> {
    await notifier.ready();
    const subscription = notifier.subscribe(streamId, signal);
    let last = afterId;
    try {
      while (!signal.aborted) {
        const page = await store.eventsAfter(database.db, streamId, last, PAGE_SIZE);
        for (const event of page) {
          if (signal.aborted) return;
          last = event.id;
          yield event;
        }
        if (page.some(isLast)) return;
        if (page.length === PAGE_SIZE) continue;
        const stream = await store.findStream(database.db, streamId);
        if (!stream) return;
        if (stream.closed && last >= stream.lastId) {
          // A reader that resumes at or past the end still gets the last event.
          if (page.length === 0) yield* await store.eventsAfter(database.db, streamId, stream.lastId - 1, 1);
          return;
        }
        if (last >= stream.lastId) await subscription.wait();
      }
    } finally {
      subscription.close();
    }
  }

  return {
    subscribe(topic, handler) {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handler as Handler]);
    },
    async publish(trx, topic, event) {
      for (const handler of handlers.get(topic) ?? []) await handler(trx, event as never);
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

/** Every stream ends with `done`; an `error` before it has the reason of a failure. */
const isLast = ({ kind }: { kind: string }) => kind === 'done';
