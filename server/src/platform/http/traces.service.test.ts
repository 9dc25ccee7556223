// The spans of requests, as a collector receives them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTracing, traceFields } from '#platform/tracing/index';
import { listen } from '#test/http';
import { type CollectedSpan, type Collector, startCollector } from '#test/servers/otlp-collector';
import { createTestHttp, type TestHttp } from './http.fixture.ts';
import type { App } from './index.ts';

let collector: Collector;
let stop: () => Promise<void>;
let http: TestHttp;
let app: App;
let api: Awaited<ReturnType<typeof listen>>;
/** Trace ids in which handlers ran. */
const traces: (string | undefined)[] = [];

beforeAll(async () => {
  collector = await startCollector();
  stop = await startTracing({
    url: `${collector.url}/v1/traces`,
    headers: {},
    resource: {},
    ratio: 1,
    perS: Number.POSITIVE_INFINITY,
    respectsClients: false,
    onState: () => {},
  });
  http = await createTestHttp();
  app = http.makeApp();
  const operation = (operationId: string) => ({ config: { scope: 'write' as const }, schema: { operationId } });
  app.post('/items/:item_id', operation('changeItem'), async () => {
    traces.push(traceFields()?.trace_id);
    return { ok: true };
  });
  app.post('/fails', operation('fail'), () => {
    throw Object.assign(new Error('password=hunter2'), { code: 'EIO' });
  });
  app.post('/plain', { config: { scope: 'write' } }, () => ({ trace: traceFields()?.trace_id ?? null }));
  api = await listen(app);
});
afterAll(async () => {
  await stop();
  await app.close();
  await http.close();
  await collector.close();
});

/** The next spans that the collector receives, the oldest first. */
async function received(count: number): Promise<CollectedSpan[]> {
  await expect.poll(() => collector.spans.length, { timeout: 10_000 }).toBe(count);
  return collector.spans.splice(0);
}

test('a span has the template of the path and the status, and runs the handler, also after a body', async () => {
  const body = { json: { note: 'hunter2' }, key: 'k-write' };
  await api.call('POST', '/items/hunter2', body);
  const [span] = await received(1);
  expect(span).toMatchObject({ name: 'POST /items/:item_id', parentId: null, failed: false, traceId: traces[0] });
  expect(span!.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/items/:item_id',
    'http.response.status_code': 200,
    'sightline.operation': 'changeItem',
  });
});

test('refusals have their code, and only failures of the service are failed spans', async () => {
  await api.call('POST', '/items/x', { json: {}, key: 'k-hunter2' });
  await api.call('POST', '/items/x', { json: {}, key: 'k-read' });
  await api.call('POST', '/fails', { json: {}, key: 'k-write' });
  const spans = await received(3);
  expect(
    spans.map(({ attributes, failed }) => [attributes['http.response.status_code'], attributes['error.type'], failed]),
  ).toEqual([
    [403, 'key_malformed', false],
    [403, 'scope_missing', false],
    [500, 'internal_error', true],
  ]);
});

test('what is no operation has no span', async () => {
  const { json } = await api.call('POST', '/plain', { json: {}, key: 'k-write' });
  expect(json).toEqual({ trace: null });
  expect((await api.call('GET', '/nowhere?key=hunter2', { key: 'k-read' })).status).toBe(404);
  await api.call('POST', '/items/x', { json: {}, key: 'k-write' });
  expect((await received(1)).map(({ name }) => name)).toEqual(['POST /items/:item_id']);
});

test('nothing that clients send is in what is exported', () => {
  expect(collector.requests.length).toBeGreaterThan(0);
  expect(Buffer.concat(collector.requests.map(({ body }) => body)).includes('hunter2')).toBe(false);
});
