// The monitoring port of API nodes and workers, scraped after real work.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createSightline } from '@sightline/sdk';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { startTestApp, startTestNode, type TestApp } from './app.ts';
import { startDatabaseProxy } from './database/proxy.ts';
import { listQueries, listSelectors, readScrape } from './deployment.ts';
import { sceneClip } from './media/clips.ts';
import { startVisionModel, type VisionModel } from './servers/vision-model.ts';

let app: TestApp;
let model: VisionModel;

beforeAll(async () => {
  model = await startVisionModel(() => ({ text: '{"events": []}' }));
  app = await startTestApp({
    SIGHTLINE_MONITORING_PORT: '0',
    SIGHTLINE_MEDIA_PROCESSES: '1',
    SIGHTLINE_VISION_URL: model.url,
    SIGHTLINE_VISION_MODEL: 'eyes',
  });
  const { sightline } = app;
  const client = createSightline({ baseUrl: app.api.base, apiKey: sightline.firstKey! });
  const path = await sceneClip();
  const { video_id } = await client.upload(await openAsBlob(path), { name: basename(path) });
  await client.ready(video_id);
  const question = { query: 'when does a dragon fly over the castle?', videoIds: [video_id] };
  await Array.fromAsync(client.ask(question));
});
afterAll(async () => {
  await app?.close();
  await model?.close();
});

const read = async ({ sightline }: Pick<TestApp, 'sightline'>, path: string) => {
  const response = await fetch(`http://127.0.0.1:${sightline.monitoringPort}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('a scrape counts requests, jobs, media tasks, model calls and calls of the storage', async () => {
  // The stream ends with the transaction of the job, just before the job itself.
  await expect
    .poll(async () => (await read(app, '/metrics')).text)
    .toContain('kind="analyses.run",class="batch",outcome=');
  const { status, type, text } = await read(app, '/metrics');
  expect({ status, type }).toEqual({
    status: 200,
    type: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  });
  expect(text.trimEnd().split('\n').at(-1)).toBe('# EOF');
  for (const sample of [
    /^sightline_build_info\{version="[^"]+",roles="api,worker"\} 1$/m,
    /^sightline_check\{check="database"\} 1$/m,
    /^sightline_http_requests_total\{operation="startQuery",status="200"\} 1$/m,
    /^sightline_http_request_duration_seconds_count\{operation="startQuery"\} 1$/m,
    /^sightline_jobs_total\{kind="analyses\.run",class="batch",outcome="completed"\} 1$/m,
    /^sightline_job_duration_seconds_count\{kind="analyses\.run",class="batch"\} 1$/m,
    /^sightline_queue_jobs\{kind="analyses\.run",class="batch",state="waiting"\} 0$/m,
    /^sightline_queue_oldest_seconds\{kind="analyses\.run",class="batch"\} 0$/m,
    /^sightline_workers\{state="running"\} 1$/m,
    /^sightline_media_processes\{pool="analysis",state="idle"\} [01]$/m,
    /^sightline_media_task_duration_seconds_count\{pool="analysis",outcome="completed"\} [1-9]/m,
    /^sightline_db_connections_max 20$/m,
    /^sightline_model_call_duration_seconds_count\{client="vision",outcome="completed"\} [1-9]/m,
    /^sightline_model_tokens_total\{client="vision",direction="input"\} [1-9]/m,
    /^sightline_storage_call_duration_seconds_count\{operation="write",outcome="completed"\} [1-9]/m,
    /^sightline_disk_free_bytes \d/m,
    /^nodejs_eventloop_lag_p99_seconds \S+$/m,
  ])
    expect(text.match(sample) === null ? sample : null).toBeNull();
});

test('labels have few values: no ids, names or addresses', async () => {
  const { text } = await read(app, '/metrics');
  await fetch(`${app.api.base}/nowhere/${crypto.randomUUID()}`);
  const { text: after } = await read(app, '/metrics');
  expect(after).toContain('operation="other",status="404"');
  for (const each of [text, after]) {
    expect(each).not.toMatch(/"[^"]*[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(each).not.toContain('scene.mp4');
    expect(each).not.toContain('dragon');
  }
});

test('each metric and label of the dashboard and the alert rules is in a scrape', async () => {
  const { text } = await read(app, '/metrics');
  const metrics = readScrape(text);
  const selectors = (await listQueries()).flatMap(listSelectors);
  expect(selectors.length).toBeGreaterThan(40);
  const missing = selectors.filter(({ metric }) => !metrics.has(metric)).map(({ metric }) => metric);
  expect(missing).toEqual([]);
  for (const { metric, labels } of selectors) {
    const known = metrics.get(metric)!;
    // Prometheus adds the name of the node.
    const wrong = labels.filter((label) => label !== 'instance' && known.size > 0 && !known.has(label));
    expect(wrong, metric).toEqual([]);
  }
});

test('a worker without an API has probes and metrics', async () => {
  const { text: counted } = await read(app, '/metrics');
  expect(counted).toContain('roles="api,worker"');
  const worker = await startTestNode(app.env, { roles: { api: false, worker: true } });
  onTestFinished(() => worker.close());
  expect(await read(worker, '/livez')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  const ready = await read(worker, '/readyz');
  expect(ready.status).toBe(200);
  expect(JSON.parse(ready.text)).toEqual({ status: 'ready', checks: { database: 'ok', storage: 'ok', disk: 'ok' } });
  const { text } = await read(worker, '/metrics');
  expect(text).toMatch(/^sightline_build_info\{version="[^"]+",roles="worker"\} 1$/m);
  expect(text).toMatch(/^sightline_workers\{state="running"\} 2$/m);
  expect((await read(worker, '/other')).status).toBe(404);
});

test('without the database a node is alive and not ready, and the other metrics are still there', async () => {
  const proxy = await startDatabaseProxy({ ...inject('postgres'), database: 'postgres' });
  const cut = await startTestApp({ SIGHTLINE_MONITORING_PORT: '0' }, { through: proxy.connection });
  onTestFinished(async () => {
    proxy.comeBack();
    await cut.close();
    await proxy.stop();
  });
  expect((await read(cut, '/readyz')).status).toBe(200);
  proxy.vanish();
  await expect.poll(async () => (await read(cut, '/readyz')).status).toBe(503);
  expect((await read(cut, '/livez')).status).toBe(200);
  const { status, text } = await read(cut, '/metrics');
  expect(status).toBe(200);
  expect(text).toMatch(/^sightline_check\{check="database"\} 0$/m);
  expect(text).toMatch(/^sightline_build_info/m);
});

test('without a port nothing listens, and probes are at the API', async () => {
  const { SIGHTLINE_MONITORING_PORT: _, ...env } = app.env;
  const node = await startTestNode({ ...env, SIGHTLINE_PORT: '0' }, { roles: { api: true, worker: false } });
  onTestFinished(() => node.close());
  expect(node.sightline.monitoringPort).toBeNull();
  expect((await node.api.call('GET', '/livez')).json).toMatchObject({ status: 'ok' });
  expect((await node.api.call('GET', '/readyz')).json).toMatchObject({ status: 'ready' });
  expect((await node.api.call('GET', '/metrics')).status).toBe(404);
});
