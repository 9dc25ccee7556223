import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import type { CallOptions } from './http.ts';

/**
 * The database fails at each stage of a request: the client gets a 503 in the common error form, and a repeat
 * succeeds later.
 */
let app: TestApp;
let relay: Awaited<ReturnType<typeof startFailingProxy>>;
let key: string;
let serial = 0;

beforeAll(async () => {
  relay = await startFailingProxy();
  app = await startTestApp({}, { roles: { api: true, worker: false }, through: relay });
});
beforeEach(async () => {
  relay.comeBack();
  await expect.poll(() => app.sightline.database.ping()).toBe(true);
  // A new key, because a cached one is accepted without the database.
  const owner = (await app.sightline.accounts.owner())!;
  key = (await app.sightline.keys.create({ ...owner, name: `key ${++serial}` })).key;
});
afterAll(async () => {
  relay?.comeBack();
  await app?.close();
  await relay?.stop();
});

const POST = ['POST', '/api/folders'] as const;
const KEYED = ['POST', '/api/folders', 'keyed'] as const;
const TUS = ['POST', '/api/uploads', 'keyed'] as const;
const GET = ['GET', '/api/folders'] as const;

test.each([
  ['authentication', /"api_keys"/, GET],
  ['authentication', /"api_keys"/, POST],
  ['authentication', /"api_keys"/, KEYED],
  ['counting for the limits', /insert into rate_limits/, POST],
  ['counting for the limits', /insert into rate_limits/, KEYED],
  ['claiming the key', /insert into "idempotency_keys"/, KEYED],
  ['the handler', /from "folders"/, GET],
  ['the handler', /insert into "folders"/, POST],
  ['the handler', /insert into "folders"/, KEYED],
  ['the handler, in a transaction', /insert into "resumable_uploads"/, TUS],
  ['recording the answer', /update "idempotency_keys"/, KEYED],
  ['the commit', /commit\0/, KEYED],
] as const)('an outage during %s (%s, %s)', async (_stage, statement, [method, path, keyed]) => {
  const name = `folder-${serial}`;
  const tus: Record<string, string> = path === '/api/uploads' ? { 'tus-resumable': '1.0.0', 'upload-length': '9' } : {};
  const request: CallOptions = {
    key,
    headers: { ...tus, ...(keyed ? { 'idempotency-key': name } : {}) },
    ...(path === '/api/folders' && method === 'POST' ? { json: { name } } : {}),
  };
  relay.drop();
  await expect.poll(() => app.sightline.database.ping()).toBe(true);
  relay.failAt(statement);
  const answer = await app.api.call(method, path, request);
  expect(relay.hasFailed()).toBe(true);
  expect(answer.status, answer.text).toBe(503);
  expect(answer.json).toEqual({
    detail: 'The database does not respond. Try again in a moment.',
    message: 'The database does not respond. Try again in a moment.',
    error: 'database_unavailable',
    request_id: answer.headers.get('x-request-id'),
  });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);

  relay.comeBack();
  await expect.poll(() => app.sightline.database.ping()).toBe(true);
  const again = await app.api.call(method, path, request);
  expect(again.status, again.text).toBeLessThan(300);
  if (method === 'GET' || path !== '/api/folders') return;
  const { rowCount } = await count(name);
  expect(rowCount).toBe(1);
});

async function count(name: string): Promise<{ rowCount: number }> {
  const { db } = app.sightline.database;
  const rows = await db.selectFrom('folders').select('id').where('name', '=', name).execute();
  return { rowCount: rows.length };
}

/**
 * A proxy to the database of the tests that fails at the first matching statement, and refuses connections from then
 * on.
 */
async function startFailingProxy() {
  const to = inject('postgres');
  const sockets = new Set<Socket>();
  let pattern: RegExp | null = null;
  let hasFailed = false;
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    return socket;
  };
  const fail = () => {
    hasFailed = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    keep(near);
    if (hasFailed) return near.destroy();
    const far = keep(to.host.startsWith('/') ? connect(`${to.host}/.s.PGSQL.${to.port}`) : connect(to.port, to.host));
    near.on('data', (bytes) => {
      if (pattern?.test(bytes.toString('latin1'))) fail();
      else far.write(bytes);
    });
    far.on('data', (bytes) => near.write(bytes));
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    return near;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    /** Closes all connections, so that prepared statements are sent as text again. */
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    failAt(statement: RegExp) {
      pattern = statement;
    },
    hasFailed: () => hasFailed,
    comeBack() {
      pattern = null;
      hasFailed = false;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
