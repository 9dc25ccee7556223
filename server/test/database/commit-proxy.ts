import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestServer } from './test-database.ts';

/** Application name of the service's own pool; the job queue has another one. */
const POOL = 'sightline';
const COMMITTED = Buffer.from('COMMIT\0');

/**
 * A proxy to a PostgreSQL server that detects commits of the service. It can hold the connection at a commit: the
 * server has committed, but the client never receives the response. Stop it.
 */
export async function startCommitProxy(to: Pick<TestServer, 'host' | 'port'>) {
  const sockets = new Set<Socket>();
  let commits = 0;
  let holdFrom = Number.POSITIVE_INFINITY;
  let onHold = () => {};
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    const far = keep(to.host.startsWith('/') ? connect(`${to.host}/.s.PGSQL.${to.port}`) : connect(to.port, to.host));
    let isPool: boolean | null = null;
    let isHeld = false;
    near.on('data', (bytes) => {
      isPool ??= bytes.includes(`application_name\0${POOL}\0`);
      far.write(bytes);
    });
    const read = readMessages((kind, body) => {
      if (!isPool || kind !== 'C' || !body.equals(COMMITTED)) return;
      commits++;
      if (commits < holdFrom) return;
      isHeld = true;
      onHold();
    });
    far.on('data', (bytes) => {
      read(bytes);
      if (!isHeld) near.write(bytes);
    });
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    /** Number of commits of the service's pool since the last call. */
    count() {
      const counted = commits;
      commits = 0;
      return counted;
    },
    /**
     * Holds each connection at its next commit, after the first `n - 1` commits on any connection; calls `act` for
     * each held one.
     */
    hold(n: number, act: () => void) {
      commits = 0;
      holdFrom = n;
      onHold = act;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Parses the messages of PostgreSQL's protocol from the server's bytes. */
function readMessages(onMessage: (kind: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const end = 1 + rest.readUInt32BE(1);
      if (rest.length < end) return;
      onMessage(String.fromCharCode(rest[0]!), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}
