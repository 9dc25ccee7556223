import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { GuardedFetch } from './guarded-fetch.ts';
import { problems } from './problems.ts';
import { translate } from './translate.ts';

const CONNECT_MS = 10_000;

export type Relay = {
  /** Port of this machine's loopback that leads to the host, for one connection. */
  port: number;
  close(): void;
};

export type RelayTo = {
  host: string;
  port: number;
  /** Whether the host is spoken to in TLS; its certificate is checked here. */
  tls: boolean;
  /** What the host must not say: the connection ends before anyone hears it. */
  forbidden?: RegExp;
  signal: AbortSignal;
};

/**
 * A way to a host for a program that must not choose where it connects to: the address is checked, and connected to, here. Throws the problems
 * of `GuardedFetch.get`.
 */
export async function openRelay(net: Pick<GuardedFetch, 'addressOf'>, to: RelayTo): Promise<Relay> {
  const upstream = await reach(net, to);
  const server = createServer({ pauseOnConnect: false }, (client) => {
    server.close();
    for (const [from, other] of [[client, upstream] as const, [upstream, client] as const]) {
      from.on('error', () => {});
      from.once('close', () => other.destroy());
    }
    // It may have hung up before anyone came.
    if (upstream.destroyed) return void client.destroy();
    client.pipe(upstream);
    screened(upstream, client, to.forbidden);
  });
  const close = () => {
    server.close();
    upstream.destroy();
    to.signal.removeEventListener('abort', close);
  };
  to.signal.addEventListener('abort', close, { once: true });
  upstream.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, close };
}

async function reach(net: Pick<GuardedFetch, 'addressOf'>, { host, port, tls, signal }: RelayTo): Promise<Socket> {
  const url = new URL(`http://${host}:${port}`);
  const address = await net.addressOf(host);
  signal.throwIfAborted();
  const socket = tls ? connectTls({ host: address, port, servername: host }) : connect({ host: address, port });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(problems.fetch_timeout(`${url.host} did not answer in time.`)), CONNECT_MS);
  socket.once(tls ? 'secureConnect' : 'connect', () => resolve()).once('error', reject);
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw signal.aborted ? signal.reason : translate(error, url);
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', leave);
  }
}

/** Longest beginning of something forbidden that may stand at the end of one piece and go on in the next. */
const OVERLAP = 16;

function screened(from: Socket, to: Socket, forbidden: RegExp | undefined): void {
  if (!forbidden) return void from.pipe(to);
  let tail = '';
  from.on('data', (chunk: Buffer) => {
    const text = tail + chunk.toString('latin1');
    tail = text.slice(-OVERLAP);
    if (forbidden.test(text)) return void from.destroy();
    if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
}
