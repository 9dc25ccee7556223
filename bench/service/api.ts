/**
 * The API's hot paths, each against a bare Fastify route with one equivalent query in the same process and run: key
 * verification, analysis status, bulk read of 500 documents of 6 KB, replay of a stream of 1,000 events.
 * `npm run bench -- api`
 */
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import Fastify from 'fastify';
import pg from 'pg';
import { createHttp, createIdempotencyStore } from '../../server/src/platform/http/index.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { interleave, median, timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

/** Many short rounds, so that other load on the machine affects a route and its peer alike. */
const ROUNDS = 15;
const REQUESTS = 1_000;
const DOCUMENTS = 500;
const DOCUMENT_BYTES = 6_000;
const EVENTS = 1_000;

export async function run(): Promise<BenchmarkRow[]> {
  const service = await startService();
  const pool = new pg.Pool({ ...service.sightline.database.connection, max: 10 });
  const ids = await seed(service, pool);
  const bare = await startBare(pool, service.apiKey, ids);
  try {
    const { baseUrl, apiKey } = service;
    const { videoIds, analysisIds, batchId, streamId } = ids;
    const status = `/api/videos/${videoIds[0]}/analyses/${analysisIds[0]}/status`;
    const load = (base: string, path: string, method: 'GET' | 'POST') => () => cannon(base + path, method, apiKey);
    const fetchAll = (url: string, body?: string) => () => timed(() => readToEnd(url, apiKey, body));
    const bulkBody = JSON.stringify({ video_ids: videoIds });

    const p99: Record<string, number> = {};
    const rate = (name: string, measure: () => Promise<{ rate: number; p99: number }>) => async () => {
      const measured = await measure();
      p99[name] = Math.max(p99[name] ?? 0, measured.p99);
      return measured.rate;
    };
    const rates = await interleave(ROUNDS, {
      bareKey: rate('bareKey', load(bare.base, '/key', 'GET')),
      verify: rate('verify', load(baseUrl, '/api/keys/verify', 'POST')),
      bareStatus: rate('bareStatus', load(bare.base, '/status', 'GET')),
      status: rate('status', load(baseUrl, status, 'GET')),
    });
    const times = await interleave(ROUNDS, {
      bareBulk: fetchAll(`${bare.base}/bulk`),
      bulk: fetchAll(`${baseUrl}/api/batch/${batchId}/analyses/bulk`, bulkBody),
      bareEvents: fetchAll(`${bare.base}/events`),
      events: fetchAll(`${baseUrl}/api/router/v2/query/events/${streamId}?last_id=0`),
    });
    // The check alone: the same route of the same app on a keep-alive connection, once with a key and once as a public
    // route.
    const keyed = await startKeyed(service);
    const pings = await interleave(CHECK_ROUNDS, {
      open: () => measureMedian(CHECKS, () => keyed.ping('/open')),
      checked: () => measureMedian(CHECKS, () => keyed.ping('/checked')),
    });
    await keyed.stop();
    const ratio = (a: number[], b: number[]) => median(a.map((value, round) => value / b[round]!));
    const p99Note = (a: string, b: string) => `p99 ${p99[a]!.toFixed(1)} ms against ${p99[b]!.toFixed(1)} ms`;
    return [
      { name: 'key verification, requests/s', value: median(rates.verify), unit: '/s' },
      {
        name: 'key verification against a bare route',
        value: ratio(rates.verify, rates.bareKey),
        unit: '×',
        bar: { min: 0.6 },
        note: p99Note('verify', 'bareKey'),
      },
      {
        name: 'what the check of a key adds to a request, median',
        value: median(pings.checked.map((ms, round) => ms - pings.open[round]!)),
        unit: 'ms',
        bar: { max: 0.1 },
        note: `${median(pings.open).toFixed(3)} ms without`,
      },
      { name: 'analysis status, requests/s', value: median(rates.status), unit: '/s' },
      {
        name: 'analysis status against a bare route',
        value: ratio(rates.status, rates.bareStatus),
        unit: '×',
        bar: { min: 0.6 },
        note: p99Note('status', 'bareStatus'),
      },
      { name: `bulk of ${DOCUMENTS} documents of 6 KB`, value: median(times.bulk), unit: 'ms', bar: { max: 60 } },
      { name: 'bulk against a bare route, time', value: ratio(times.bulk, times.bareBulk), unit: '×' },
      { name: `replay of ${EVENTS} events`, value: median(times.events), unit: 'ms' },
      { name: 'replay against a bare route, time', value: ratio(times.events, times.bareEvents), unit: '×' },
    ];
  } finally {
    await bare.stop();
    await pool.end();
    await service.stop();
  }
}

const CHECK_ROUNDS = 15;
const CHECKS = 200;

/** Two empty routes on the real HTTP layer with real keys: one requires a key, the other does not. */
async function startKeyed({ sightline, apiKey }: BenchmarkService) {
  const { database, keys } = sightline;
  const app = createHttp({
    log: createLog('silent'),
    bodyBytes: 1_000,
    authenticate: keys.authenticate,
    idempotency: createIdempotencyStore(database),
  });
  app.get('/open', { config: { scope: 'public' } }, async () => ({ ok: true }));
  app.get('/checked', { config: { scope: 'read' } }, async () => ({ ok: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = app.server.address() as AddressInfo;
  return {
    ping: (path: string) =>
      new Promise<void>((resolve, reject) => {
        const options = { port, path, agent, headers: { 'x-api-key': apiKey } };
        request(options, (response) => {
          if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
          response.on('end', resolve).resume();
        })
          .on('error', reject)
          .end();
      }),
    stop: async () => {
      agent.destroy();
      await app.close();
    },
  };
}

async function measureMedian(times: number, work: () => Promise<void>): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) taken.push(await timed(work));
  return median(taken);
}

/**
 * Returns requests per second and p99 in ms of a fixed number of requests over ten connections, sent from another
 * thread.
 */
async function cannon(url: string, method: 'GET' | 'POST', apiKey: string): Promise<{ rate: number; p99: number }> {
  const result = await autocannon({
    url,
    method,
    headers: { 'x-api-key': apiKey },
    connections: 10,
    amount: REQUESTS,
    workers: 1,
    // Sampling interval in milliseconds; the default of a second would round every rate.
    sampleInt: 20,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 2xx`);
  return { rate: REQUESTS / result.duration, p99: result.latency.p99 };
}

/** Sends one request, reads and discards the response: the cheapest possible client. */
function readToEnd(url: string, apiKey: string, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const sent = request(url, { method: body ? 'POST' : 'GET', headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    });
    sent.on('error', reject).end(body);
  });
}

type SeededIds = { videoIds: string[]; analysisIds: string[]; batchId: string; streamId: string };

/** Creates a finished batch of 500 analyses and a closed stream of 1,000 events. */
async function seed({ sightline }: BenchmarkService, pool: pg.Pool): Promise<SeededIds> {
  const { orgId, userId } = (await sightline.accounts.owner())!;
  const [batchId, streamId] = [newId(), newId()];
  const videoIds = Array.from({ length: DOCUMENTS }, newId);
  const analysisIds = Array.from({ length: DOCUMENTS }, newId);
  await pool.query('insert into streams (id, org_id, owner_id, last_id, closed_at) values ($1, $2, $3, $4, now())', [
    streamId,
    orgId,
    userId,
    EVENTS,
  ]);
  await pool.query(
    `insert into batches (id, org_id, owner_id, stream_id, query, config, status, total, completed, scope)
     values ($1, $2, $3, $4, 'cars', '{}', 'completed', $5, $5, 'user')`,
    [batchId, orgId, userId, streamId, DOCUMENTS],
  );
  await pool.query(
    `insert into stream_events (stream_id, id, kind, data)
     select $1, n, case when n = ${EVENTS} then 'done' else 'progress' end, json_build_object('event', 'progress', 'progress', n, 'video_id', $2::text)
     from generate_series(1, ${EVENTS}) n`,
    [streamId, videoIds[0]],
  );
  // The status shows the answer, a sentence; the bulk of a document appears only in the document.
  const analysis = { status: 'COMPLETED', events: [], answer: 'Yes: two cars.', summary: 'x'.repeat(DOCUMENT_BYTES) };
  const filler = JSON.stringify({ analysis });
  await pool.query(
    `insert into analyses (id, org_id, owner_id, video_id, batch_id, position, scope, query, mode, status, progress, document, completed_at)
     select id, $3, $4, video, $5, n, 'user', 'cars', 'thinking', 'COMPLETED', 100, $6::json, now()
     from unnest($1::text[], $2::text[]) with ordinality as t (id, video, n)`,
    [analysisIds, videoIds, orgId, userId, batchId, filler],
  );
  await pool.query('analyze');
  return { videoIds, analysisIds, batchId, streamId };
}

/** The peer: Fastify and one query per request. */
async function startBare(pool: pg.Pool, apiKey: string, { videoIds, analysisIds, batchId, streamId }: SeededIds) {
  const app = Fastify();
  const key = `select k.id, k.org_id, k.scopes, u.email from api_keys k join users u on u.id = k.user_id where k.prefix = $1`;
  app.get('/key', async () => (await pool.query({ name: 'key', text: key, values: [apiKey.slice(0, 8)] })).rows[0]);
  const status = `select id as analysis_id, status, progress, stage from analyses where id = $1`;
  app.get(
    '/status',
    async () => (await pool.query({ name: 'status', text: status, values: [analysisIds[0]] })).rows[0],
  );
  const bulk = `select document::text from analyses where batch_id = $1 and video_id = any($2)`;
  app.get('/bulk', async (_request, reply) => {
    const { rows } = await pool.query({ name: 'bulk', text: bulk, values: [batchId, videoIds] });
    return reply.type('application/json').send(`[${rows.map((row) => row.document).join(',')}]`);
  });
  const events = `select id, kind, data::text from stream_events where stream_id = $1 order by id`;
  app.get('/events', async (_request, reply) => {
    const { rows } = await pool.query({ name: 'events', text: events, values: [streamId] });
    return reply
      .type('text/event-stream')
      .send(rows.map((r) => `id: ${r.id}\nevent: ${r.kind}\ndata: ${r.data}\n\n`).join(''));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, stop: () => app.close() };
}
