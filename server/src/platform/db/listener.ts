import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#platform/log';
import type { ConnectionOptions } from './index.ts';
import { createSockets } from './sockets.ts';

type OnPayload = (payload: string | null) => void;

/** A connection that died without a word is found out by asking. */
const HEARTBEAT_MS = 30_000;
const PATIENCE_MS = 10_000;

/** Sends a statement once those before it are answered: the driver wants one at a time. */
type Line = { say(statement: string): Promise<unknown>; end(): Promise<void> };

/** One LISTEN connection for the whole process, outside the pool; it reconnects with growing waits and then tells every listener so. */
export function createListener(connection: ConnectionOptions, log: Log) {
  const listeners = new Map<string, Set<OnPayload>>();
  const closing = new AbortController();
  const sockets = createSockets();
  let line: Promise<Line> | null = null;

  /** Connects, however long that takes, and listens on every channel there is. */
  async function connect(): Promise<Line> {
    for (let attempt = 0; ; attempt++) {
      const next = new pg.Client({
        ...connection,
        ...sockets.options,
        connectionTimeoutMillis: PATIENCE_MS,
        application_name: 'sightline listener',
      });
      try {
        // An 'error' without a listener would end the process; 'end' follows it and reconnects.
        next.on('error', (error) => {
          if (!closing.signal.aborted) log.warn({ err: error }, 'lost the connection for notifications');
        });
        next.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''));
        await next.connect();
        const made = lineOf(next);
        for (const channel of listeners.keys()) await made.say(`listen ${pg.escapeIdentifier(channel)}`);
        const heartbeat = setInterval(() => made.say('select 1').catch(made.end), HEARTBEAT_MS).unref();
        next.once('end', () => {
          clearInterval(heartbeat);
          line = null;
          if (!closing.signal.aborted && listeners.size > 0) reconnect();
        });
        return made;
      } catch (error) {
        next.end().catch(() => {});
        if (closing.signal.aborted) throw error;
        await sleep(Math.min(5_000, 100 * 2 ** attempt), undefined, { signal: closing.signal });
      }
    }
  }

  function reconnect() {
    line = connect();
    line.then(
      () => {
        for (const channel of listeners.keys()) tell(channel, null);
      },
      () => {}, // closing
    );
  }

  function tell(channel: string, payload: string | null) {
    for (const onPayload of listeners.get(channel) ?? []) onPayload(payload);
  }

  return {
    async listen(channel: string, onPayload: OnPayload): Promise<() => void> {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set);
      set.add(onPayload);
      for (;;) {
        line ??= connect();
        const used = line;
        try {
          await (await used).say(`listen ${pg.escapeIdentifier(channel)}`);
          break;
        } catch (error) {
          if (closing.signal.aborted) throw error;
          // Lost on the way; 'end' has reconnected or is about to.
          await sleep(50, undefined, { signal: closing.signal });
        }
      }
      return () => {
        set.delete(onPayload);
        if (set.size > 0 || listeners.get(channel) !== set) return;
        listeners.delete(channel);
        line?.then(({ say }) => say(`unlisten ${pg.escapeIdentifier(channel)}`)).catch(() => {});
      };
    },
    async close() {
      closing.abort();
      sockets.destroy();
      await line?.catch(() => {});
    },
  };
}

function lineOf(client: pg.Client): Line {
  let last: Promise<unknown> = Promise.resolve();
  return {
    say(text) {
      const question = { text, query_timeout: PATIENCE_MS };
      last = last.catch(() => {}).then(() => client.query(question));
      return last;
    },
    end: () => client.end().catch(() => {}),
  };
}
