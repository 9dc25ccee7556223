import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestHttp, type TestHttp } from '../http.fixture.ts';
import type { App } from '../index.ts';
import { createRateLimits, type RateLimitConfig } from './rate-limits.ts';
import { createRateLimitStore } from './store.ts';

/** Two nodes on one database. Most tests use one address per key, because reads of an address are limited too. */
let http: TestHttp;
let nodes: Awaited<ReturnType<TestHttp['startNode']>>[];
const apps: App[] = [];
let clock = Date.now();
const RATES: RateLimitConfig = {
  writesPerMinute: 5,
  writesPerDay: 12,
  readsPerMinute: 8,
  uploadBytesPerMinute: 10 * 2 ** 20,
  uploadsAtOnce: 2,
};

async function startNode() {
  const limits = createRateLimits({ store: createRateLimitStore(http.database.db), rates: RATES, now: () => clock });
  const node = await http.startNode({ limits, trustedProxies: ['127.0.0.1/32'] });
  apps.push(node.app);
  return node;
}

beforeAll(async () => {
  http = await createTestHttp();
  nodes = [await startNode(), await startNode()];
});
beforeEach(async () => {
  await sql`truncate rate_limits`.execute(http.database.db);
  clock += 61_000;
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await http.close();
});

const call = (node: number, method: string, path: string, key: string, from: string) =>
  nodes[node]!.api.call(method, path, {
    key,
    headers: { 'x-forwarded-for': from },
    ...(method === 'POST' ? { json: { name: 'thing' } } : {}),
  });
const write = (node: number, key: string, from: string) => call(node, 'POST', '/things', key, from);
const read = (node: number, key: string, from: string) => call(node, 'GET', '/read', key, from);
/** Lets time pass for what the database counts. */
const pass = (interval: string) =>
  sql`update rate_limits set minute_at = minute_at - ${interval}::interval, day_at = day_at - ${interval}::interval`.execute(
    http.database.db,
  );
const statuses = async (times: number, send: (i: number) => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: times }, async (_, i) => (await send(i)).status)).then((all) => all.sort());

describe('writes', () => {
  test('of one key hold over two nodes, and from wherever it is used', async () => {
    const ran = http.ran.things ?? 0;
    const all = await statuses(14, (i) => write(i % 2, 'k-write', `192.0.2.${i}`));
    expect(all).toEqual([...Array(5).fill(200), ...Array(9).fill(429)]);
    expect(http.ran.things! - ran).toBe(5);
    expect((await write(0, 'k-admin', '192.0.2.99')).status).toBe(200);
  });

  test('of several keys at one address are counted apart: a team may share it', async () => {
    const keys = ['k-write', 'k-admin'];
    expect(await statuses(8, (i) => write(i % 2, keys[i % 2]!, '192.0.2.1'))).toEqual(Array(8).fill(200));
  });

  test('count on where one that began later was counted first', async () => {
    const { db } = http.database;
    const count = (on: typeof db) => createRateLimitStore(on).count(['key in turn'], RATES.writesPerMinute);
    await db.transaction().execute(async (earlier) => {
      await sql`select now()`.execute(earlier);
      expect(await count(db)).toMatchObject([{ minuteCount: 1, dayCount: 1 }]);
      expect(await count(earlier)).toMatchObject([{ minuteCount: 2, dayCount: 2 }]);
    });
  });

  test('say what is left, and when to come back', async () => {
    const first = await write(0, 'k-write', '192.0.2.1');
    expect(first.headers.get('ratelimit-policy')).toBe('"write-minute";q=5;w=60, "write-day";q=12;w=86400');
    expect(first.headers.get('ratelimit')).toBe('"write-minute";r=4;t=60, "write-day";r=11;t=86400');
    for (let i = 0; i < 4; i++) await write(i % 2, 'k-write', '192.0.2.1');
    await pass('20 seconds');
    const refused = await write(1, 'k-write', '192.0.2.1');
    expect(refused).toMatchObject({
      status: 429,
      json: { error: 'rate_limited', message: expect.stringContaining('try again in') },
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(40);
    expect(refused.headers.get('ratelimit')).toMatch(/^"write-minute";r=0;t=\d+, "write-day";r=7;t=\d+$/);
    expect(refused.headers.get('access-control-expose-headers')).toContain('RateLimit-Policy');
    await pass(`${wait} seconds`);
    expect((await write(0, 'k-write', '192.0.2.1')).status).toBe(200);
  });

  test('end for the day at the day’s quota, which refused ones do not use up', async () => {
    for (let minute = 0; minute < 3; minute++) {
      await statuses(9, (i) => write(i % 2, 'k-write', '192.0.2.1'));
      await pass('61 seconds');
      clock += 61_000;
    }
    // 5 + 5 + 2: the third minute met the day's quota of 12.
    const refused = await write(0, 'k-write', '192.0.2.1');
    expect(refused.status).toBe(429);
    expect(refused.json.message).toContain('in a day');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    await pass('1 day');
    expect((await write(0, 'k-write', '192.0.2.1')).status).toBe(200);
  });

  test('that another organization makes from elsewhere are not touched, nor are reads', async () => {
    await statuses(7, () => write(0, 'k-write', '192.0.2.1'));
    expect((await write(0, 'k-admin', '192.0.2.2')).status).toBe(200);
    expect((await read(0, 'k-read', '192.0.2.1')).status).toBe(200);
  });
});

describe('uploads', () => {
  const send = (key: string, bytes: number, from = '192.0.2.1') =>
    nodes[0]!.api.call('POST', '/slot', {
      key,
      headers: { 'x-forwarded-for': from, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    });

  test('are no writes, and run a few at a time while the others wait', async () => {
    http.ran.mostSlots = 0;
    expect(await statuses(9, (i) => send('k-write', 10, `192.0.2.${i}`))).toEqual(Array(9).fill(200));
    expect(http.ran.mostSlots).toBe(RATES.uploadsAtOnce);
    expect(await statuses(5, (i) => write(0, 'k-write', `192.0.2.${i}`))).toEqual(Array(5).fill(200));
  });

  test('of another key do not wait for them', async () => {
    http.ran.mostSlots = 0;
    await statuses(6, (i) => send(i % 2 ? 'k-write' : 'k-admin', 10));
    expect(http.ran.mostSlots).toBe(2 * RATES.uploadsAtOnce);
  });

  test('are counted by their bytes', async () => {
    const large = await statuses(4, () => send('k-write', 4 * 2 ** 20));
    expect(large).toEqual([200, 200, 429, 429]);
    const refused = await send('k-write', 10);
    expect(refused).toMatchObject({
      status: 429,
      json: { error: 'rate_limited', message: expect.stringContaining('10 MiB of uploads in a minute') },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await pass('61 seconds');
    expect((await send('k-write', 10)).status).toBe(200);
  });

  test('that were refused or broken off free their slot', async () => {
    const leaving = Array.from({ length: 4 }, () =>
      fetch(`${nodes[0]!.api.base}/slot`, {
        method: 'POST',
        headers: { 'x-api-key': 'k-write', 'x-forwarded-for': '192.0.2.1', 'content-type': 'application/octet-stream' },
        body: new Uint8Array(10),
        signal: AbortSignal.timeout(20),
      }).catch(() => null),
    );
    await Promise.all(leaving);
    expect(await statuses(3, () => send('k-write', 10))).toEqual(Array(3).fill(200));
  });
});

describe('a clock that is set back locks nobody out', () => {
  test('of the database', async () => {
    await statuses(6, () => write(0, 'k-write', '192.0.2.1'));
    await sql`update rate_limits set day_count = 12`.execute(http.database.db);
    await pass('-1 hour');
    const again = await write(0, 'k-write', '192.0.2.1');
    expect(again.status).toBe(200);
    expect(again.headers.get('ratelimit')).toBe('"write-minute";r=4;t=60, "write-day";r=11;t=86400');
  });

  test('of the node', async () => {
    const limits = createRateLimits({ store: createRateLimitStore(http.database.db), rates: RATES });
    const { app, api } = await http.startNode({ limits, trustedProxies: ['127.0.0.1/32'] });
    apps.push(app);
    const readOnce = () => api.call('GET', '/read', { key: 'k-read', headers: { 'x-forwarded-for': '192.0.2.7' } });
    await readOnce();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    try {
      const all = await Promise.all(Array.from({ length: 8 }, readOnce));
      const refused = all.find(({ status }) => status === 429)!;
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('reads', () => {
  test('are many, write nothing, and are counted for key and address', async () => {
    const all = await statuses(12, (i) => read(0, 'k-read', `192.0.2.${i}`));
    expect(all).toEqual([...Array(8).fill(200), ...Array(4).fill(429)]);
    const { rows } = await sql`select from rate_limits`.execute(http.database.db);
    expect(rows).toEqual([]);
    clock += 60_000;
    const again = await read(0, 'k-read', '192.0.2.1');
    expect(again.headers.get('ratelimit')).toBe('"read-minute";r=7;t=60');
  });

  test('with wrong keys are limited by address before a key is looked at', async () => {
    const all = await statuses(12, () => read(0, 'guess', '192.0.2.1'));
    expect(all).toEqual([...Array(8).fill(403), ...Array(4).fill(429)]);
    expect((await read(0, 'guess', '192.0.2.2')).status).toBe(403);
  });

  test('without a key are not limited', async () => {
    expect(await statuses(20, () => call(0, 'GET', '/open', '', '192.0.2.1'))).toEqual(Array(20).fill(200));
  });
});

test('files behind signed URLs are counted for their address, beside its reads', async () => {
  const file = (from: string) => call(0, 'GET', '/file', '', from);
  const all = await statuses(12, () => file('192.0.2.1'));
  expect(all).toEqual([...Array(8).fill(200), ...Array(4).fill(429)]);
  expect((await read(0, 'k-read', '192.0.2.1')).status).toBe(200);
  const other = await file('192.0.2.2');
  expect([other.status, other.headers.get('ratelimit')]).toEqual([200, '"file-minute";r=7;t=60']);
  const refused = await file('192.0.2.1');
  expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limited' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  clock += 60_000;
  expect((await file('192.0.2.1')).status).toBe(200);
});

test('a proxy that says the port too gives nobody a new address for each connection', async () => {
  const all = await statuses(10, (i) => read(0, `guess-${i}`, `192.0.2.7:${40_000 + i}`));
  expect(all).toEqual([...Array(8).fill(403), ...Array(2).fill(429)]);
  const six = await statuses(10, (i) => read(0, `guess-${i}`, `[2001:db8::${i + 1}]:${40_000 + i}`));
  expect(six).toEqual([...Array(8).fill(403), ...Array(2).fill(429)]);
});

test('a proxy that is not trusted does not choose the address of its clients', async () => {
  const limits = createRateLimits({ store: createRateLimitStore(http.database.db), rates: RATES, now: () => clock });
  const node = await http.startNode({ limits });
  apps.push(node.app);
  const all = await statuses(10, (i) =>
    node.api.call('GET', '/read', { key: `guess-${i}`, headers: { 'x-forwarded-for': `192.0.2.${i}` } }),
  );
  expect(all.filter((status) => status === 429)).toHaveLength(2);
});

test('counts of subjects that were quiet for a day go', async () => {
  await write(0, 'k-write', '192.0.2.1');
  const store = createRateLimitStore(http.database.db);
  expect(await store.purge()).toBe(0);
  await pass('25 hours');
  expect(await store.purge()).toBe(1);
});

test('while the database is away nothing is counted, and nothing is refused for it', async () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const limits = createRateLimits({ store: { count: () => Promise.reject(away), purge: async () => 0 }, rates: RATES });
  const node = await http.startNode({ limits });
  apps.push(node.app);
  const answer = await node.api.call('POST', '/things', { key: 'k-write', json: { name: 'thing' } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('ratelimit')).toBeNull();
});
