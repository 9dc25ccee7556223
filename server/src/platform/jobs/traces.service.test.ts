// The trace of a job is stored with it, beside its payload.
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { currentTraceparent, isTracing, openRequestSpan, startTracing } from '#platform/tracing/index';
import { type Collector, startCollector } from '#test/servers/otlp-collector';
import { database, node, shared, useDatabase, work } from './node.fixture.ts';

useDatabase();

let collector: Collector;
let stop: () => Promise<void>;

beforeEach(async () => {
  collector = await startCollector();
  const url = `${collector.url}/v1/traces`;
  stop = await startTracing({
    url,
    headers: {},
    resource: {},
    ratio: 1,
    perS: Number.POSITIVE_INFINITY,
    respectsClients: false,
    onState: () => {},
  });
  onTestFinished(async () => {
    if (isTracing()) await stop();
    await collector.close();
  });
});

/** Runs `work` in the span of a request. Returns its `traceparent`. */
async function inRequest(work: () => Promise<unknown>): Promise<string> {
  const span = openRequestSpan(undefined, () => ({ name: 'POST /test', attributes: {} }))!;
  const traceparent = span.run(currentTraceparent)!;
  await span.run(work);
  span.end();
  return traceparent;
}

const stored = async () =>
  (await sql<{ data: object }>`select data from pgboss.job order by created_on, name`.execute(database.db)).rows.map(
    ({ data }) => data,
  );

test('each attempt, and the job that follows the last one, continues the trace', async () => {
  const seen: (string | undefined)[] = [];
  const jobs = await node({
    'test.work': async () => {
      seen.push(currentTraceparent()?.slice(3, 35));
      throw Object.assign(new Error('the disk of sk_secret burned'), { code: 'EIO' });
    },
    'test.forgotten': async () => void seen.push(currentTraceparent()?.slice(3, 35)),
  });
  const traceparent = await inRequest(() => database.transaction((trx) => jobs.send(trx, work, { n: 1 })));
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(4);
  expect(new Set(seen)).toEqual(new Set([traceparent.slice(3, 35)]));
  await jobs.close();
  await stop();
  const spans = collector.spans.filter(({ name }) => name.startsWith('job '));
  expect(spans.map(({ name, parentId, failed }) => [name, parentId, failed])).toEqual([
    ...[0, 1, 2].map(() => ['job test.work', traceparent.slice(36, 52), true]),
    ['job test.forgotten', traceparent.slice(36, 52), false],
  ]);
  expect(spans.map(({ attributes }) => attributes['sightline.job.attempt'])).toEqual([0, 1, 2, 0]);
  expect(spans[0]!.attributes).toMatchObject({ 'error.type': 'EIO', 'sightline.job.outcome': 'failed' });
  expect(Buffer.concat(collector.requests.map(({ body }) => body)).includes('sk_secret')).toBe(false);
});

test('a job that waits in another trace waits already', async () => {
  const jobs = await node({});
  await jobs.close();
  const send = () =>
    database.transaction((trx) => jobs.sendMany(trx, work, [{ n: 1 }], { unlessWaiting: true, startAfterS: 60 }));
  const traceparent = await inRequest(send);
  await inRequest(send);
  await send();
  expect(await stored()).toEqual([{ n: 1, traceparent }]);
});

test('a job of an organization that no request sent begins a trace, maintenance does not', async () => {
  const seen: (string | null)[] = [];
  const see = async () => void seen.push(currentTraceparent());
  const jobs = await node({ 'test.work': see, 'test.shared': see });
  await database.transaction((trx) => jobs.send(trx, work, { n: 1 }));
  await expect.poll(() => seen).toEqual([null]);
  await database.transaction((trx) => jobs.send(trx, shared, { n: 2 }, { orgId: 'o' }));
  await expect.poll(() => seen).toEqual([null, expect.any(String)]);
  expect(await stored()).toEqual([{ n: 1 }, { n: 2 }]);
});
