import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fault of requests that match `hits`, `times` times (default: always). */
export type Fault = {
  hits: (request: IncomingMessage) => boolean;
  times?: number;
} & (
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  /** The body ends, cleanly as far as the connection is concerned, after this share of it. */
  | { kind: 'truncate'; after: number }
  /** The connection is reset after this share of the body. */
  | { kind: 'reset'; after: number }
  /** One byte in the middle is another. */
  | { kind: 'corrupt' }
  /** Something happens at the server after this share of the body went through, and then the connection is reset. */
  | { kind: 'meanwhile'; after: number; happens: () => Promise<void> }
  /** Bytes come this slowly, until the proxy is healed. */
  | { kind: 'slow'; bytesPerS: number }
);

/** A proxy on the loopback interface that forwards requests to `target` and injects network faults. Stop it. */
export async function startFaultyProxy(target: string) {
  const faults: Fault[] = [];
  const log: string[] = [];
  const { hostname, port } = new URL(target);

  const server = createServer((request, response) => {
    log.push(`${request.method} ${request.url}${request.headers.range ? ` ${request.headers.range}` : ''}`);
    const fault = faults.find((each) => (each.times ?? 1) > 0 && each.hits(request));
    if (fault?.times !== undefined) fault.times--;
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const { method, url: path, headers } = request;
    const upstream = httpRequest({ hostname, port, method, path, headers }, async (answer) => {
      if (!fault) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      const chunks = await answer.toArray().catch(() => null);
      if (!chunks) return void response.destroy();
      const bytes = Buffer.concat(chunks);
      if (fault.kind === 'corrupt') bytes[bytes.length >> 1]! ^= 1;
      if (fault.kind === 'slow') {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        for (let at = 0; at < bytes.length && !response.destroyed; at += fault.bytesPerS / 10) {
          const healed = !faults.includes(fault);
          response.write(bytes.subarray(at, healed ? undefined : at + fault.bytesPerS / 10));
          if (healed) break;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        response.end();
        return;
      }
      const part = 'after' in fault ? bytes.subarray(0, Math.floor(bytes.length * fault.after)) : bytes;
      const length = fault.kind === 'truncate' ? { 'content-length': String(part.length) } : {};
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...length });
      if (fault.kind === 'reset' || fault.kind === 'meanwhile') {
        response.write(part, async () => {
          if (fault.kind === 'meanwhile') await fault.happens();
          // Wait until the written bytes are sent.
          setTimeout(() => response.socket?.resetAndDestroy(), 50);
        });
      } else response.end(part);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests so far: method, path, range. */
    log,
    inject: (...more: Fault[]) => void faults.push(...more),
    heal: () => void faults.splice(0),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
