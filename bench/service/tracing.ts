/**
 * Compares requests per second, and processor time of the main thread per request, with traces exported and without
 * them, on the same service, in turn in one run. The collector has a thread of its own. `npm run bench -- tracing`
 */
import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import { startTracing } from '../../server/src/platform/tracing/index.ts';
import { median } from '../lib/measure.ts';
import { startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 30;
const REQUESTS = 3_000;
/** Traces per second: the default, and no limit. */
const DEFAULT = 50;
const ALL = Number.POSITIVE_INFINITY;

type Load = { perS: number; cpuUs: number };

export async function run(): Promise<BenchmarkRow[]> {
  const collector = await startCollector();
  const trace = (perS: number) =>
    startTracing({
      url: collector.url,
      headers: {},
      resource: { 'service.name': 'bench' },
      ratio: 1,
      perS,
      respectsClients: true,
      onState(error) {
        if (error) throw error;
      },
    });
  // The hooks of requests are those of a service that starts with tracing.
  const stop = await trace(ALL);
  const service = await startService();
  await stop();
  const load = async (): Promise<Load> => {
    const before = process.threadCpuUsage();
    const { non2xx, errors, duration } = await autocannon({
      url: `${service.baseUrl}/api/keys/verify`,
      method: 'POST',
      headers: { 'x-api-key': service.apiKey },
      connections: 10,
      amount: REQUESTS,
      workers: 1,
      sampleInt: 20,
    });
    const { user, system } = process.threadCpuUsage(before);
    if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} requests failed`);
    return { perS: REQUESTS / duration, cpuUs: (user + system) / REQUESTS };
  };
  /** With at most this many traces per second. */
  const loadTraced = async (perS: number): Promise<Load> => {
    const stop = await trace(perS);
    try {
      return await load();
    } finally {
      await stop();
    }
  };
  try {
    await load();
    await loadTraced(ALL);
    const loads = { without: load, limited: () => loadTraced(DEFAULT), all: () => loadTraced(ALL) };
    const names = Object.keys(loads) as (keyof typeof loads)[];
    const rounds: Record<keyof typeof loads, Load>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measured: Partial<Record<keyof typeof loads, Load>> = {};
      // In another order each time: what runs last in a round is slower.
      for (let at = 0; at < names.length; at++) {
        const name = names[(round + at) % names.length]!;
        measured[name] = await loads[name]();
      }
      rounds.push(measured as (typeof rounds)[number]);
    }
    const of = (figure: keyof Load) => median(rounds.map(({ without }) => without[figure]));
    const ratio = (name: keyof typeof loads, figure: keyof Load) =>
      median(rounds.map((round) => round[name][figure] / round.without[figure]));
    const note = `the collector received ${((await collector.received()) / 1e6).toFixed(1)} MB`;
    return [
      { name: 'key verification without traces, requests/s', value: of('perS'), unit: '/s' },
      { name: 'key verification without traces, processor time', value: of('cpuUs'), unit: 'µs' },
      {
        name: 'requests/s with traces against without',
        value: ratio('limited', 'perS'),
        unit: '×',
        bar: { min: 0.97 },
      },
      { name: 'processor time with traces against without', value: ratio('limited', 'cpuUs'), unit: '×' },
      { name: 'requests/s with the trace of every request', value: ratio('all', 'perS'), unit: '×', note },
      { name: 'processor time with the trace of every request', value: ratio('all', 'cpuUs'), unit: '×' },
    ];
  } finally {
    await service.stop();
    await collector.stop();
  }
}

/** A collector that reads what it gets and answers, in a thread. */
async function startCollector() {
  const source = `
    const { createServer } = require('node:http');
    const { parentPort } = require('node:worker_threads');
    let received = 0;
    const server = createServer((request, response) => {
      request.on('data', (chunk) => { received += chunk.length; });
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
    parentPort.on('message', () => parentPort.postMessage(received));`;
  const worker = new Worker(source, { eval: true });
  const next = () => new Promise<number>((resolve) => worker.once('message', resolve));
  const port = await next();
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    /** Bytes of all requests so far. */
    received(): Promise<number> {
      worker.postMessage('received');
      return next();
    },
    stop: () => worker.terminate(),
  };
}
