import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the wire does to one connection. Bytes are counted from its beginning. */
export type Fault =
  /** It is reset once so many bytes went this way. */
  | { kind: 'drop'; way: 'up' | 'down'; after: number }
  /** The answer ends after so many bytes as if that were all. */
  | { kind: 'truncate'; after: number }
  /** Each packet waits. */
  | { kind: 'delay'; ms: number }
  /** What the client sends arrives twice, over two connections; it hears the answer to the first. */
  | { kind: 'duplicate' };

/**
 * A wire on the loopback interface between a client and the service at `url`. Each new connection takes the next of `faults`; when there is none
 * left, nothing happens to it. Stop it.
 */
export async function startFaultyWire(url: string) {
  const { hostname: host, port } = new URL(url);
  const faults: Fault[] = [];
  const open = new Set<Socket>();
  const passed = { up: 0, down: 0 };

  const server = createServer((client) => {
    const fault = faults.shift();
    const upstream = connect(Number(port), host);
    const twin = fault?.kind === 'duplicate' ? connect(Number(port), host) : null;
    const ends = [client, upstream, ...(twin ? [twin] : [])];
    for (const end of ends) {
      open.add(end);
      // What happens to one side happens to the other.
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

  async function pass(from: Socket, way: 'up' | 'down', fault: Fault | undefined, to: Socket[]): Promise<void> {
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
      // It broke off, and the other side hears of it.
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    /** Bytes that went through so far. */
    passed,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
