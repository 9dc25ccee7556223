import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '../problem.ts';
import type { MetricSources, Metrics } from './metrics.ts';

export type Monitoring = {
  /** Port that it listens on. */
  readonly port: number;
  /** Sets what metrics and readiness read, once the parts of the service exist. */
  observe(sources: MetricSources): Promise<void>;
  /** From now on `/readyz` reports the state of the dependencies. */
  ready(): void;
  /** From now on `/readyz` answers 503: the process ends its work. */
  stopping(): void;
  close(): Promise<void>;
};

/** Longest time of a request to this port, which needs no body. */
const REQUEST_MS = 10_000;

/**
 * Listens for probes and scrapes: `/livez` (the process runs), `/readyz` (it can work) and `/metrics`. There is no key,
 * so the address should be one that only the monitoring reaches. Throws a Problem if it cannot be used.
 */
export async function createMonitoring({ host, port }: { host: string; port: number }): Promise<Monitoring> {
  let phase: 'starting' | 'ready' | 'stopping' = 'starting';
  let sources: MetricSources | null = null;
  let metrics: Metrics | null = null;

  async function readiness(): Promise<Answer> {
    if (phase !== 'ready' || !sources) return { status: 503, json: { status: phase, checks: {} } };
    const checks = await sources.checks();
    const isReady = Object.values(checks).every((state) => state === 'ok');
    return { status: isReady ? 200 : 503, json: { status: isReady ? 'ready' : 'not_ready', checks } };
  }

  async function answer(path: string): Promise<Answer> {
    if (path === '/livez') return { status: 200, json: { status: 'ok' } };
    if (path === '/readyz') return readiness();
    if (path !== '/metrics') return { status: 404, json: { message: 'There are /livez, /readyz and /metrics.' } };
    if (!metrics) return { status: 503, json: { message: 'The service starts and has no metrics yet.' } };
    return { status: 200, text: await metrics.text(), type: metrics.contentType };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const reply: Answer = isRead
      ? await answer((request.url ?? '').split('?')[0]!).catch(() => ({
          status: 500,
          json: { message: 'The metrics cannot be read.' },
        }))
      : { status: 405, json: { message: 'Send GET.' } };
    const [type, text] = 'text' in reply ? [reply.type, reply.text] : ['application/json', JSON.stringify(reply.json)];
    response.writeHead(reply.status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  const server = createServer((request, response) => void handle(request, response));
  server.requestTimeout = REQUEST_MS;
  // The process ends although a probe keeps its connection.
  server.unref();
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    async observe(given) {
      sources = given;
      // Loaded on use: most installations have no monitoring.
      metrics = (await import('./metrics.ts')).createMetrics(given);
    },
    ready() {
      if (phase === 'starting') phase = 'ready';
    },
    stopping() {
      phase = 'stopping';
    },
    async close() {
      metrics?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answer = { status: number } & ({ json: object } | { text: string; type: string });

async function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new Problem({
      status: 500,
      code: 'address_unavailable',
      message: `The monitoring cannot listen on port ${port} of ${host} (${code}). Set SIGHTLINE_MONITORING_PORT and SIGHTLINE_MONITORING_HOST to an address of this machine and a free port.`,
      cause: error,
    });
  }
}
