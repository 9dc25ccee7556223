// A node with small routes of every kind, on a real database and real HTTP. Its keys are three fixed words.
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { openDatabase } from '#platform/db/database';
import type { Database } from '#platform/db/index';
import { createLog } from '#platform/log';
import { Problem } from '#platform/problem';
import { createTestDatabase } from '#test/database/test-database';
import { type ApiClient, listen } from '#test/http';
import {
  type App,
  createHttp,
  createIdempotencyStore,
  failures,
  type HttpDeps,
  httpProblems,
  jsonText,
  Maybe,
  PatternString,
  type Scope,
  sendEvents,
} from './index.ts';

const scopesOf: Record<string, Scope[]> = { 'k-read': ['read'], 'k-write': ['write'], 'k-admin': ['admin'] };

/** Outcome of the last `/stream`. */
type StreamProbe = { gone: Promise<string>; ended: Promise<void> };

export type TestHttp = {
  api: ApiClient;
  database: Database;
  /** Number of runs of each handler, on all nodes. */
  ran: Record<string, number>;
  stream: StreamProbe;
  /** An app without routes, on the same database. */
  makeApp(options?: Partial<HttpDeps>): App;
  /** Another node on the same database. */
  startNode(options?: Partial<HttpDeps>): Promise<{ app: App; api: ApiClient }>;
  close(): Promise<void>;
};

export async function createTestHttp(): Promise<TestHttp> {
  const made = await createTestDatabase();
  const database = openDatabase(made.connection, createLog('silent'));
  const ran: Record<string, number> = {};
  const stream: StreamProbe = { gone: Promise.resolve(''), ended: Promise.resolve() };
  const makeApp = (options: Partial<HttpDeps> = {}) =>
    createHttp({
      log: createLog('silent'),
      bodyBytes: 10_000,
      idempotency: createIdempotencyStore(database),
      async authenticate(key) {
        const scopes = scopesOf[key];
        if (!scopes) throw httpProblems.key_malformed();
        return { keyId: key, userId: 'u', orgId: 'o', email: 'a@b', scopes, expiresAt: new Date(Date.now() + 1e6) };
      },
      ...options,
    });
  const startNode = async (options?: Partial<HttpDeps>) => {
    const app = makeApp(options);
    app.register(async (scope) => routes(scope as unknown as App, database, ran, stream));
    return { app, api: await listen(app) };
  };
  const { app, api } = await startNode();
  return {
    api,
    database,
    ran,
    stream,
    makeApp,
    startNode,
    async close() {
      await app.close();
      await database.close();
      await made.drop();
    },
  };
}

function routes(app: App, database: Database, ran: Record<string, number>, stream: StreamProbe): void {
  const count = (name: string) => {
    ran[name] = (ran[name] ?? 0) + 1;
    return ran[name];
  };
  app.get('/open', { config: { scope: 'public' } }, () => ({ ok: true }));
  app.get('/file', { config: { scope: 'public', countedAs: 'file' } }, () => ({ ok: true }));
  app.get('/read', { config: { scope: 'read' } }, (request) => ({ key: request.caller.keyId }));
  const options = {
    config: { scope: 'write' as const },
    schema: {
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 20 }),
        scope: Maybe(Type.Union([Type.Literal('user'), Type.Literal('org')])),
        count: Maybe(Type.Integer({ minimum: 0 })),
        ids: Maybe(Type.Array(Type.String(), { maxItems: 2 })),
        code: Maybe(PatternString('^[a-z]{2}$', 'two small letters')),
        at: Maybe(Type.String({ format: 'date-time' })),
      }),
      response: { 200: Type.Object({ n: Type.Integer(), name: Type.String() }), ...failures() },
    },
  };
  app.post('/things', options, async ({ body }) => {
    await sleep(body.count ?? 0);
    return { n: count('things'), name: body.name };
  });
  app.get(
    '/page/:id',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'readPage',
        querystring: Type.Object({ limit: Maybe(Type.Integer({ minimum: 1, maximum: 9 })) }),
      },
    },
    ({ query }) => ({ limit: query.limit ?? null }),
  );
  const failing = {
    config: { scope: 'write' as const },
    schema: { querystring: Type.Object({ token: Maybe(Type.String()) }) },
  };
  app.post('/fails', failing, () => {
    count('fails');
    throw new Error('password=hunter2');
  });
  app.post('/refuses', { config: { scope: 'write' } }, () => {
    throw new Problem({ status: 404, code: 'item_not_found', message: `No item ${count('refuses')}.` });
  });
  app.get('/numbers', { config: { scope: 'read' } }, () => ({
    start_s: 12.300000000000001,
    third: 1 / 3,
    tiny: 1.23456789e-7,
    list: [{ end_s: 0.1 + 0.2 }],
    count: Number.MAX_SAFE_INTEGER,
    metadata: { gain: 0.12345678901234568 },
  }));
  app.post('/form', { config: { scope: 'read' } }, ({ body }) => ({ body }));
  app.get('/nul/:id', { config: { scope: 'read' } }, async ({ params }) => {
    const { id } = params as { id: string };
    return database.db.selectFrom('users').selectAll().where('id', '=', id).execute();
  });
  app.get('/text', { config: { scope: 'read' } }, (_request, reply) =>
    jsonText(reply, ['{"a":[', '1,', '2', ']}'].values()),
  );
  app.post('/leaves', { config: { scope: 'write' } }, async (request) => {
    count('leaves');
    if (request.headers['x-wait'])
      await new Promise((resolve) => request.disconnected.addEventListener('abort', resolve));
    throw new Problem({ status: 400, code: 'upload_interrupted', message: 'The body ended early.' });
  });
  let slots = 0;
  app.addContentTypeParser(
    'application/octet-stream',
    { bodyLimit: 2 ** 30 },
    async (_: unknown, body: Readable) => void (await body.toArray()),
  );
  app.post(
    '/slot',
    { config: { scope: 'write', countedAs: 'upload', idempotency: 'none' }, bodyLimit: 2 ** 30 },
    async () => {
      ran.mostSlots = Math.max(ran.mostSlots ?? 0, ++slots);
      await sleep(100);
      slots--;
      return { ok: true };
    },
  );
  app.post('/upload', { config: { scope: 'write' } }, () => ({ n: count('upload') }));
  const streamQuery = Type.Object({ n: Maybe(Type.String()), fail: Maybe(Type.String()), quiet: Maybe(Type.String()) });
  const streaming = { config: { scope: 'read' as const, stream: true }, schema: { querystring: streamQuery } };
  app.get('/stream', streaming, (request, reply) => {
    const { n = '3', fail, quiet } = request.query;
    stream.gone = new Promise((resolve) =>
      request.disconnected.addEventListener('abort', () => resolve(String(request.disconnected.reason.message))),
    );
    let ended = () => {};
    stream.ended = new Promise((resolve) => {
      ended = resolve;
    });
    async function* source() {
      try {
        for (let id = 1; id <= Number(n); id++) {
          yield { id, kind: 'progress', data: JSON.stringify({ event: 'progress', id, pad: 'x'.repeat(100) }) };
        }
        if (fail) throw new Error('password=hunter2');
        if (n === '0') await new Promise((_, reject) => request.disconnected.addEventListener('abort', reject));
      } finally {
        ended();
      }
    }
    return sendEvents(request, reply, source(), quiet ? undefined : 0.05);
  });
  const resumable = { config: { scope: 'write' as const, idempotency: 'resumable' as const, stream: true } };
  app.post('/query/stream', resumable, async (request, reply) => {
    const id =
      request.savedReference ??
      (await database.transaction(async (trx) => {
        await request.saveReference('stream-7', trx);
        return `stream-${count('query') + 6}`;
      }));
    async function* source() {
      yield { id: 1, kind: 'batch_created', data: JSON.stringify({ stream: id }) };
    }
    return sendEvents(request, reply, source());
  });
}
