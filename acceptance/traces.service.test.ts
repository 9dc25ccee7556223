// One trace from a client through an API node and a worker, in separate processes, as a collector receives it.
import { openAsBlob } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSightline, tracedFetch } from '@sightline/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../server/src/features/webhooks/receiver.fixture.ts';
import { urlOf } from '../server/test/app.ts';
import { createTestDatabase } from '../server/test/database/test-database.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { type CollectedSpan, type Collector, startCollector } from '../server/test/servers/otlp-collector.ts';
import { startVisionModel } from '../server/test/servers/vision-model.ts';
import { begin } from './harness/command.ts';
import { killAll, send, treeOf } from './harness/processes.ts';
import { environment, KEY, makeFolder } from './harness/service.ts';

const PROMPT_MARKER = 'chartreuse dragon';
const MODEL_KEY = 'model-key-0123456789';
const COLLECTOR_KEY = 'collector-key-0123456789';
const WEBHOOK_PATH = '/services/T0secret0path';

/** Starts an API node and a worker on one database and data folder. */
async function startNodes(more: Record<string, string>) {
  const folder = await makeFolder();
  const database = await createTestDatabase();
  const shared: Record<string, string> = {
    ...(await environment(join(folder.path, 'data'))),
    DATABASE_URL: urlOf(database.connection),
    ...more,
  };
  const nodes = (['api', 'worker'] as const).map((role) => begin(['start', '--only', role], { env: shared }));
  onTestFinished(async () => {
    await killAll(treeOf(...nodes.map(({ pid }) => pid)));
    await database.drop();
    await folder.remove();
  });
  await Promise.all(nodes.map((node) => node.says('is ready')));
  const [api, worker] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  return {
    api,
    worker,
    url: `http://127.0.0.1:${shared.SIGHTLINE_PORT}`,
    /** Ends both as a service manager does. Returns their exit codes and how long it took. */
    async stop() {
      const started = performance.now();
      for (const { pid } of nodes) send(pid, 'SIGTERM');
      const codes = await Promise.all(nodes.map(({ ended }) => ended));
      return { codes, seconds: (performance.now() - started) / 1000 };
    },
  };
}

async function collector(options?: Parameters<typeof startCollector>[0]): Promise<Collector> {
  const started = await startCollector(options);
  onTestFinished(() => started.close());
  return started;
}

/** The span and those above it, the outermost first. */
function pathOf(spans: readonly CollectedSpan[], span: CollectedSpan): CollectedSpan[] {
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentId && traceId === span.traceId);
  return [...(parent ? pathOf(spans, parent) : []), span];
}

test('one trace connects a client, the API, jobs, media processes and model calls', { timeout: 120_000 }, async () => {
  const { url: endpoint, spans, requests } = await collector();
  const model = await startVisionModel(() => ({ text: '{"events": []}' }));
  const receiver = await startReceiver();
  onTestFinished(async () => {
    await model.close();
    await receiver.stop();
  });
  const nodes = await startNodes({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${COLLECTOR_KEY}`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
    SIGHTLINE_MEDIA_PROCESSES: '1',
    SIGHTLINE_VISION_URL: model.url,
    SIGHTLINE_VISION_MODEL: 'eyes',
    SIGHTLINE_VISION_API_KEY: MODEL_KEY,
  });
  const traceId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
  const clientSpan = '00f067aa0ba902b7';
  const client = createSightline({
    baseUrl: nodes.url,
    apiKey: KEY,
    fetch: tracedFetch(nodes.url, () => `00-${traceId}-${clientSpan}-01`),
  });
  const path = await sceneClip();
  const { video_id } = await client.upload(await openAsBlob(path), { name: basename(path) });
  await client.ready(video_id);
  const webhook = { url: `${receiver.url}${WEBHOOK_PATH}`, event_types: ['analysis.completed' as const] };
  const { secret } = (await client.api.POST('/api/webhooks', { body: webhook })).data!;
  const question = { query: `when does a ${PROMPT_MARKER} fly over the castle?`, videoIds: [video_id] };
  await Array.fromAsync(client.ask(question));
  await fetch(`${nodes.url}/api/videos?name=${encodeURIComponent(PROMPT_MARKER)}`, { headers: { 'x-api-key': KEY } });
  // The stream ends with the transaction of the job, just before the job itself.
  await expect.poll(() => nodes.worker.stderr(), { timeout: 20_000 }).toMatch(/"job":"analyses.run".*"msg":"job done"/);
  await expect
    .poll(() => nodes.worker.stderr(), { timeout: 20_000 })
    .toMatch(/"job":"webhooks.deliver".*"msg":"job done"/);
  expect((await nodes.stop()).codes).toEqual([0, 0]);

  // All spans were sent: the last ones when the processes ended.
  const ofClient = spans.filter((span) => span.traceId === traceId);
  const named = (name: string | RegExp) =>
    ofClient.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));
  const started = named('POST /api/router/v2/query/start')[0]!;
  expect(started.parentId).toBe(clientSpan);
  expect(started.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/router/v2/query/start',
    'http.response.status_code': 200,
    'sightline.operation': 'startQuery',
  });
  const [job] = named('job analyses.run').filter(({ parentId }) => parentId === started.spanId);
  expect(job!.attributes).toMatchObject({
    'sightline.job.kind': 'analyses.run',
    'sightline.job.attempt': 0,
    'sightline.job.outcome': 'completed',
    'sightline.analysis_id': expect.any(String),
  });
  for (const stage of ['plan', 'observe', 'find', 'vision', 'store'])
    expect(named(`analysis ${stage}`).map(({ parentId }) => parentId)).toEqual([job!.spanId]);
  const decoding = named(/^media /).find(({ attributes }) => attributes['sightline.media.pool'] === 'analysis')!;
  expect(
    pathOf(ofClient, decoding)
      .map(({ name }) => name)
      .slice(0, 3),
  ).toEqual(['POST /api/router/v2/query/start', 'job analyses.run', 'analysis observe']);
  const call = named('chat eyes')[0]!;
  expect(pathOf(ofClient, call).map(({ name }) => name)).toContain('analysis vision');
  expect(call.attributes).toMatchObject({
    'gen_ai.request.model': 'eyes',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(model.url).port),
    'gen_ai.usage.input_tokens': expect.any(Number),
  });
  const delivery = named('deliver webhook')[0]!;
  expect(pathOf(ofClient, delivery).map(({ name }) => name)).toEqual([
    'POST /api/router/v2/query/start',
    'job analyses.run',
    'analysis store',
    'job webhooks.deliver',
    'deliver webhook',
  ]);
  expect(delivery.attributes).toMatchObject({
    'http.response.status_code': 204,
    'sightline.webhook.event': 'analysis.completed',
  });
  expect([started, job!].map(({ resource }) => resource['sightline.roles'])).toEqual(['api', 'worker']);
  expect(started.resource).toMatchObject({ 'service.name': 'sightline', 'deployment.environment.name': 'test' });
  expect(started.resource['service.instance.id']).not.toBe(job!.resource['service.instance.id']);
  expect(ofClient.filter(({ failed }) => failed)).toEqual([]);

  // A trace of its own without a client's; nothing of the query.
  const list = spans.find(({ name, traceId: id }) => name === 'GET /api/videos' && id !== traceId)!;
  expect(list).toMatchObject({ parentId: null, attributes: { 'http.response.status_code': 200 } });
  const bytes = Buffer.concat(requests.map(({ body }) => body)).toString('latin1');
  expect(bytes).toContain('job analyses.run');
  const secrets = [
    KEY,
    KEY.slice(0, 12),
    MODEL_KEY,
    COLLECTOR_KEY,
    secret!,
    WEBHOOK_PATH,
    PROMPT_MARKER,
    'dragon',
    basename(path),
  ];
  for (const each of secrets) expect(bytes.includes(each), each).toBe(false);
  for (const { headers } of requests) expect(headers.authorization).toBe(`Bearer ${COLLECTOR_KEY}`);

  // Log messages name the trace.
  const line = nodes.worker
    .stderr()
    .split('\n')
    .find((each) => each.includes('"job":"analyses.run"'))!;
  expect(JSON.parse(line)).toMatchObject({ trace_id: traceId, span_id: job!.spanId });
});

test.each([
  ['refuses connections', async () => 'http://127.0.0.1:9'],
  ['never answers', async () => (await collector({ answers: false })).url],
])('a collector that %s delays and fails nothing', { timeout: 120_000 }, async (_, start) => {
  const nodes = await startNodes({ OTEL_EXPORTER_OTLP_ENDPOINT: await start() });
  const client = createSightline({ baseUrl: nodes.url, apiKey: KEY });
  const durations: number[] = [];
  for (let n = 0; n < 50; n++) {
    const started = performance.now();
    await client.eventStatistics();
    durations.push(performance.now() - started);
  }
  // An export fails meanwhile.
  await sleep(3_000);
  // One that waited for the collector would take the 5 s of an export.
  expect(Math.max(...durations)).toBeLessThan(5_000);
  const { codes, seconds } = await nodes.stop();
  expect(codes).toEqual([0, 0]);
  expect(seconds).toBeLessThan(15);
});
