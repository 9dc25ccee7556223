import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A network fault of one connection. Bytes are counted from its start. */
export type NetworkFault =
  /** Resets the connection after this many bytes in this direction. */
  | { kind: 'drop'; way: 'up' | 'down'; after: number }
  /** Ends the response after this many bytes as if it were complete. */
  | { kind: 'truncate'; after: number }
  /** Delays each packet. */
  | { kind: 'delay'; ms: number }
  /** Delivers the client's bytes twice, over two connections; the client gets the first response. */
  | { kind: 'duplicate' };

/**
 * A proxy on loopback between a client and the service at `url`. Each new connection uses the next of `faults`, or none
 * if none is left. The caller stops it.
 */
export async function startFaultyWire(url: string) {
  const { hostname: host, port } = new URL(url);
  const faults: NetworkFault[] = [];
  const open = new Set<Socket>();
  const passed = { up: 0, down: 0 };

  const server = createServer((client) => {
    const fault = faults.shift();
    const upstream = connect(Number(port), host);
    const twin = fault?.kind === 'duplicate' ? connect(Number(port), host) : null;
    const ends = [client, upstream, ...(twin ? [twin] : [])];
    for (const end of ends) {
      open.add(end);
      // An error on one side closes the other.
      end.on('error', () => {});
      end.on('close', () => {
        open.delete(end);
        if (end !== twin) for (const other of ends) other.destroy();
      });
    }
    twin?.resume();
    void pass(client, 'up', fault, [upstream, ...(twin ? [twin] : [])]);
    void pass(upstream, 'down', fault, [client]);
  });

  async function pass(from: Socket, way: 'up' | 'down', fault: NetworkFault | undefined, to: Socket[]): Promise<void> {
    let sent = 0;
    try {
      for await (const packet of from as AsyncIterable<Buffer>) {
        if (fault?.kind === 'delay') await sleep(fault.ms);
        const cut = fault?.kind === 'truncate' ? way === 'down' : fault?.kind === 'drop' && fault.way === way;
        const part = cut && fault && 'after' in fault ? packet.subarray(0, Math.max(0, fault.after - sent)) : packet;
        passed[way] += part.length;
        sent += part.length;
        await Promise.all(to.map((socket) => part.length > 0 && new Promise((done) => socket.write(part, done))));
        if (part.length === packet.length) continue;
        if (fault?.kind === 'truncate') for (const socket of to) socket.end();
        else from.resetAndDestroy();
        return;
      }
      for (const socket of to) socket.end();
    } catch {
      // The connection broke; the other side is closed.
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    /** Bytes transferred so far. */
    passed,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
