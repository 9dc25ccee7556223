import { Socket } from 'node:net';

/** Detects a server that is lost without notice, such as by a power cut or a firewall that dropped the connection. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Creates sockets for the driver that can be destroyed without waiting for the server, as the driver's `end` does.
 * `options` are for a pool or a client.
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
    /** Destroys all sockets. Statements under way fail. */
    destroy(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
