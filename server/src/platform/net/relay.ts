import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { toFetchProblem } from './fetch-errors.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { problems } from './problems.ts';

const CONNECT_MS = 10_000;

export type Relay = {
  /** Loopback port that forwards one connection to the host. */
  port: number;
  close(): void;
};

export type RelayTarget = {
  host: string;
  port: number;
  /** True to connect with TLS. The certificate is verified here. */
  tls: boolean;
  /** Pattern that the host must not send. The connection is closed before such data is forwarded. */
  forbidden?: RegExp;
  signal: AbortSignal;
};

/**
 * Opens a TCP relay to a host, for programs that must not choose their own targets: the address is checked and
 * connected here. Throws the problems of `GuardedFetch.get`.
 */
export async function openRelay(net: Pick<GuardedFetch, 'resolveAddress'>, to: RelayTarget): Promise<Relay> {
  const upstream = await connectUpstream(net, to);
  const server = createServer({ pauseOnConnect: false }, (client) => {
    server.close();
    for (const [from, other] of [[client, upstream] as const, [upstream, client] as const]) {
      from.on('error', () => {});
      from.once('close', () => other.destroy());
    }
    // The host may have disconnected before the client connected.
    if (upstream.destroyed) return void client.destroy();
    client.pipe(upstream);
    forwardFiltered(upstream, client, to.forbidden);
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

async function connectUpstream(
  net: Pick<GuardedFetch, 'resolveAddress'>,
  { host, port, tls, signal }: RelayTarget,
): Promise<Socket> {
  const url = new URL(`http://${host}:${port}`);
  const address = await net.resolveAddress(host);
  signal.throwIfAborted();
  const socket = tls ? connectTls({ host: address, port, servername: host }) : connect({ host: address, port });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const connectTimer = setTimeout(
    () => reject(problems.fetch_timeout(`${url.host} did not respond in time.`)),
    CONNECT_MS,
  );
  socket.once(tls ? 'secureConnect' : 'connect', () => resolve()).once('error', reject);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw signal.aborted ? signal.reason : toFetchProblem(error, url);
  } finally {
    clearTimeout(connectTimer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Number of characters carried over, so that a forbidden pattern across two chunks is detected. */
const OVERLAP = 16;

function forwardFiltered(from: Socket, to: Socket, forbidden: RegExp | undefined): void {
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
