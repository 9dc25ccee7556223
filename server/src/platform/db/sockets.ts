import { Socket } from 'node:net';

/** A server that vanished without a word, as by a power cut or a firewall that forgot, is found out by asking after this long. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Sockets for the driver that can be ended whatever their server does: its own `end` says goodbye and waits. `options` go to a pool or a client.
 */
export function createSockets() {
  const open = new Set<Socket>();
  return {
    options: {
      ...KEEP_ALIVE,
      stream: () => {
        const socket = new Socket();
        open.add(socket);
        return socket.once('close', () => open.delete(socket));
      },
    },
    /** Ends them all; statements under way fail. */
    destroy(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
