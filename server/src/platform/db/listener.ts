import pRetry from 'p-retry';
import pg from 'pg';
import type { Log } from '#platform/log';
import { createSockets } from './sockets.ts';
import type { ConnectionOptions } from './types.ts';

type OnPayload = (payload: string | null) => void;

/** Interval of the query that detects a connection that was lost without notice. */
const HEARTBEAT_MS = 30_000;
const TIMEOUT_MS = 10_000;
const RECONNECT = { retries: Number.POSITIVE_INFINITY, minTimeout: 100, maxTimeout: 5_000 };
const RESUBSCRIBE = { retries: Number.POSITIVE_INFINITY, minTimeout: 50, factor: 1 };

/** Sends one statement at a time, as the driver requires. */
type Line = { send(statement: string): Promise<unknown>; end(): Promise<void> };

/**
 * One LISTEN connection for the whole process, outside the pool. After a reconnect it calls every listener with null.
 */
export function createListener(connection: ConnectionOptions, log: Log) {
  const listeners = new Map<string, Set<OnPayload>>();
  const closing = new AbortController();
  const sockets = createSockets();
  let line: Promise<Line> | null = null;

  /** Connects, retrying until it succeeds, and listens on every channel in use. */
  const connect = (): Promise<Line> => pRetry(connectOnce, { ...RECONNECT, signal: closing.signal });

  async function connectOnce(): Promise<Line> {
    const client = new pg.Client({
      ...connection,
      ...sockets.options,
      connectionTimeoutMillis: TIMEOUT_MS,
      application_name: 'sightline listener',
    });
    try {
      // An 'error' without a listener would end the process; 'end' follows it and reconnects.
      client.on('error', (error) => {
        if (!closing.signal.aborted) log.warn({ err: error }, 'lost the connection for notifications');
      });
      client.on('notification', ({ channel, payload }) => notifyListeners(channel, payload ?? ''));
      await client.connect();
      const connected = createLine(client);
      for (const channel of listeners.keys()) await connected.send(`listen ${pg.escapeIdentifier(channel)}`);
      const heartbeat = setInterval(() => connected.send('select 1').catch(connected.end), HEARTBEAT_MS).unref();
      client.once('end', () => {
        clearInterval(heartbeat);
        line = null;
        if (!closing.signal.aborted && listeners.size > 0) reconnect();
      });
      return connected;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  }

  function reconnect() {
    line = connect();
    line.then(
      () => {
        for (const channel of listeners.keys()) notifyListeners(channel, null);
      },
      () => {}, // closing
    );
  }

  function notifyListeners(channel: string, payload: string | null) {
    for (const onPayload of listeners.get(channel) ?? []) onPayload(payload);
  }

  return {
    async listen(channel: string, onPayload: OnPayload): Promise<() => void> {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set);
      set.add(onPayload);
      const subscribe = async () => {
        line ??= connect();
        await (await line).send(`listen ${pg.escapeIdentifier(channel)}`);
      };
      // If the connection is lost meanwhile, 'end' reconnects.
      await pRetry(subscribe, { ...RESUBSCRIBE, signal: closing.signal });
      return () => {
        set.delete(onPayload);
        if (set.size > 0 || listeners.get(channel) !== set) return;
        listeners.delete(channel);
        line?.then(({ send }) => send(`unlisten ${pg.escapeIdentifier(channel)}`)).catch(() => {});
      };
    },
    async close() {
      closing.abort();
      sockets.destroy();
      await line?.catch(() => {});
    },
  };
}

function createLine(client: pg.Client): Line {
  let last: Promise<unknown> = Promise.resolve();
  return {
    send(text) {
      const query = { text, query_timeout: TIMEOUT_MS };
      last = last.catch(() => {}).then(() => client.query(query));
      return last;
    },
    end: () => client.end().catch(() => {}),
  };
}
