import { connect } from 'node:net';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiClient } from '#test/http';
import { createTestHttp, type TestHttp } from './http.fixture.ts';

let http: TestHttp;
let api: ApiClient;

beforeAll(async () => {
  http = await createTestHttp();
  api = http.api;
});
afterAll(() => http.close());

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
    const careless = http.makeApp();
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
    ['null', 'null', 'request_invalid', 'must be of type object'],
    ['an array', '[]', 'request_invalid', 'The body must be of type object'],
    ['a missing field', '{}', 'request_invalid', 'The field `name` is required.'],
    ['null for a required field', '{"name":null}', 'request_invalid', '`name` must be of type string'],
    ['a number for a text', '{"name":5}', 'request_invalid', '`name` must be of type string'],
    ['a text for a number', '{"name":"a","count":"5"}', 'request_invalid', '`count` must be of type integer'],
    ['an empty text', '{"name":""}', 'request_invalid', '`name` must not have fewer than 1'],
    ['another word', '{"name":"a","scope":"all"}', 'request_invalid', '`scope` must be one of user, org'],
    ['too many', '{"name":"a","ids":["1","2","3"]}', 'request_invalid', '`ids` must not have more than 2'],
    ['another form', '{"name":"a","code":"D1"}', 'request_invalid', 'The field `code` must be two small letters.'],
    ['an item', '{"name":"a","ids":["1",2]}', 'request_invalid', '`ids[1]` must be of type string'],
  ])('%s is 400 with a sentence', async (_what, body, error, sentence) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, json: { error } });
    expect(answer.json.detail).toContain(sentence);
  });

  test('all fields that are wrong are listed', async () => {
    const answer = await post('{"name":5,"count":"5","scope":"all","ids":["1",2]}');
    expect(answer).toMatchObject({ status: 400, json: { error: 'request_invalid' } });
    const errors = answer.json.errors as { param: string; message: string }[];
    expect(Object.fromEntries(errors.map(({ param, message }) => [param, message]))).toEqual({
      name: 'must be of type string',
      count: 'must be of type integer',
      scope: 'must be one of user, org',
      'ids[1]': 'must be of type string',
    });
  });

  test.each([
    ['GET', '/read', {}, 403],
    ['GET', '/nowhere', {}, 404],
    ['DELETE', '/page/7', { key: 'k-read' }, 405],
    ['GET', '/page/%zz', { key: 'k-read' }, 400],
    ['POST', '/things', { key: 'k-write', json: {} }, 400],
    ['POST', '/fails', { key: 'k-write' }, 500],
  ])('the error of %s %s has the id of the request', async (method, path, options, status) => {
    const answer = await api.call(method, path, options);
    expect(answer.status).toBe(status);
    expect(answer.json.request_id).toEqual(expect.stringMatching(/^\S{8,}$/));
    expect(answer.headers.get('x-request-id')).toBe(answer.json.request_id);
  });

  test('null and unknown fields are accepted', async () => {
    const answer = await post('{"name":"a","scope":null,"count":null,"ids":null,"collection":"videos","x":{"y":[1]}}');
    expect([answer.status, answer.headers.get('ignored-fields')]).toEqual([200, 'collection, x']);
    expect((await post('{"name":"a"}')).headers.get('ignored-fields')).toBeNull();
    const refused = await post('{"nmae":"a"}');
    expect([refused.status, refused.headers.get('ignored-fields')]).toEqual([400, 'nmae']);
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
    expect((await api.call('GET', '/page/1?limit=5', { key: 'k-read' })).json).toEqual({ limit: 5 });
    for (const none of ['0', '']) {
      expect((await api.call('GET', `/page/1?limit=${none}`, { key: 'k-read' })).status, none).toBe(400);
    }
    const answer = await api.call('GET', '/page/1?limit=many', { key: 'k-read' });
    expect(answer).toMatchObject({ status: 400, json: { error: 'request_invalid' } });
    expect(answer.json.message).toContain('The query parameter `limit` must be of type integer');
  });

  test.each(['2026-11-27', '2026-11-27T08:00:00', 'yesterday'])('a time needs its date and zone: %s', async (at) => {
    const { json } = await api.call('POST', '/things', { key: 'k-write', json: { name: 'x', at } });
    expect(json.message).toBe('The field `at` must be a date and time with its zone, such as 2026-11-27T08:00:00Z.');
  });

  test('unknown query parameters are refused with the nearest name, unless they are declared as unused', async () => {
    const get = (query: string, at = api) => at.call('GET', `/page/1?${query}`, { key: 'k-read' });
    const answer = await get('limit=5&limits=5&collection=x');
    expect(answer).toMatchObject({ status: 400, json: { error: 'request_invalid' } });
    expect(answer.json.message).toBe('The query parameter `limits` is unknown; did you mean `limit`?');
    expect(answer.json.errors).toEqual([
      { param: 'limits', message: 'is unknown; did you mean `limit`?' },
      { param: 'collection', message: 'is unknown; this operation has `limit`' },
    ]);
    const many = await get(Array.from({ length: 100 }, (_, i) => `${'x'.repeat(100)}${i}=1`).join('&'));
    expect((many.json.errors as { param: string }[]).map(({ param }) => param)).toEqual(Array(20).fill('x'.repeat(64)));
    const none = await api.call('GET', '/read?limit=5', { key: 'k-read' });
    expect(none.json.message).toBe('The query parameter `limit` is unknown; this operation has none.');
    expect((await api.call('GET', '/file?anything=x')).status).toBe(200);
    // Others learn nothing about an operation.
    expect((await api.call('GET', '/page/1?limits=5')).json.error).toBe('key_missing');

    const unused = { readPage: { collection: Type.String({ maxLength: 3 }) } };
    const node = await http.startNode({ unusedParameters: unused });
    expect((await get('limit=5&collection=x', node.api)).json).toEqual({ limit: 5 });
    expect((await get('collection=long', node.api)).status).toBe(400);
    await node.app.close();
  });

  test('a form arrives as text, repeated fields as lists, and __proto__ is only a field', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await api.call('POST', '/form', { key: 'k-read', headers, body: 'a=1&b=x%20y&b=z&__proto__=q' });
    expect(answer.text).toBe('{"body":{"a":"1","b":["x y","z"],"__proto__":"q"}}');
  });

  test('numbers have no noise of binary fractions, except those that users noted', async () => {
    const answer = await api.call('GET', '/numbers', { key: 'k-read' });
    expect(answer.text).toBe(
      '{"start_s":12.3,"third":0.333333,"tiny":1.23457e-7,"list":[{"end_s":0.3}],"count":9007199254740991,"metadata":{"gain":0.12345678901234568}}',
    );
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
    expect((await api.call('QUERY', '/page/7', { key: 'k-read' })).status).toBe(405);
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

  test('is written to the log without the query, which may hold what lets in: a signature, a code', async () => {
    const lines: string[] = [];
    const node = await http.startNode({ log: pino({ level: 'error' }, { write: (line: string) => lines.push(line) }) });
    await node.api.call('POST', '/fails?token=let-me-in', { key: 'k-write' });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ path: '/fails', msg: expect.any(String) }]);
    expect(lines.join()).not.toContain('let-me-in');
    await node.app.close();
  });

  test('work that ends because the client disconnected is not logged, unlike a failure after that', async () => {
    const lines: string[] = [];
    const app = http.makeApp({ log: pino({ level: 'error' }, { write: (line: string) => lines.push(line) }) });
    const ended = Promise.withResolvers<void>();
    const started: (() => void)[] = [];
    for (const path of ['/abandoned', '/broken'])
      app.get(path, { config: { scope: 'public' } }, async ({ disconnected }) => {
        started.shift()?.();
        await new Promise((resolve) => disconnected.addEventListener('abort', resolve));
        throw path === '/broken' ? new Error('broken') : disconnected.reason;
      });
    app.addHook('onError', async (request) => void (request.url === '/broken' && ended.resolve()));
    const base = await app.listen({ port: 0, host: '127.0.0.1' });
    for (const path of ['/abandoned', '/broken']) {
      const leave = new AbortController();
      const working = new Promise<void>((resolve) => started.push(resolve));
      const answer = fetch(base + path, { signal: leave.signal });
      await working;
      leave.abort();
      await expect(answer).rejects.toThrow('aborted');
    }
    await ended.promise;
    await app.close();
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(['/broken']);
  });

  test('a request id that is not sane is replaced', async () => {
    const answer = await api.call('GET', '/open', { headers: { 'x-request-id': 'a b<script>' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}-[0-9a-z]+$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['a response', 'GET', '/open', 200],
    ['a refused caller', 'GET', '/read', 403],
    ['an unknown path', 'GET', '/nowhere', 404],
  ])('%s has the security headers', async (_name, method, path, status) => {
    const answer = await api.call(method, path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(answer.headers.has('strict-transport-security')).toBe(false);
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

test('a refused request of the service to itself, which has no socket, ends without harm', async () => {
  const node = await http.startNode({});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const refused = await node.app.inject({ method: 'POST', url: '/things', payload: { name: 'unknown caller' } });
    expect(refused.statusCode).toBe(403);
    vi.advanceTimersByTime(60_000);
  } finally {
    vi.useRealTimers();
    await node.app.close();
  }
});
