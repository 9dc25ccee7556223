import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#platform/log';
import type { ConnectionOptions } from './index.ts';

type OnPayload = (payload: string | null) => void;

/** One LISTEN connection for the whole process, outside the pool; it reconnects with growing waits and then tells every listener so. */
export function createListener(connection: ConnectionOptions, log: Log) {
  const listeners = new Map<string, Set<OnPayload>>();
  const closing = new AbortController();
  let client: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    for (let attempt = 0; ; attempt++) {
      const next = new pg.Client({ ...connection, keepAlive: true });
      try {
        // An 'error' without a listener would end the process; 'end' follows it and reconnects.
        next.on('error', (error) => log.warn({ err: error }, 'lost the connection for notifications'));
        await next.connect();
        next.on('notification', ({ channel, payload }) => {
          for (const onPayload of listeners.get(channel) ?? []) onPayload(payload ?? '');
        });
        next.once('end', () => {
          client = null;
          if (!closing.signal.aborted && listeners.size > 0) reconnect();
        });
        for (const channel of listeners.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
        return next;
      } catch (error) {
        next.end().catch(() => {});
        if (closing.signal.aborted) throw error;
        await sleep(Math.min(5_000, 100 * 2 ** attempt), undefined, { signal: closing.signal });
      }
    }
  }

  function reconnect() {
    client = connect();
    client.then(
      () => {
        for (const set of listeners.values()) for (const onPayload of set) onPayload(null);
      },
      () => {},
    );
  }

  return {
    async listen(channel: string, onPayload: OnPayload): Promise<() => void> {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set);
      set.add(onPayload);
      client ??= connect();
      await (await client).query(`listen ${pg.escapeIdentifier(channel)}`);
      return () => {
        set.delete(onPayload);
        if (set.size > 0 || listeners.get(channel) !== set) return;
        listeners.delete(channel);
        client?.then((c) => c.query(`unlisten ${pg.escapeIdentifier(channel)}`)).catch(() => {});
      };
    },
    async close() {
      closing.abort();
      const open = await client?.catch(() => null);
      await open?.end().catch(() => {});
    },
  };
}
