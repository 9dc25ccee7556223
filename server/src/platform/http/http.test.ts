import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#platform/db/database';
import type { Database } from '#platform/db/index';
import { createLog } from '#platform/log';
import { Problem } from '#platform/problem';
import { createTestDatabase } from '#test/database';
import { type Client, listen } from '#test/http';
import {
  type App,
  type Caller,
  createHttp,
  createIdempotencyStore,
  failures,
  type HttpDeps,
  httpProblems,
  Maybe,
  type Scope,
  sendEvents,
  sendJsonText,
} from './index.ts';

const scopesOf: Record<string, Scope[]> = { 'k-read': ['read'], 'k-write': ['write'], 'k-admin': ['admin'] };

let database: Database;
let drop: () => Promise<void>;
let app: App;
let api: Client;
/** How often each handler ran. */
const ran: Record<string, number> = {};
let gone: Promise<string>;
let sourceEnded: Promise<void>;

function makeApp(): App {
  return createHttp(deps());
}

function deps(): HttpDeps {
  return {
    log: createLog('silent'),
    bodyBytes: 10_000,
    idempotency: createIdempotencyStore(database.db),
    async authenticate(key): Promise<Caller> {
      const scopes = scopesOf[key];
      if (!scopes) throw httpProblems.key_malformed();
      return { keyId: key, userId: 'u', orgId: 'o', email: 'a@b', scopes, expiresAt: new Date(Date.now() + 1e6) };
    },
  };
}

beforeAll(async () => {
  const made = await createTestDatabase();
  drop = made.drop;
  database = openDatabase(made.connection, createLog('silent'));
  app = makeApp();
  app.register(async (plugin) => routes(plugin as unknown as App));
  api = await listen(app);
});
afterAll(async () => {
  await app.close();
  await database.close();
  await drop();
});

function routes(app: App): void {
  const count = (name: string) => {
    ran[name] = (ran[name] ?? 0) + 1;
    return ran[name];
  };
  app.get('/open', { config: { scope: 'public' } }, () => ({ ok: true }));
  app.get('/read', { config: { scope: 'read' } }, (request) => ({ key: request.caller.keyId }));
  const things = {
    config: { scope: 'write' as const },
    schema: {
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 20 }),
        scope: Maybe(Type.Union([Type.Literal('user'), Type.Literal('org')])),
        count: Maybe(Type.Integer({ minimum: 0 })),
        ids: Maybe(Type.Array(Type.String(), { maxItems: 2 })),
      }),
      response: { 200: Type.Object({ n: Type.Integer(), name: Type.String() }), ...failures() },
    },
  };
  app.post('/things', things, async ({ body }) => {
    await sleep(body.count ?? 0);
    return { n: count('things'), name: body.name };
  });
  app.get(
    '/page/:id',
    { config: { scope: 'read' }, schema: { querystring: Type.Object({ limit: Maybe(Type.Integer({ maximum: 9 })) }) } },
    ({ query }) => ({ limit: query.limit ?? null }),
  );
  app.post('/fails', { config: { scope: 'write' } }, () => {
    count('fails');
    throw new Error('password=hunter2');
  });
  app.post('/refuses', { config: { scope: 'write' } }, () => {
    throw new Problem({ status: 404, code: 'thing_not_found', message: `No thing ${count('refuses')}.` });
  });
  app.post('/form', { config: { scope: 'read' } }, ({ body }) => ({ body }));
  app.get('/nul/:id', { config: { scope: 'read' } }, async ({ params }) => {
    const { id } = params as { id: string };
    return database.db.selectFrom('users').selectAll().where('id', '=', id).execute();
  });
  app.get('/text', { config: { scope: 'read' } }, (_request, reply) =>
    sendJsonText(reply, ['{"a":[', '1,', '2', ']}'].values()),
  );
  app.post('/leaves', { config: { scope: 'write' } }, async (request) => {
    count('leaves');
    if (request.headers['x-wait']) await new Promise((resolve) => request.gone.addEventListener('abort', resolve));
    throw new Problem({ status: 400, code: 'upload_interrupted', message: 'The body ended early.' });
  });
  app.post('/upload', { config: { scope: 'write' } }, () => ({ n: count('upload') }));
  app.get('/stream', { config: { scope: 'read' } }, (request, reply) => {
    const { n = '3', fail } = request.query as { n?: string; fail?: string };
    gone = new Promise((resolve) =>
      request.gone.addEventListener('abort', () => resolve(String(request.gone.reason.message))),
    );
    let ended = () => {};
    sourceEnded = new Promise((resolve) => {
      ended = resolve;
    });
    async function* source() {
      try {
        for (let id = 1; id <= Number(n); id++) {
          yield { id, kind: 'progress', data: JSON.stringify({ event: 'progress', id, pad: 'x'.repeat(100) }) };
        }
        if (fail) throw new Error('password=hunter2');
        if (n === '0') await new Promise((_, reject) => request.gone.addEventListener('abort', reject));
      } finally {
        ended();
      }
    }
    return sendEvents(request, reply, source(), 0.05);
  });
  const resumable = { config: { scope: 'write' as const, idempotency: 'resumable' as const } };
  app.post('/query/stream', resumable, async (request, reply) => {
    const id =
      request.remembered ??
      (await database.transaction(async (trx) => {
        await request.remember('stream-7', trx);
        return `stream-${count('query') + 6}`;
      }));
    async function* source() {
      yield { id: 1, kind: 'batch_created', data: JSON.stringify({ stream: id }) };
    }
    return sendEvents(request, reply, source());
  });
}

describe('keys and scopes', () => {
  const bearer = (value: string) => ({ authorization: value });

  test.each([
    ['no key', {}, 403, 'key_missing'],
    ['an empty key', { 'x-api-key': '' }, 403, 'key_missing'],
    ['another scheme', bearer('Basic dTpw'), 403, 'key_malformed'],
    ['two words', bearer('Bearer a b'), 403, 'key_malformed'],
    ['not a key', bearer('Bearer nonsense'), 403, 'key_malformed'],
    ['different keys', { ...bearer('Bearer k-read'), 'x-api-key': 'k-write' }, 403, 'key_ambiguous'],
    ['the scope missing', { 'x-api-key': 'k-write' }, 403, 'scope_missing'],
  ])('%s is refused', async (_what, headers, status, error) => {
    const answer = await api.call('GET', '/read', { headers });
    expect(answer).toMatchObject({ status, json: { error } });
    expect(answer.json.detail).toBe(answer.json.message);
  });

  test.each([
    ['bearer', bearer('Bearer k-read')],
    ['bearer in another case', bearer('bearer k-read')],
    ['X-API-Key', { 'X-API-Key': 'k-read' }],
    ['both', { ...bearer('Bearer k-read'), 'x-api-key': 'k-read' }],
    ['admin', { 'x-api-key': 'k-admin' }],
  ])('%s is accepted', async (_what, headers) => {
    expect((await api.call('GET', '/read', { headers })).status).toBe(200);
  });

  test('the sentence names the needed scope', async () => {
    const answer = await api.call('POST', '/things', { key: 'k-read', json: { name: 'a' } });
    expect(answer.json.message).toContain('"write"');
  });

  test('a request without a key is refused before its body arrives', async () => {
    const { port, hostname } = new URL(api.base);
    const socket = connect(Number(port), hostname);
    socket.write('POST /upload HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\nfirst bytes');
    const [chunk] = await new Promise<Buffer[]>((resolve) => socket.once('data', (data) => resolve([data])));
    expect(String(chunk)).toMatch(/^HTTP\/1.1 403 /);
    socket.destroy();
  });

  test('a route without a scope keeps the app from starting', async () => {
    const careless = makeApp();
    careless.register(async (plugin) => {
      plugin.get('/forgotten', () => 'secret');
    });
    await expect(careless.ready()).rejects.toThrow('GET /forgotten');
    await careless.close();
  });
});

describe('bad input', () => {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    api.call('POST', '/things', { key: 'k-write', headers, body });

  test.each([
    ['not JSON', '{"name": ', 'body_not_json', 'not valid JSON'],
    ['__proto__', '{"name":"a","__proto__":{"admin":true}}', 'body_not_json', '__proto__'],
    ['constructor.prototype', '{"name":"a","constructor":{"prototype":{}}}', 'body_not_json', 'constructor'],
    ['deep nesting', `{"name":"a","x":${'['.repeat(4000)}${']'.repeat(4000)}}`, 'body_too_deep', '100 levels'],
    ['nothing at all', '', 'request_invalid', '`name` is required'],
    ['null', 'null', 'request_invalid', '`name` is required'],
    ['an array', '[]', 'request_invalid', 'The body must be of type object'],
    ['a missing field', '{}', 'request_invalid', 'The field `name` is required.'],
    ['null for a required field', '{"name":null}', 'request_invalid', '`name` must be of type string'],
    ['a number for a text', '{"name":5}', 'request_invalid', '`name` must be of type string'],
    ['a text for a number', '{"name":"a","count":"5"}', 'request_invalid', '`count` must be of type integer'],
    ['an empty text', '{"name":""}', 'request_invalid', '`name` must not have fewer than 1'],
    ['another word', '{"name":"a","scope":"all"}', 'request_invalid', '`scope` must be one of user, org'],
    ['too many', '{"name":"a","ids":["1","2","3"]}', 'request_invalid', '`ids` must not have more than 2'],
    ['an item', '{"name":"a","ids":["1",2]}', 'request_invalid', '`ids[1]` must be of type string'],
  ])('%s is 400 with a sentence', async (_what, body, error, sentence) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, json: { error } });
    expect(answer.json.detail).toContain(sentence);
  });

  test('null and unknown fields are accepted', async () => {
    const answer = await post('{"name":"a","scope":null,"count":null,"ids":null,"collection":"videos","x":{"y":[1]}}');
    expect(answer.status).toBe(200);
  });

  test('a body over the limit is 413, a content type nobody reads 415', async () => {
    expect(await post(`{"name":"${'a'.repeat(11_000)}"}`)).toMatchObject({
      status: 413,
      json: { error: 'body_too_large' },
    });
    const text = await post('name', { 'content-type': 'text/plain' });
    expect(text).toMatchObject({ status: 415, json: { error: 'content_type_unsupported' } });
  });

  test('query values are converted, and named when they cannot be', async () => {
    expect((await api.call('GET', '/page/1?limit=5&collection=x', { key: 'k-read' })).json).toEqual({ limit: 5 });
    const answer = await api.call('GET', '/page/1?limit=many', { key: 'k-read' });
    expect(answer).toMatchObject({ status: 400, json: { error: 'request_invalid' } });
    expect(answer.json.message).toContain('The query parameter `limit` must be of type integer');
  });

  test('a form arrives as text, repeated fields as lists, and __proto__ is only a field', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await api.call('POST', '/form', { key: 'k-read', headers, body: 'a=1&b=x%20y&b=z&__proto__=q' });
    expect(answer.text).toBe('{"body":{"a":"1","b":["x y","z"],"__proto__":"q"}}');
  });

  test('bodyless POSTs work with and without a content type', async () => {
    for (const headers of [undefined, { 'content-type': 'application/json' }]) {
      expect((await api.call('POST', '/upload', { key: 'k-write', headers })).status).toBe(200);
    }
  });

  test('a NUL character is the client’s mistake, wherever it ends up', async () => {
    const answer = await api.call('GET', '/nul/a%00b', { key: 'k-read' });
    expect(answer).toMatchObject({ status: 400, json: { error: 'request_invalid' } });
  });

  test('unknown paths, methods and unreadable URLs', async () => {
    expect(await api.call('GET', '/nowhere')).toMatchObject({ status: 404, json: { error: 'route_not_found' } });
    const wrong = await api.call('DELETE', '/page/7', { key: 'k-read' });
    expect(wrong).toMatchObject({ status: 405, json: { error: 'method_not_allowed' } });
    expect(wrong.headers.get('allow')).toContain('GET');
    expect(await api.call('GET', '/page/%zz')).toMatchObject({ status: 400, json: { error: 'url_invalid' } });
    expect((await api.call('GET', `/page/${'x'.repeat(300)}`, { key: 'k-read' })).status).toBe(404);
  });

  test('what is no HTTP gets the same shape', async () => {
    const { port, hostname } = new URL(api.base);
    const socket = connect(Number(port), hostname);
    socket.write('NONSENSE\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ error: 'request_invalid' });
  });

  test('a surprise says nothing of the inside and carries the request id', async () => {
    const headers = { 'x-request-id': 'mine-1' };
    const answer = await api.call('POST', '/fails', { key: 'k-write', headers });
    expect(answer).toMatchObject({ status: 500, json: { error: 'internal_error', request_id: 'mine-1' } });
    expect(answer.text).not.toContain('hunter2');
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
  });

  test('a request id that is not sane is replaced', async () => {
    const answer = await api.call('GET', '/open', { headers: { 'x-request-id': 'a b<script>' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('browsers may call from anywhere: keys, not cookies, say who calls', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    };
    const answer = await api.call('OPTIONS', '/things', { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-api-key');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('idempotency', () => {
  let serial = 0;
  const fresh = () => `key-${serial++}`;
  const send = (key: string, json: unknown, options: { key?: string; signal?: AbortSignal } = {}) =>
    api.call('POST', '/things', { key: 'k-write', headers: { 'idempotency-key': key }, json, ...options });
  const rows = () => database.db.selectFrom('idempotency_keys').selectAll().orderBy('created_at', 'desc').execute();

  test('a repeat gets the first answer, word for word', async () => {
    const key = fresh();
    const first = await send(key, { name: 'a' });
    const again = await send(key, { name: 'a' });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.status, again.text, again.headers.get('content-type')]).toEqual([
      200,
      first.text,
      first.headers.get('content-type'),
    ]);
  });

  test('twenty at once run once', async () => {
    const key = fresh();
    const before = ran.things ?? 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(key, { name: 'race', count: 100 })));
    expect(new Set(answers.map((a) => `${a.status} ${a.text}`)).size).toBe(1);
    expect(answers.filter((a) => a.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(ran.things).toBe(before + 1);
  });

  test('another body under the same key is 409; another caller’s same key is another key', async () => {
    const key = fresh();
    await send(key, { name: 'a' });
    expect(await send(key, { name: 'b' })).toMatchObject({ status: 409, json: { error: 'idempotency_conflict' } });
    const other = await send(key, { name: 'b' }, { key: 'k-admin' });
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('refusals are replayed, failures of ours are not', async () => {
    const headers = { 'idempotency-key': fresh() };
    const refusals = [1, 2].map(() => api.call('POST', '/refuses', { key: 'k-write', headers }));
    const [a, b] = await Promise.all(refusals);
    expect([a!.status, a!.text]).toEqual([404, b!.text]);
    const before = ran.fails ?? 0;
    await api.call('POST', '/fails', { key: 'k-write', headers: { 'idempotency-key': 'f1' } });
    const again = await api.call('POST', '/fails', { key: 'k-write', headers: { 'idempotency-key': 'f1' } });
    expect([again.status, ran.fails]).toEqual([500, before + 2]);
  });

  test('a body that is refused as invalid does not use the key up', async () => {
    const key = fresh();
    expect((await send(key, { name: '' })).status).toBe(400);
    expect((await send(key, { name: 'better' })).status).toBe(200);
  });

  test.each(['', 'a b', 'ü', 'x'.repeat(256)])('the key %j is refused', async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key, 'utf8').toString('latin1') };
    const answer = await api.call('POST', '/upload', { key: 'k-write', headers });
    expect(answer).toMatchObject({ status: 400, json: { error: 'idempotency_key_invalid' } });
  });

  test('a client that leaves before the answer finds it when it returns', async () => {
    const key = fresh();
    const before = ran.things ?? 0;
    const leaving = send(key, { name: 'later', count: 200 }, { signal: AbortSignal.timeout(60) });
    await expect(leaving).rejects.toThrow();
    const again = await send(key, { name: 'later', count: 200 });
    expect([again.status, again.headers.get('idempotency-replayed'), ran.things]).toEqual([200, 'true', before + 1]);
  });

  test('a crashed first is taken over, and writes nothing if it was only asleep', async () => {
    const store = createIdempotencyStore(database.db);
    const ticket = { scope: 'k-write', key: fresh(), fingerprint: 'f', holder: 'dead' };
    const answer = { status: 200, contentType: 'application/json', body: Buffer.from('"new"') };
    expect(await store.claim(ticket)).toEqual({ state: 'mine' });
    expect(await store.claim({ ...ticket, holder: 'second' })).toEqual({ state: 'running' });
    const lockOf = async () =>
      (await rows()).find((row) => row.key === ticket.key)!.locked_until.getTime() - Date.now();
    const expire = () =>
      database.db
        .updateTable('idempotency_keys')
        .set({ locked_until: new Date(Date.now() - 1) })
        .where('key', '=', ticket.key)
        .execute();
    await expire();
    await store.extend({ ...ticket, holder: 'second' });
    expect(await lockOf()).toBeLessThan(0);
    await store.extend(ticket);
    expect(await lockOf()).toBeGreaterThan(10_000);
    await expire();
    const claims = await Promise.all(['b', 'c', 'd'].map((holder) => store.claim({ ...ticket, holder })));
    expect(claims.map((c) => c.state).sort()).toEqual(['mine', 'running', 'running']);
    const winner = ['b', 'c', 'd'][claims.findIndex((c) => c.state === 'mine')]!;
    expect(await store.complete({ ...ticket, holder: 'dead' }, { ...answer, body: Buffer.from('"old"') })).toBe(false);
    expect(await store.complete({ ...ticket, holder: winner }, answer)).toBe(true);
    expect(await store.claim({ ...ticket, holder: 'e' })).toMatchObject({ state: 'answered', answer });
    expect(await store.claim({ ...ticket, fingerprint: 'g', holder: 'e' })).toEqual({ state: 'conflict' });
  });

  test('a repeat on another node waits for the first, takes over when that node dies, and gives up in time', async () => {
    const other = createHttp({ ...deps(), idempotencyWaitS: 0.4 });
    other.register(async (plugin) => routes(plugin as unknown as App));
    const node = await listen(other);
    const key = fresh();
    const headers = { 'idempotency-key': key };
    const json = { name: 'slow', count: 150 };
    const first = send(key, json);
    await sleep(50);
    const waited = await node.call('POST', '/things', { key: 'k-write', headers, json });
    expect([waited.text, waited.headers.get('idempotency-replayed')]).toEqual([(await first).text, 'true']);

    const dies = (ms: number) =>
      database.db
        .updateTable('idempotency_keys')
        .set({ status: null, locked_until: new Date(Date.now() + ms) })
        .where('key', '=', key)
        .execute();
    await dies(5_000);
    const gaveUp = await node.call('POST', '/things', { key: 'k-write', headers, json });
    expect(gaveUp).toMatchObject({ status: 409, json: { error: 'idempotency_in_progress' } });
    expect(gaveUp.headers.get('retry-after')).toBe('2');
    await dies(150);
    const before = ran.things ?? 0;
    const tookOver = await node.call('POST', '/things', { key: 'k-write', headers, json });
    expect([tookOver.status, ran.things]).toEqual([200, before + 1]);
    await other.close();
  });

  test('a client that was refused because it left is not refused when it returns', async () => {
    const headers = { 'idempotency-key': fresh() };
    const signal = AbortSignal.timeout(50);
    const leaving = api.call('POST', '/leaves', { key: 'k-write', headers: { ...headers, 'x-wait': '1' }, signal });
    await expect(leaving).rejects.toThrow();
    await api.call('POST', '/leaves', { key: 'k-write', headers });
    expect(ran.leaves).toBe(2);
  });

  test('after a day a key is free again, and old rows are purged', async () => {
    const key = fresh();
    await send(key, { name: 'a' });
    const old = new Date(Date.now() - 25 * 3_600_000);
    await database.db.updateTable('idempotency_keys').set({ created_at: old }).where('key', '=', key).execute();
    const again = await send(key, { name: 'b' });
    expect([again.status, again.json.name, again.headers.get('idempotency-replayed')]).toEqual([200, 'b', null]);
    await database.db.updateTable('idempotency_keys').set({ created_at: old }).where('key', '=', key).execute();
    expect(await createIdempotencyStore(database.db).purge(new Date(Date.now() - 24 * 3_600_000))).toBe(1);
    expect((await rows()).some((row) => row.key === key)).toBe(false);
  });

  test('a stream’s repeat attaches to the same stream', async () => {
    const headers = { 'idempotency-key': fresh() };
    const first = await api.call('POST', '/query/stream', { key: 'k-write', headers });
    const again = await api.call('POST', '/query/stream', { key: 'k-write', headers });
    expect(first.text).toContain('data: {"stream":"stream-7"}');
    expect(again.text).toBe(first.text);
    expect([first, again].map((a) => a.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(ran.query).toBe(1);
  });
});

describe('answers that are streams', () => {
  test('stored JSON goes out as it is', async () => {
    const answer = await api.call('GET', '/text', { key: 'k-read' });
    expect([answer.text, answer.headers.get('content-type')]).toEqual([
      '{"a":[1,2]}',
      'application/json; charset=utf-8',
    ]);
  });

  test('events arrive in order and the stream ends with its source', async () => {
    const answer = await api.call('GET', '/stream?n=3', { key: 'k-read', headers: { origin: 'https://x' } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    const ids = [...answer.text.matchAll(/^id: (\d+)\nevent: progress\ndata: (.*)$/gm)].map((m) => [
      m[1],
      JSON.parse(m[2]!).id,
    ]);
    expect(ids).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 3],
    ]);
  });

  test('headers and keep-alive comments come while nothing happens; leaving aborts and ends the source', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${api.base}/stream?n=0`, {
      headers: { 'x-api-key': 'k-read' },
      signal: leaving.signal,
    });
    let text = '';
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk);
      if (text.split(': keep-alive').length > 3) break;
    }
    leaving.abort();
    expect(await gone).toBe('the client went away');
    await sourceEnded;
  });

  test('a slow reader slows the source down and still gets everything', async () => {
    const response = await fetch(`${api.base}/stream?n=20000`, { headers: { 'x-api-key': 'k-read' } });
    await sleep(200);
    const text = await response.text();
    expect(text.match(/^id: /gm)).toHaveLength(20_000);
  });

  test('a source that fails ends with one error event that says nothing of the inside', async () => {
    const answer = await api.call('GET', '/stream?n=1&fail=1', { key: 'k-read' });
    expect(answer.text).toMatch(/event: error\ndata: \{.*"code":"internal_error".*\}\n\n$/);
    expect(answer.text).not.toContain('hunter2');
  });

  test('open streams do not keep the server from closing', async () => {
    const other = makeApp();
    other.register(async (plugin) => routes(plugin as unknown as App));
    const client = await listen(other);
    const response = await fetch(`${client.base}/stream?n=0`, { headers: { 'x-api-key': 'k-read' } });
    const reading = response.text();
    const before = Date.now();
    await other.close();
    expect(Date.now() - before).toBeLessThan(3_000);
    expect(await reading).toContain(': stream');
    expect(await gone).toBe('the server is closing');
  });
});
