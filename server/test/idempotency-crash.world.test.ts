import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiClient, type ApiResponse, createApiClient } from '#test/http';
import {
  KEYED_OPERATIONS,
  KEYED_VARIANTS,
  type OperationContext,
  type PreparedRequest,
} from './api/keyed-operations.ts';
import { openOperations } from './api/operation-context.ts';
import type { TestApp } from './app.ts';
import { nextMessage } from './child-messages.ts';
import { startCommitProxy } from './database/commit-proxy.ts';

/**
 * Each operation that takes an `Idempotency-Key`, its node killed after it has committed and before it has answered:
 * a repeat gives what one request gives that nothing happened to. A killed node is a process of its own on the same
 * database and storage.
 */
const { s3Server, gcsServer } = inject('programs');

type Operation = { operationId: string; 'x-scope': string; 'x-idempotency'?: 'replay' | 'resumable' };
const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation['x-idempotency'])
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);
const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
const cases = [
  ...Object.entries(KEYED_OPERATIONS).map(([id, prepare]) => ({ id, form: '', prepare })),
  ...KEYED_VARIANTS,
];
type Case = (typeof cases)[number];

/** They commit before they wait for a slow client, a worker or the storage. */
const STAGED = ['uploadVideo', 'createDirectUpload', 'completeDirectUpload'];
/** Operations whose secret is returned once; a repeat gets an error that states this. */
const SHOWN_ONCE = ['createKey', 'createInvitation', 'createWebhook', 'rotateWebhookSecret', 'createCameraKey'];
/** After it the caller is an owner no more. */
const LAST = 'transferOwnership';
/** So many requests are killed with one node, each on a connection of its own. */
const AT_ONCE = 24;
const AUDIT = 'public.audit_events';
/** Tables that every request may write to. */
const ASIDE = ['idempotency_keys', 'rate_limits', 'activity', 'activity_heads'];

test('the table has every operation that takes an Idempotency-Key', () => {
  expect(Object.keys(KEYED_OPERATIONS).sort()).toEqual([...byId.keys()].sort());
});

describe.skipIf(!s3Server || !gcsServer)('a node that is killed between commit and answer', () => {
  let app: TestApp;
  let ground: OperationContext;
  let control: Node;
  let keyOf: Record<string, string>;
  let next: Promise<Node> | null = null;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    const operations = await openOperations();
    closing.push(operations.close);
    ({ app, ground, keyOf } = operations);
    control = await startNode();
    closing.push(control.kill);
  });
  afterAll(async () => {
    await (await next)?.kill();
    for (const close of closing.reverse()) await close();
  });

  const withoutSettings = (env: NodeJS.ProcessEnv) =>
    Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SIGHTLINE_')));

  type Node = { api: ApiClient; relay: Awaited<ReturnType<typeof startCommitProxy>>; kill: () => Promise<void> };

  async function startNode(): Promise<Node> {
    const relay = await startCommitProxy(inject('postgres'));
    const url = new URL(app.env.DATABASE_URL!);
    url.searchParams.set('host', relay.host);
    url.searchParams.set('port', String(relay.port));
    const child: ChildProcess = fork(new URL('api-node.fixture.ts', import.meta.url), {
      // Of the run's own variables, only those that libraries read: the service refuses unknown ones.
      env: {
        ...withoutSettings(process.env),
        ...app.env,
        DATABASE_URL: url.href,
        SIGHTLINE_DATABASE_CONNECTIONS: String(2 * AT_ONCE),
      },
      execArgv: [],
    });
    const base = String(await nextMessage(child));
    return {
      api: createApiClient(base),
      relay,
      async kill() {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        await relay.stop();
      },
    };
  }

  /** A node that is ready, while another one starts for the next. */
  async function takeNode(): Promise<Node> {
    const node = await (next ?? startNode());
    next = startNode();
    return node;
  }

  /** Number of rows of each table. */
  async function rows(): Promise<Record<string, number>> {
    const { db } = app.sightline.database;
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = 'public' and not tablename = any(${ASIDE}) union all select 'pgboss.job'`.execute(db);
    const counts = tables.map(
      ({ name }) => sql`select ${sql.lit(name)}::text as name, count(*)::int from ${sql.raw(name)}`,
    );
    const all = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
    return Object.fromEntries(all.rows.map(({ name, count }) => [name, count]));
  }
  async function changes(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await rows();
    await work();
    const after = await rows();
    return Object.fromEntries(
      Object.entries(after).flatMap(([name, count]) => (count === before[name] ? [] : [[name, count - before[name]!]])),
    );
  }

  /** Sends a request; of a stream only its first event is read. */
  async function send(
    api: ApiClient,
    operationId: string,
    request: PreparedRequest,
    key: string,
    more = '',
  ): Promise<ApiResponse> {
    const { path, method, 'x-scope': scope } = byId.get(operationId)!;
    const { params = [], query = '', headers, ...carried } = request;
    const left = [...params];
    const url = path.replace(/\{\w+\}/g, () => left.shift()!) + query + more;
    const options = { key: keyOf[scope], headers: { ...headers, 'idempotency-key': key }, ...carried };
    if (operationId !== 'streamQuery') return api.call(method, url, options);
    const response = await fetch(api.base + url, {
      method,
      body: JSON.stringify(request.json),
      headers: { ...options.headers, 'x-api-key': options.key!, 'content-type': 'application/json' },
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array);
      if (/^data: .*batch_id/m.test(text) || response.status !== 200) break;
    }
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: response.status === 200 ? {} : JSON.parse(text),
    };
  }

  /** Runs a request without a crash. Returns its changes, its number of commits and the fields of its response. */
  async function undisturbed({ id, form, prepare }: Case) {
    const request = await prepare(ground);
    let fields: string[] = [];
    control.relay.count();
    const changed = await changes(async () => {
      const answer = await send(control.api, id, request, `control-${id}-${form}`);
      expect(answer.status, answer.text).toBeLessThan(300);
      fields = Object.keys(answer.json);
    });
    return { changed, fields, commits: control.relay.count() };
  }

  /**
   * Sends them all to one node that is killed once each has committed, at its `n`th commit where it is one alone;
   * then repeats each. `answered` are the responses of those that ended before that commit.
   */
  async function killed(of: readonly (Case & { fields: string[] })[], n: number) {
    const requests: ((typeof of)[number] & { request: PreparedRequest; key: string })[] = [];
    for (const each of of)
      requests.push({ ...each, request: await each.prepare(ground), key: `${each.id}-${each.form}-${n}` });
    const node = await takeNode();
    let answered: string[] = [];
    const changed = await changes(async () => {
      const dead = Promise.withResolvers<void>();
      let held = 0;
      node.relay.hold(n, () => ++held === of.length && void node.kill().then(dead.resolve, dead.reject));
      const sent = requests.map(({ id, request, key }) => send(node.api, id, request, key));
      const ended = await Promise.allSettled(sent);
      answered = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value.text] : []));
      await (answered.length > 0 ? node.kill() : dead.promise);
      // Locks of the dead node expire after some seconds; this expires them now.
      await sql`update idempotency_keys set locked_until = now()`.execute(app.sightline.database.db);
      for (const { id, fields, request, key } of requests) {
        const [first, again] = [await send(app.api, id, request, key), await send(app.api, id, request, key)];
        if (SHOWN_ONCE.includes(id)) expect(first.json.error).toMatch(/_shown_once$/);
        else expect([first.status < 300, Object.keys(first.json)], `${id}: ${first.text}`).toEqual([true, fields]);
        if (!STAGED.includes(id)) expect([id, first.headers.get('idempotency-replayed')]).toEqual([id, 'true']);
        const answers = [first, again].map(({ status, text, headers }) => [
          status,
          text.replace(/"request_id":"[^"]*"/, ''),
          headers.get('location'),
        ]);
        expect(answers[1]).toEqual(answers[0]);
        // Another request by its address; one with an unknown parameter would be refused first.
        const other = await send(app.api, id, request, key, request.query ? '&' : '?');
        expect([id, other.status, other.json.error]).toEqual([id, 409, 'idempotency_conflict']);
      }
    });
    return { changed, answered };
  }

  const inOne = cases.filter(({ id }) => !STAGED.includes(id) && id !== LAST);
  const batches = Array.from({ length: Math.ceil(inOne.length / AT_ONCE) }, (_, i) =>
    inOne.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
  batches.push(cases.filter(({ id }) => id === LAST));

  test.each(batches.map((batch) => [batch.map(({ id }) => id).join(' '), batch] as const))(
    'once, in one transaction: %s',
    async (_, batch) => {
      const wanted: Record<string, number> = {};
      const known = [];
      for (const each of batch) {
        const { changed, commits, fields } = await undisturbed(each);
        expect([each.id, commits]).toEqual([each.id, 1]);
        for (const [table, count] of Object.entries(changed)) wanted[table] = (wanted[table] ?? 0) + count;
        known.push({ ...each, fields });
      }
      // One operation may delete rows that another one adds.
      const sum = Object.fromEntries(Object.entries(wanted).filter(([, count]) => count !== 0));
      expect(await killed(known, 1)).toEqual({ changed: sum, answered: [] });
    },
  );

  test.each(cases.filter(({ id }) => STAGED.includes(id)).map((each) => [`${each.id} ${each.form}`, each] as const))(
    'once, at whichever commit the node dies: %s',
    async (_, each) => {
      const { changed, fields } = await undisturbed(each);
      // Until it ends before the commit: the node has commits of its own, too, so their number varies.
      for (let n = 1; ; n++) {
        const result = await killed([{ ...each, fields }], n);
        // An upload whose bytes are lost with the node starts again, and the audit log has both starts.
        const twice = { ...changed, [AUDIT]: 2 };
        expect(result.changed).toBeOneOf(each.id === 'uploadVideo' ? [changed, twice] : [changed]);
        if (result.answered.length === 0) continue;
        expect(n).toBeGreaterThan(1);
        return;
      }
    },
  );
});
