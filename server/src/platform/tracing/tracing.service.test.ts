// Spans in this process, as a collector receives them.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from '#test/servers/otlp-collector';
import { Problem } from '../problem.ts';
import {
  currentTraceparent,
  isTracing,
  openJobSpan,
  openRequestSpan,
  startTracing,
  traceFields,
  withSpan,
} from './index.ts';
import { parseTraceparent } from './trace-context.ts';

const TRACE = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const CLIENT = `00-${TRACE}-00f067aa0ba902b7-01`;

let collector: Collector;
let stop: () => Promise<void>;
let states: (Error | null)[];

async function start(url: string, ratio = 1): Promise<void> {
  stop = await startTracing({
    url,
    headers: { 'x-collector': 'key' },
    resource: { 'service.name': 'tested' },
    ratio,
    perS: Number.POSITIVE_INFINITY,
    respectsClients: false,
    onState: (state) => void states.push(state),
  });
}

beforeEach(async () => {
  states = [];
  collector = await startCollector();
  await start(`${collector.url}/v1/traces`);
});
afterEach(async () => {
  vi.useRealTimers();
  if (isTracing()) await stop();
  await collector.close();
});

/** Bytes of the heap that are in use, without garbage. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** Ends tracing. Returns the exported spans. */
async function exported() {
  await stop();
  return collector.spans;
}

const fail = (error: Error) => () => {
  throw error;
};

test('spans are nested by the work that opens them, also after a wait, and errors leave only their code', async () => {
  const request = openRequestSpan(CLIENT, () => ({
    name: 'GET /x',
    attributes: { size: 3, none: null, text: 'a', yes: true },
  }))!;
  const refused = new Problem({ status: 404, code: 'x_not_found', message: 'There is no "hunter2".' });
  await request.run(async () => {
    await sleep(1);
    expect(withSpan('sync', {}, () => 7)).toBe(7);
    const outer = withSpan('outer', {}, async () => {
      await sleep(1);
      await withSpan('inner', {}, () => sleep(1));
    });
    const beside = withSpan('beside', {}, () => sleep(1));
    await Promise.all([outer, beside]);
    expect(() => withSpan('refused', {}, fail(refused))).toThrow(refused);
    const broken = Object.assign(new Error('hunter2'), { code: 'ENOENT' });
    await expect(withSpan('broken', {}, async () => fail(broken)())).rejects.toBe(broken);
    await expect(withSpan('wrong', {}, async () => fail(new TypeError('hunter2'))())).rejects.toThrow();
  });
  request.end();
  const spans = await exported();
  const byName = Object.fromEntries(spans.map((span) => [span.name, span]));
  const parentOf = (name: string) => spans.find(({ spanId }) => spanId === byName[name]!.parentId)?.name;
  expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => TRACE));
  expect(byName['GET /x']).toMatchObject({
    parentId: '00f067aa0ba902b7',
    attributes: { size: 3, text: 'a', yes: true },
    resource: { 'service.name': 'tested' },
    failed: false,
  });
  expect(['sync', 'outer', 'beside', 'inner'].map(parentOf)).toEqual(['GET /x', 'GET /x', 'GET /x', 'outer']);
  expect(['refused', 'broken', 'wrong'].map((name) => [byName[name]!.failed, byName[name]!.attributes])).toEqual([
    [true, { 'error.type': 'x_not_found' }],
    [true, { 'error.type': 'ENOENT' }],
    [true, { 'error.type': 'TypeError' }],
  ]);
  expect(Buffer.concat(collector.requests.map(({ body }) => body)).includes('hunter2')).toBe(false);
  expect(collector.requests[0]!.headers['x-collector']).toBe('key');
});

test('a job continues the trace that it was sent in', async () => {
  const request = openRequestSpan(undefined, () => ({ name: 'POST /x', attributes: {} }))!;
  const traceparent = request.run(currentTraceparent)!;
  request.end();
  const job = openJobSpan('job x', { traceparent, sentAt: new Date() }, {})!;
  expect(job.run(traceFields)).toMatchObject({ trace_id: parseTraceparent(traceparent)!.traceId });
  job.end();
  const [first, second] = await exported();
  expect(second).toMatchObject({ name: 'job x', traceId: first!.traceId, parentId: first!.spanId, links: [] });
});

test('work that begins an hour after its parent has a trace of its own, with a link', async () => {
  const job = openJobSpan('job record', { traceparent: CLIENT, sentAt: new Date() }, {})!;
  const late = openJobSpan('job late', { traceparent: CLIENT, sentAt: new Date(Date.now() - 3_700_000) }, {})!;
  late.end();
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 3_700_000);
  job.run(() => withSpan('window', {}, () => withSpan('inner', {}, () => {})));
  clock.mockRestore();
  job.end();
  const spans = await exported();
  const [window, inner, lateJob] = ['window', 'inner', 'job late'].map(
    (name) => spans.find((span) => span.name === name)!,
  );
  expect([window!.traceId, lateJob!.traceId]).not.toContain(TRACE);
  expect([window, lateJob].map((span) => [span!.parentId, span!.links])).toEqual([
    [null, [TRACE]],
    [null, [TRACE]],
  ]);
  expect(inner).toMatchObject({ traceId: window!.traceId, parentId: window!.spanId });
});

test('a trace that is not exported stays so to its last span, and a worker knows it', async () => {
  await stop();
  await start(`${collector.url}/v1/traces`, 0);
  const request = openRequestSpan(CLIENT, () => ({ name: 'POST /x', attributes: {} }))!;
  const traceparent = request.run(() => withSpan('inner', {}, currentTraceparent))!;
  request.end();
  expect(parseTraceparent(traceparent)).toMatchObject({ isSampled: false });
  expect(request.run(traceFields)).toBeUndefined();
  await stop();
  await start(`${collector.url}/v1/traces`, 1);
  openJobSpan('job x', { traceparent, sentAt: new Date() }, {})!.end();
  expect(await exported()).toEqual([]);
});

test('without a parent there is no span below, and without tracing there is none at all', async () => {
  expect(withSpan('alone', {}, currentTraceparent)).toBeNull();
  expect(await exported()).toEqual([]);
  expect(isTracing()).toBe(false);
  expect(openRequestSpan(CLIENT, () => ({ name: 'GET /x', attributes: {} }))).toBeNull();
  expect(openJobSpan('job x', { traceparent: CLIENT, sentAt: new Date() }, {})).toBeNull();
  expect(traceFields()).toBeUndefined();
});

test('while the collector is down, spans beyond a limit are dropped, and its failure is reported once', async () => {
  await stop();
  await start('http://127.0.0.1:9/v1/traces');
  const before = heapBytes();
  for (let n = 0; n < 200_000; n++) {
    openRequestSpan(undefined, () => ({ name: 'GET /x', attributes: { n } }))!.end();
    if (n % 1_000 === 0) await sleep(0);
  }
  expect(heapBytes() - before).toBeLessThan(50e6);
  const started = performance.now();
  await stop();
  // One export that fails takes 5 s; the rest is time of a busy machine.
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(states.map((state) => state instanceof Error)).toEqual([true]);
}, 120_000);

test('a collector that never answers delays the end by some seconds at most', async () => {
  await stop();
  const silent = await startCollector({ answers: false });
  await start(`${silent.url}/v1/traces`);
  openRequestSpan(undefined, () => ({ name: 'GET /x', attributes: {} }))!.end();
  const started = performance.now();
  await stop();
  // One export that fails takes 5 s; the rest is time of a busy machine.
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(silent.requests.length).toBeGreaterThan(0);
  await silent.close();
}, 60_000);
