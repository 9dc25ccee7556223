import type { Broker } from './types.ts';

const CONNECT_MS = 10_000;

/**
 * Publishes to an MQTT broker: `mqtt://user:password@host:1883` or `mqtts://host`. Each call has a connection of
 * its own, which ends when the broker has acknowledged all messages.
 */
export function createBroker(url: string): Broker {
  return {
    async publish(messages, signal) {
      const { connectAsync } = await import('mqtt');
      signal.throwIfAborted();
      try {
        const client = await connectAsync(url, { connectTimeout: CONNECT_MS, reconnectPeriod: 0 }, false);
        const close = () => void client.endAsync(true);
        signal.addEventListener('abort', close, { once: true });
        try {
          for (const { topic, payload, retained = false } of messages) {
            await client.publishAsync(topic, payload, { qos: 1, retain: retained });
          }
          return { ok: true, response: '' };
        } finally {
          signal.removeEventListener('abort', close);
          await client.endAsync();
        }
      } catch (error) {
        signal.throwIfAborted();
        const { code, message } = error as NodeJS.ErrnoException;
        const reason = message || `the connection failed (${code})`;
        return { ok: false, reason: `The MQTT broker did not accept the message: ${reason}.`, status: null };
      }
    },
  };
}
