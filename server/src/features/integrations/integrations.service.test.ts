import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEvents } from '#features/events/index';
import { createGuardedFetch } from '#platform/net/index';
import { createSealer } from '#platform/secrets/index';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { createIdentity, createIntegrations } from './index.ts';
import {
  HF_TOKEN,
  type IntegrationsService,
  ROOT_SECRET,
  startIntegrationsService,
  startServer,
} from './integrations.fixture.ts';
import { INTEGRATION_PROBLEMS } from './problems.ts';

const SECRET = 'the-secret-access-key-of-the-test';
let service: IntegrationsService;
beforeAll(async () => {
  service = await startIntegrationsService();
});
afterAll(() => service.close());

describe('an integration', () => {
  test('can be created, listed, read, tested, changed and deleted, and never returns its secret', async () => {
    const made = await service.call('POST', '/hf-bucket', service.huggingFace());
    expect(made.status, made.text).toBe(200);
    expect(made.json).toMatchObject({ name: 'Open drives', type: 'hf_bucket', bucket: 'ns/drives', is_owner: true });
    const { id } = made.json;
    const list = await service.call('GET', '');
    expect(list.json).toMatchObject([{ id, prefix: null, last_used: null }]);
    expect((await service.call('GET', `/${id}`)).json).toEqual(made.json);
    expect((await service.call('POST', `/${id}/test`)).json).toEqual({
      ok: true,
      message: 'The bucket can be listed and "a/one.mp4" can be read.',
      error: null,
    });
    const renamed = await service.call('PATCH', `/${id}`, { name: 'Drives', prefix: 'a/' });
    expect(renamed.json).toMatchObject({ name: 'Drives', prefix: 'a/', bucket: 'ns/drives' });
    for (const answer of [made, list, renamed]) expect(answer.text).not.toContain(HF_TOKEN);
    const nowhere = await service.call('POST', '/hf-bucket', service.huggingFace({ endpoint_url: '', prefix: '' }));
    expect(nowhere.json, 'an empty string is null').toMatchObject({ endpoint_url: null, prefix: null });
    await service.call('DELETE', `/${nowhere.json.id}`);
    const other = await service.call('PATCH', `/${id}?verify=false`, {
      access_key_id: 'AKIATEST',
      secret_access_key: SECRET,
    });
    expect(other).toMatchObject({ status: 400, json: { error: 'integration_invalid' } });
    expect((await service.call('DELETE', `/${id}`)).json).toEqual({ status: 'deleted', id });
    expect((await service.call('GET', `/${id}`)).json).toMatchObject({ error: 'integration_not_found' });
  });

  test('is recorded in the audit log without its secret', async () => {
    const { json } = await service.call('POST', '/hf-bucket', service.huggingFace({ scope: 'user' }));
    const { id } = json;
    await service.call('POST', `/${id}/test`);
    await service.call('PATCH', `/${id}`, { name: 'Drives', token: HF_TOKEN });
    await service.call('DELETE', `/${id}`);
    const log = await service.app.api.call('GET', '/api/audit-events', { key: service.key });
    const entries = (log.json.events as Record<string, unknown>[]).filter(({ subject_id }) => subject_id === id);
    const bucket = { type: 'hf_bucket', bucket: 'ns/drives', scope: 'user' };
    expect(entries).toMatchObject([
      { action: 'integration.deleted', detail: { ...bucket, name: 'Drives' }, key_id: expect.any(String) },
      { action: 'integration.changed', detail: { ...bucket, name: 'Drives', credentials: true } },
      { action: 'integration.tested', detail: { ...bucket, ok: true } },
      { action: 'integration.created', detail: { ...bucket, name: 'Open drives' }, address: '127.0.0.1' },
    ]);
    expect(log.text).not.toContain(HF_TOKEN);
  });

  test('has error sentences that state what to do next', () => {
    const sentences = Object.values(INTEGRATION_PROBLEMS).map(({ sentence }) => sentence);
    expect(sentences.filter((sentence) => !/\. [A-Z]/.test(sentence))).toEqual([]);
  });

  test('is stored encrypted', async () => {
    const { json } = await service.call('POST', '/hf-bucket', service.huggingFace());
    const { rows } = await sql`select i::text as text from integrations i`.execute(service.app.sightline.database.db);
    expect(JSON.stringify(rows)).not.toContain(HF_TOKEN);
    await service.call('DELETE', `/${json.id}`);
  });

  test.each([
    ['an unknown token', { token: 'hf_wrong' }, 'credentials_refused', /Hugging Face rejected/],
    ['an invalid token', { token: 'wrong' }, 'credentials_refused', /start with "hf_"/],
    ['a token that no header can carry', { token: 'hf_…' }, 'credentials_refused', /start with "hf_"/],
    ['a missing bucket', { bucket: 'ns/none' }, 'bucket_not_found', /no bucket "ns\/none"/],
    ['a bucket without its namespace', { bucket: 'drives' }, 'integration_invalid', /namespace\/name/],
    [
      'an endpoint in a private network',
      { endpoint_url: 'http://10.0.0.1' },
      'fetch_address_refused',
      /ALLOWED_NETWORKS/,
    ],
    [
      'an endpoint that is a metadata service',
      { endpoint_url: 'http://169.254.169.254' },
      'fetch_address_refused',
      /public/,
    ],
    ['an invalid endpoint', { endpoint_url: 'file:///etc/passwd' }, 'fetch_url_invalid', /http/],
  ])('rejects %s with the reason', async (_, more, error, message) => {
    const answer = await service.call('POST', '/hf-bucket', service.huggingFace(more));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error, message: expect.stringMatching(message) });
    expect(answer.text).not.toContain(HF_TOKEN);
  });

  test('is saved without a test with verify=false; a later test returns the error', async () => {
    const { status, json } = await service.call(
      'POST',
      '/hf-bucket?verify=false',
      service.huggingFace({ token: 'hf_later' }),
    );
    expect(status).toBe(200);
    expect((await service.call('POST', `/${json.id}/test`)).json).toMatchObject({
      ok: false,
      error: 'credentials_refused',
    });
    const updated = await service.call('PATCH', `/${json.id}`, { token: HF_TOKEN });
    expect(updated.status, updated.text).toBe(200);
    expect((await service.call('POST', `/${json.id}/test`)).json).toMatchObject({ ok: true });
    const moved = await service.call('PATCH', `/${json.id}`, { endpoint_url: service.tokens.account.token_uri });
    expect(moved.json).toMatchObject({
      error: 'integration_invalid',
      message: expect.stringMatching(/not sent to another server/),
    });
    await service.call('DELETE', `/${json.id}`);
  });

  test('is hidden from other organizations, and only its creator can change it', async () => {
    const { json } = await service.call('POST', '/hf-bucket', service.huggingFace());
    const { keys, database } = service.app.sightline;
    const { db } = database;
    const orgId = (await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()).id;
    await db.insertInto('organizations').values({ id: 'other', name: 'Other' }).execute();
    const keyOf = async (org: string, id: string) => {
      const user = { id, orgId: org, email: `${id}@example.org`, name: id, role: 'member' };
      await db.insertInto('users').values(user).execute();
      return (await keys.create({ orgId: org, userId: id, name: id, scopes: ['read', 'write'] })).key;
    };
    const colleague = await keyOf(orgId, 'colleague');
    const stranger = await keyOf('other', 'stranger');
    const as = (who: string, method: string) =>
      service.app.api.call(method, `/api/cloud-integrations/${json.id}`, {
        key: who,
        ...(method === 'PATCH' ? { json: { name: 'x' } } : {}),
      });
    expect((await as(colleague, 'GET')).json).toMatchObject({ is_owner: false });
    for (const method of ['PATCH', 'DELETE']) {
      for (const who of [colleague, stranger])
        expect(await as(who, method)).toMatchObject({ status: 403, json: { error: 'integration_forbidden' } });
    }
    await service.call('DELETE', `/${json.id}`);
  });

  test('sends its token to no URL of a forged cursor, and continues at its own cursors', async () => {
    const paged = await startHuggingFaceHub({ token: HF_TOKEN, pageSize: 1 });
    for (const name of ['a.mp4', 'b.mp4']) paged.put('ns/drives', name, Buffer.from('video'));
    paged.put('ns/private', 'secret.mp4', Buffer.from('video'));
    const received: (string | undefined)[] = [];
    const attacker = await startServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    const { json } = await service.call('POST', '/hf-bucket', service.huggingFace({ endpoint_url: paged.endpoint }));
    const preview = (cursor: string | null) =>
      service.app.api.call('POST', '/api/import-jobs/preview', {
        key: service.key,
        json: { integration_id: json.id, cursor },
      });

    const { port } = attacker;
    const host = paged.endpoint.replace('http://', '');
    for (const cursor of [
      `http://127.0.0.1:${port}/api/buckets/ns/drives/tree`,
      `http://${host}@127.0.0.1:${port}/api/buckets/ns/drives/tree`,
      `${paged.endpoint}/api/buckets/ns/private/tree`,
      `${paged.endpoint}/api/buckets/ns/drives/tree/../../private/tree`,
      'no address',
    ]) {
      const { status, json } = await preview(cursor);
      expect([cursor, status, json.error]).toEqual([cursor, 400, 'cursor_invalid']);
    }
    expect(received).toEqual([]);

    const first = (await preview(null)).json;
    expect(first).toMatchObject({ objects: [{ key: 'a.mp4' }], has_more: true });
    const second = (await preview(String(first.next_cursor))).json;
    expect(second).toMatchObject({ objects: [{ key: 'b.mp4' }], has_more: false });
    await service.call('DELETE', `/${json.id}`);
    attacker.stop();
    await paged.stop();
  });

  test('is re-encrypted by a rotation; a lost root secret is reported', async () => {
    const { json } = await service.call('POST', '/hf-bucket', service.huggingFace());
    const { database } = service.app.sightline;
    const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1'] });
    const parts = {
      database,
      net,
      events: createEvents({ database }),
      identity: createIdentity(null),
      hubUrl: service.hub.endpoint,
      gcsUrl: service.hub.endpoint,
    };
    const next = 'another root secret of the test, long enough';
    const lost = createIntegrations({ ...parts, sealer: createSealer(next) });
    await expect(lost.open(String(json.id))).rejects.toMatchObject({
      code: 'secret_key_lost',
      message: expect.stringMatching(/SIGHTLINE_PREVIOUS_SECRET/),
    });
    const both = createIntegrations({ ...parts, sealer: createSealer(next, ROOT_SECRET) });
    // Credentials that neither secret decrypts do not prevent the rotation of others.
    const undecryptable = await service.call('POST', '/hf-bucket', { ...service.huggingFace(), name: 'Lost' });
    const foreignCredentials = createSealer('a third root secret, of some other deployment').seal('elsewhere', {});
    await sql`update integrations set encrypted_credentials = ${JSON.stringify(foreignCredentials)} where id = ${undecryptable.json.id}`.execute(
      service.app.sightline.database.db,
    );
    expect(await both.reencrypt()).toEqual({ rotated: 1, lost: 1 });
    expect(await both.reencrypt()).toEqual({ rotated: 0, lost: 1 });
    await service.call('DELETE', `/${undecryptable.json.id}`);
    const opened = await lost.open(String(json.id));
    expect((await opened!.bucket.list({ prefix: '', cursor: null }, AbortSignal.timeout(5_000))).objects).toHaveLength(
      1,
    );
    expect((await service.call('POST', `/${json.id}/test`)).json).toMatchObject({
      ok: false,
      error: 'secret_key_lost',
    });
    const back = createIntegrations({ ...parts, sealer: createSealer(ROOT_SECRET, next) });
    expect(await back.reencrypt()).toEqual({ rotated: 1, lost: 0 });
    await service.call('DELETE', `/${json.id}`);
    await net.close();
  });
});
