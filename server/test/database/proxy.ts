import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { ConnectionOptions } from '#platform/db/index';

type Server = Extract<ConnectionOptions, { host: string }>;

/**
 * A proxy to a PostgreSQL server that can vanish like a host without power: it accepts connections and never answers.
 * Stop it.
 */
export async function startDatabaseProxy(to: Server) {
  const sockets = new Set<Socket>();
  let vanished = false;
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (vanished) return;
    const far = keep(to.host.startsWith('/') ? connect(`${to.host}/.s.PGSQL.${to.port}`) : connect(to.port, to.host));
    near.on('data', (bytes) => vanished || far.write(bytes));
    far.on('data', (bytes) => vanished || near.write(bytes));
    near.once('close', () => far.destroy());
    far.once('close', () => vanished || near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    connection: { ...to, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    vanish() {
      vanished = true;
    },
    comeBack() {
      vanished = false;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
