import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createEvents } from '#features/events/index';
import { createGuardedFetch } from '#platform/net/index';
import { createSealer } from '#platform/secrets/index';
import { startTestApp, type TestApp } from '#test/app';
import { temporaryFolder } from '#test/folder';
import { type GcsServer, startGcsServer } from '#test/gcs-server';
import { startGoogleTokens } from '#test/google-tokens';
import { startHuggingFaceHub } from '#test/hugging-face-hub';
import { type S3Server, startS3Server } from '#test/s3-server';
import { createIdentity, createIntegrations } from './index.ts';
import { INTEGRATION_PROBLEMS } from './problems.ts';
import { openBucket } from './providers/index.ts';

const { s3Server, gcsServer } = inject('programs');
const HF_TOKEN = 'hf_example';
const ROLE = 'arn:aws:iam::123456789012:role/reader';
const SECRET = 'the-secret-access-key-of-the-test';

/** A server in front of `target` that keeps what it is sent and passes it on; without one it is an empty bucket. */
async function startListener(target: string | null) {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const { method, headers, url } = request;
    heard.push({ headers, body: bytes.toString() });
    if (target === null) {
      response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers as Record<string, string>;
    const answer = await fetch(target + url, { method, headers: passed, body: method === 'POST' ? bytes : null });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

let app: TestApp;
let server: S3Server | null;
let sts: Awaited<ReturnType<typeof startListener>>;
let tokens: Awaited<ReturnType<typeof startGoogleTokens>>;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
let key: string;

beforeAll(async () => {
  tokens = await startGoogleTokens();
  hub = await startHuggingFaceHub({ token: HF_TOKEN });
  hub.put('ns/drives', 'a/one.mp4', Buffer.from('one'));
  const keyFile = join(await temporaryFolder(), 'account.json');
  await writeFile(keyFile, JSON.stringify(tokens.account));
  server = s3Server ? await startS3Server(s3Server) : null;
  sts = await startListener(server?.endpoint ?? null);
  app = await startTestApp({
    SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.1/32',
    SIGHTLINE_SECRET: 'a root secret of the test that is long enough',
    GOOGLE_APPLICATION_CREDENTIALS: keyFile,
    AWS_ENDPOINT_URL_STS: sts.endpoint,
    HF_ENDPOINT: hub.endpoint,
  });
  key = app.sightline.firstKey!;
}, 180_000);

afterAll(async () => {
  await app.close();
  await tokens.stop();
  await hub.stop();
  sts.stop();
  await server?.stop();
});

const call = (method: string, path: string, json?: unknown) =>
  app.api.call(method, `/api/cloud-integrations${path}`, { key, json });
const huggingFace = (more: object = {}) => ({
  ...{ name: 'Open drives', type: 'hf_bucket', token: HF_TOKEN, bucket: 'ns/drives', prefix: null },
  endpoint_url: hub.endpoint,
  ...more,
});

describe('an integration', () => {
  test('is tried, saved, listed, read, tried again, changed and deleted; its secret is never shown', async () => {
    const made = await call('POST', '/hf-bucket', huggingFace());
    expect(made.status, made.text).toBe(200);
    expect(made.json).toMatchObject({ name: 'Open drives', type: 'hf_bucket', bucket: 'ns/drives', is_owner: true });
    const { id } = made.json;
    const list = await call('GET', '');
    expect(list.json).toMatchObject([{ id, prefix: null, last_used: null }]);
    expect((await call('GET', `/${id}`)).json).toEqual(made.json);
    expect((await call('POST', `/${id}/test`)).json).toEqual({
      ok: true,
      message: 'The bucket can be listed and "a/one.mp4" can be read.',
      error: null,
    });
    const renamed = await call('PATCH', `/${id}`, { name: 'Drives', prefix: 'a/' });
    expect(renamed.json).toMatchObject({ name: 'Drives', prefix: 'a/', bucket: 'ns/drives' });
    for (const answer of [made, list, renamed]) expect(answer.text).not.toContain(HF_TOKEN);
    const nowhere = await call('POST', '/hf-bucket', huggingFace({ endpoint_url: '', prefix: '' }));
    expect(nowhere.json, 'no text is none').toMatchObject({ endpoint_url: null, prefix: null });
    await call('DELETE', `/${nowhere.json.id}`);
    const other = await call('PATCH', `/${id}?verify=false`, { access_key_id: 'AKIATEST', secret_access_key: SECRET });
    expect(other).toMatchObject({ status: 400, json: { error: 'integration_invalid' } });
    expect((await call('DELETE', `/${id}`)).json).toEqual({ status: 'deleted', id });
    expect((await call('GET', `/${id}`)).json).toMatchObject({ error: 'integration_not_found' });
  });

  test('stands in the audit log with what was done with it, and nothing of its secret', async () => {
    const { json } = await call('POST', '/hf-bucket', huggingFace({ scope: 'user' }));
    const { id } = json;
    await call('POST', `/${id}/test`);
    await call('PATCH', `/${id}`, { name: 'Drives', token: HF_TOKEN });
    await call('DELETE', `/${id}`);
    const log = await app.api.call('GET', '/api/audit-events', { key });
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

  test('that cannot be used says what to do next, whatever the reason', () => {
    const sentences = Object.values(INTEGRATION_PROBLEMS).map(({ sentence }) => sentence);
    expect(sentences.filter((sentence) => !/: [a-z]/.test(sentence))).toEqual([]);
  });

  test('lies sealed in the database', async () => {
    const { json } = await call('POST', '/hf-bucket', huggingFace());
    const { rows } = await sql`select i::text as text from integrations i`.execute(app.sightline.database.db);
    expect(JSON.stringify(rows)).not.toContain(HF_TOKEN);
    await call('DELETE', `/${json.id}`);
  });

  test.each([
    ['a token that the hub does not know', { token: 'hf_wrong' }, 'credentials_refused', /Hugging Face refuses/],
    ['what is no token', { token: 'wrong' }, 'credentials_refused', /start with "hf_"/],
    ['a bucket that is not there', { bucket: 'ns/none' }, 'bucket_not_found', /no bucket "ns\/none"/],
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
    ['an endpoint that is none', { endpoint_url: 'file:///etc/passwd' }, 'fetch_url_invalid', /http/],
  ])('refuses %s with the reason', async (_, more, error, message) => {
    const answer = await call('POST', '/hf-bucket', huggingFace(more));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error, message: expect.stringMatching(message) });
    expect(answer.text).not.toContain(HF_TOKEN);
  });

  test('is saved untried with verify=false, and says when it is tried what is wrong', async () => {
    const { status, json } = await call('POST', '/hf-bucket?verify=false', huggingFace({ token: 'hf_later' }));
    expect(status).toBe(200);
    expect((await call('POST', `/${json.id}/test`)).json).toMatchObject({ ok: false, error: 'credentials_refused' });
    const mended = await call('PATCH', `/${json.id}`, { token: HF_TOKEN });
    expect(mended.status, mended.text).toBe(200);
    expect((await call('POST', `/${json.id}/test`)).json).toMatchObject({ ok: true });
    const moved = await call('PATCH', `/${json.id}`, { endpoint_url: tokens.account.token_uri });
    expect(moved.json).toMatchObject({
      error: 'integration_invalid',
      message: expect.stringMatching(/no other server/),
    });
    await call('DELETE', `/${json.id}`);
  });

  test('is not there for another organisation, and not to be changed by others of its own', async () => {
    const { json } = await call('POST', '/hf-bucket', huggingFace());
    const { keys, database } = app.sightline;
    const { db } = database;
    const orgId = (await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()).id;
    await db.insertInto('organizations').values({ id: 'other', name: 'Other' }).execute();
    const keyOf = async (org: string, id: string) => {
      const user = { id, org_id: org, email: `${id}@example.org`, name: id, role: 'member' };
      await db.insertInto('users').values(user).execute();
      return (await keys.create({ orgId: org, userId: id, name: id, scopes: ['read', 'write'] })).key;
    };
    const colleague = await keyOf(orgId, 'colleague');
    const stranger = await keyOf('other', 'stranger');
    const as = (who: string, method: string) =>
      app.api.call(method, `/api/cloud-integrations/${json.id}`, {
        key: who,
        ...(method === 'PATCH' ? { json: { name: 'x' } } : {}),
      });
    expect((await as(colleague, 'GET')).json).toMatchObject({ is_owner: false });
    for (const method of ['PATCH', 'DELETE']) {
      expect((await as(colleague, method)).json).toMatchObject({ error: 'integration_forbidden' });
      expect((await as(stranger, method)).json).toMatchObject({ error: 'integration_not_found' });
    }
    await call('DELETE', `/${json.id}`);
  });

  test('shows its token to no address that a cursor names, and goes on where one of its own pages ended', async () => {
    const paged = await startHuggingFaceHub({ token: HF_TOKEN, pageSize: 1 });
    for (const name of ['a.mp4', 'b.mp4']) paged.put('ns/drives', name, Buffer.from('film'));
    paged.put('ns/private', 'secret.mp4', Buffer.from('film'));
    const heard: (string | undefined)[] = [];
    const thief = createServer(({ headers }, response) => {
      heard.push(headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const { json } = await call('POST', '/hf-bucket', huggingFace({ endpoint_url: paged.endpoint }));
    const preview = (cursor: string | null) =>
      app.api.call('POST', '/api/import-jobs/preview', { key, json: { integration_id: json.id, cursor } });

    const port = (thief.address() as AddressInfo).port;
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
    expect(heard).toEqual([]);

    const first = (await preview(null)).json;
    expect(first).toMatchObject({ objects: [{ key: 'a.mp4' }], has_more: true });
    const second = (await preview(String(first.next_cursor))).json;
    expect(second).toMatchObject({ objects: [{ key: 'b.mp4' }], has_more: false });
    await call('DELETE', `/${json.id}`);
    thief.close();
    await paged.stop();
  });

  test('is sealed anew by a rotation; a root secret that is lost is said plainly', async () => {
    const { json } = await call('POST', '/hf-bucket', huggingFace());
    const { database } = app.sightline;
    const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1'] });
    const parts = {
      database,
      net,
      events: createEvents({ database }),
      identity: createIdentity(null),
      hubUrl: hub.endpoint,
      gcsUrl: hub.endpoint,
    };
    const old = 'a root secret of the test that is long enough';
    const next = 'another root secret of the test, long enough';
    const lost = createIntegrations({ ...parts, sealer: createSealer(next) });
    await expect(lost.open(String(json.id))).rejects.toMatchObject({
      code: 'secret_key_lost',
      message: expect.stringMatching(/SIGHTLINE_PREVIOUS_SECRET/),
    });
    const both = createIntegrations({ ...parts, sealer: createSealer(next, old) });
    // One that neither secret opens keeps no other from being sealed anew.
    const strange = await call('POST', '/hf-bucket', { ...huggingFace(), name: 'Lost' });
    const sealedElsewhere = createSealer('a third root secret, of some other deployment').seal('elsewhere', {});
    await sql`update integrations set sealed = ${JSON.stringify(sealedElsewhere)} where id = ${strange.json.id}`.execute(
      app.sightline.database.db,
    );
    expect(await both.rotate()).toEqual({ rotated: 1, lost: 1 });
    expect(await both.rotate()).toEqual({ rotated: 0, lost: 1 });
    await call('DELETE', `/${strange.json.id}`);
    const opened = await lost.open(String(json.id));
    expect((await opened!.bucket.list({ prefix: '', cursor: null }, AbortSignal.timeout(5_000))).objects).toHaveLength(
      1,
    );
    expect((await call('POST', `/${json.id}/test`)).json).toMatchObject({ ok: false, error: 'secret_key_lost' });
    const back = createIntegrations({ ...parts, sealer: createSealer(old, next) });
    expect(await back.rotate()).toEqual({ rotated: 1, lost: 0 });
    await call('DELETE', `/${json.id}`);
    await net.close();
  });
});

describe.skipIf(!s3Server)('S3', () => {
  let client: S3Client;
  let endpoint: string;
  beforeAll(async () => {
    endpoint = server!.endpoint;
    const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: SECRET };
    client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'fleet' }));
    await client.send(new PutObjectCommand({ Bucket: 'fleet', Key: 'a/one.mp4', Body: 'one' }));
  }, 180_000);
  afterAll(() => client.destroy());
  const keys = (more: object = {}) => ({
    ...{ name: 'Fleet', access_key_id: 'AKIATEST', secret_access_key: SECRET, session_token: null, bucket: 'fleet' },
    endpoint_url: endpoint,
    ...more,
  });

  const role = (more: object = {}) => ({
    ...{ name: 'Partner', bucket: 'fleet', role_arn: ROLE, prefix: null, endpoint_url: endpoint },
    ...more,
  });

  test('is read with keys, the bucket in the path', async () => {
    const made = await call('POST', '/s3', keys({ addressing: 'path', prefix: 'a/' }));
    expect(made.json, made.text).toMatchObject({ type: 's3', addressing: 'path', endpoint_url: endpoint });
    expect(made.text).not.toContain(SECRET);
  });

  test.each([
    ['path', (port: number) => `store.example:${port}/fleet/`],
    ['virtual', (port: number) => `fleet.store.example:${port}/`],
  ] as const)('has the bucket in the %s when told to', async (addressing, where) => {
    const asked: string[] = [];
    const store = createServer(({ headers, url }, response) => {
      asked.push(`${headers.host}${url?.split('?')[0]}`);
      response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    const { port } = store.address() as AddressInfo;
    const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
    const place = { type: 's3' as const, bucket: 'fleet', region: null, addressing, roleArn: null, orgId: 'org' };
    const bucket = openBucket(
      { ...place, endpointUrl: `http://store.example:${port}` },
      { keys: { accessKeyId: 'AKIATEST', secretAccessKey: SECRET, sessionToken: null } },
      { net, identity: createIdentity(null), hubUrl: hub.endpoint, gcsUrl: hub.endpoint },
    );
    await bucket.list({ prefix: '', cursor: null }, AbortSignal.timeout(5_000));
    expect(asked).toEqual([where(port)]);
    bucket.close();
    await net.close();
    store.close();
  });

  test('is asked over another connection when a kept one was given up meanwhile', async () => {
    let reads = 0;
    const listed = '<Contents><Key>one.mp4</Key><Size>3</Size></Contents><IsTruncated>false</IsTruncated>';
    const store = createServer(({ url, socket }, response) => {
      if (url!.includes('list-type')) response.end(`<ListBucketResult>${listed}</ListBucketResult>`);
      else if (reads++ === 0) socket.destroy();
      else response.end('one');
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    const { port } = store.address() as AddressInfo;
    const made = await call('POST', '/s3', keys({ endpoint_url: `http://127.0.0.1:${port}` }));
    expect(made.json, made.text).toMatchObject({ type: 's3' });
    expect(reads).toBe(2);
    store.close();
  });

  test('without a region and an address it is asked for one', async () => {
    const answer = await call('POST', '/s3', keys({ endpoint_url: null }));
    expect(answer.json).toMatchObject({ error: 'integration_invalid', message: expect.stringMatching(/region/) });
  });

  test('a bucket that is not there is said so', async () => {
    const answer = await call('POST', '/s3', keys({ bucket: 'none' }));
    expect(answer.json).toMatchObject({ error: 'bucket_not_found', message: 'S3 has no bucket "none".' });
  });

  test('is read in a role, with a token for this organisation alone', async () => {
    const setup = await call('GET', '/s3-storage-transfer/setup');
    expect(setup.json).toMatchObject({
      provider: 'google',
      auth_mode: 'web_identity',
      project_id: 'example-project',
      google_service_account_email: tokens.email,
      google_service_account_subject_id: tokens.subject,
      external_id: null,
    });
    const [statement] = (setup.json.aws_trust_policy_template as { Statement: Record<string, unknown>[] }).Statement;
    expect(statement).toEqual({
      Effect: 'Allow',
      Principal: { Federated: 'accounts.google.com' },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: { 'accounts.google.com:sub': tokens.subject, 'accounts.google.com:oaud': setup.json.audience },
      },
    });
    const made = await call('POST', '/s3-storage-transfer', role());
    expect(made.json, made.text).toMatchObject({ type: 's3_storage_transfer', role_arn: ROLE });
    // What the STS gets is what the policy asks for.
    const { WebIdentityToken, RoleArn } = Object.fromEntries(new URLSearchParams(sts.heard.at(-1)!.body));
    const claims = JSON.parse(Buffer.from(WebIdentityToken!.split('.')[1]!, 'base64url').toString());
    expect([RoleArn, claims.sub, claims.aud]).toEqual([ROLE, tokens.subject, setup.json.audience]);
    const { rows } = await sql`select sealed from integrations where id = ${made.json.id}`.execute(
      app.sightline.database.db,
    );
    expect(rows).toEqual([{ sealed: null }]);
  });

  test('the identity of this deployment is shown to its STS alone, wherever a bucket is said to lie', async () => {
    const thief = await startListener(null);
    onTestFinished(() => void thief.stop());
    const before = sts.heard.length;
    const made = await call('POST', '/s3-storage-transfer', role({ endpoint_url: thief.endpoint }));
    expect(made.status, made.text).toBe(200);
    expect(sts.heard.slice(before)).toMatchObject([{ body: expect.stringContaining('AssumeRoleWithWebIdentity') }]);
    expect(thief.heard).toHaveLength(1);
    expect(JSON.stringify(thief.heard)).not.toMatch(/WebIdentity|eyJ/);
  });

  test('a region that is none, and could name another host, is refused', async () => {
    const answer = await call('POST', '/s3-storage-transfer', role({ endpoint_url: null, region: 'evil.example/#' }));
    expect(answer.json).toMatchObject({ error: 'request_invalid' });
  });

  test('a deployment on AWS assumes the role by name, with the external id of the organisation alone', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIADEPLOYMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'us-east-1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const onAws = await startTestApp({
      SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.1/32',
      SIGHTLINE_CLOUD_IDENTITY: 'aws',
      AWS_ENDPOINT_URL_STS: sts.endpoint,
    });
    onTestFinished(() => onAws.close());
    const ask = (method: string, path: string, json?: object) =>
      onAws.api.call(method, `/api/cloud-integrations/s3-storage-transfer${path}`, {
        key: onAws.sightline.firstKey!,
        json,
      });
    const setup = await ask('GET', '/setup');
    const { orgId } = (await onAws.sightline.accounts.owner())!;
    expect(setup.json, setup.text).toMatchObject({
      ...{ provider: 'aws', auth_mode: 'assume_role', audience: null, external_id: `sightline-${orgId}` },
      aws_trust_policy_template: {
        Statement: [
          {
            Principal: { AWS: expect.stringMatching(/^arn:aws:(iam|sts)::\d{12}:/) },
            Action: 'sts:AssumeRole',
            Condition: { StringEquals: { 'sts:ExternalId': `sightline-${orgId}` } },
          },
        ],
      },
    });
    const made = await ask('POST', '', role());
    expect(made.status, made.text).toBe(200);
    const { headers, body } = sts.heard.at(-1)!;
    expect(headers.authorization).toMatch(/Credential=AKIADEPLOYMENT\//);
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      ...{ Action: 'AssumeRole', RoleArn: ROLE, ExternalId: `sightline-${orgId}`, DurationSeconds: '3600' },
    });
    expect((await ask('POST', '', role({ bucket: 'none' }))).json.error).toBe('bucket_not_found');
  }, 60_000);

  test('without an identity the setup says what to configure', async () => {
    await expect(createIdentity(null).setup('org')).rejects.toMatchObject({
      code: 'identity_missing',
      message: expect.stringMatching(/SIGHTLINE_CLOUD_IDENTITY/),
    });
  });
});

describe.skipIf(!gcsServer)('Google Cloud Storage', () => {
  let server: GcsServer;
  beforeAll(async () => {
    server = await startGcsServer(gcsServer!);
    await server.makeBucket('fleet');
    await server.put('fleet', 'a/one.mp4', Buffer.from('one'));
  }, 180_000);
  afterAll(() => server.stop());
  const account = (more: object = {}) => ({
    ...{ name: 'Fleet', type: 'gcs', service_account: tokens.account, bucket: 'fleet', prefix: null },
    endpoint_url: server.endpoint,
    ...more,
  });

  test('is read with a service account, whose tokens read only', async () => {
    const made = await call('POST', '/gcs', account());
    expect(made.json, made.text).toMatchObject({ type: 'gcs', bucket: 'fleet' });
    expect(made.text).not.toContain('PRIVATE KEY');
    expect(tokens.assertions.at(-1)).toMatchObject({ scope: expect.stringMatching(/devstorage\.read_only$/) });
  });

  test.each([
    ['a key that is none', { private_key: 'no key' }, /not a private key/],
    ['tokens from a private network', { token_uri: 'http://10.1.2.3/token' }, /not public/],
  ])('refuses %s', async (_, more, message) => {
    const answer = await call('POST', '/gcs', account({ service_account: { ...tokens.account, ...more } }));
    expect(answer.status).toBe(400);
    expect(answer.json.message).toMatch(message);
  });

  test('a service account whose key was deleted is refused in plain words', async () => {
    tokens.refuse('invalid_grant');
    const answer = await call('POST', '/gcs', account());
    tokens.refuse(null);
    expect(answer.json).toMatchObject({
      error: 'credentials_refused',
      message: expect.stringMatching(/key was deleted/),
    });
  });

  test('other kinds of key files, which name programs and addresses, are not taken', async () => {
    const answer = await call(
      'POST',
      '/gcs',
      account({ service_account: { ...tokens.account, type: 'external_account' } }),
    );
    expect(answer.json).toMatchObject({ error: 'request_invalid' });
  });
});
