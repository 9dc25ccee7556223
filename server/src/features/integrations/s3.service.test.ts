import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createGuardedFetch } from '#platform/net/index';
import { startTestApp } from '#test/app';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { createIdentity } from './index.ts';
import {
  type IntegrationsService,
  startIntegrationsService,
  startRecordingProxy,
  startServer,
} from './integrations.fixture.ts';
import { openBucket } from './providers/index.ts';

const { s3Server } = inject('programs');
const ROLE = 'arn:aws:iam::123456789012:role/reader';
const SECRET = 'the-secret-access-key-of-the-test';

describe.skipIf(!s3Server)('S3', () => {
  let client: S3Client;
  let endpoint: string;
  let server: S3Server;
  let service: IntegrationsService;
  beforeAll(async () => {
    server = await startS3Server(s3Server!);
    endpoint = server.endpoint;
    service = await startIntegrationsService({ stsUrl: endpoint });
    const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: SECRET };
    client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'fleet' }));
    await client.send(new PutObjectCommand({ Bucket: 'fleet', Key: 'a/one.mp4', Body: 'one' }));
  });
  afterAll(async () => {
    client.destroy();
    await service.close();
    await server.stop();
  });
  const keys = (more: object = {}) => ({
    name: 'Fleet',
    access_key_id: 'AKIATEST',
    secret_access_key: SECRET,
    session_token: null,
    bucket: 'fleet',
    endpoint_url: endpoint,
    ...more,
  });

  const role = (more: object = {}) => ({
    name: 'Partner',
    bucket: 'fleet',
    role_arn: ROLE,
    prefix: null,
    endpoint_url: endpoint,
    ...more,
  });

  test('is read with keys, the bucket in the path', async () => {
    const made = await service.call('POST', '/s3', keys({ addressing: 'path', prefix: 'a/' }));
    expect(made.json, made.text).toMatchObject({ type: 's3', addressing: 'path', endpoint_url: endpoint });
    expect(made.text).not.toContain(SECRET);
  });

  test.each([
    ['path', (port: number) => `store.example:${port}/fleet/`],
    ['virtual', (port: number) => `fleet.store.example:${port}/`],
  ] as const)('addresses the bucket by %s as configured', async (addressing, where) => {
    const requested: string[] = [];
    const store = await startServer(({ headers, url }, response) => {
      requested.push(`${headers.host}${url?.split('?')[0]}`);
      response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
    });
    const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
    const place = { type: 's3' as const, bucket: 'fleet', region: null, addressing, roleArn: null, orgId: 'org' };
    const bucket = openBucket(
      { ...place, endpointUrl: `http://store.example:${store.port}` },
      { keys: { accessKeyId: 'AKIATEST', secretAccessKey: SECRET, sessionToken: null } },
      { net, identity: createIdentity(null), hubUrl: service.hub.endpoint, gcsUrl: service.hub.endpoint },
    );
    await bucket.list({ prefix: '', cursor: null }, AbortSignal.timeout(5_000));
    expect(requested).toEqual([where(store.port)]);
    bucket.close();
    await net.close();
    store.stop();
  });

  test('is requested again if the server closed a pooled connection', async () => {
    let reads = 0;
    const listed = '<Contents><Key>one.mp4</Key><Size>3</Size></Contents><IsTruncated>false</IsTruncated>';
    const store = await startServer(({ url, socket }, response) => {
      if (url!.includes('list-type')) response.end(`<ListBucketResult>${listed}</ListBucketResult>`);
      else if (reads++ === 0) socket.destroy();
      else response.end('one');
    });
    const made = await service.call('POST', '/s3', keys({ endpoint_url: store.endpoint }));
    expect(made.json, made.text).toMatchObject({ type: 's3' });
    expect(reads).toBe(2);
    store.stop();
  });

  test('requires a region without an endpoint', async () => {
    const answer = await service.call('POST', '/s3', keys({ endpoint_url: null }));
    expect(answer.json).toMatchObject({ error: 'integration_invalid', message: expect.stringMatching(/region/) });
  });

  test('reports a missing bucket', async () => {
    const answer = await service.call('POST', '/s3', keys({ bucket: 'none' }));
    expect(answer.json).toMatchObject({ error: 'bucket_not_found', message: 'S3 has no bucket "none".' });
  });

  test('is read with a role, with a token that is unique to the organization', async () => {
    const setup = await service.call('GET', '/s3-storage-transfer/setup');
    expect(setup.json).toMatchObject({
      provider: 'google',
      auth_mode: 'web_identity',
      project_id: 'example-project',
      google_service_account_email: service.tokens.email,
      google_service_account_subject_id: service.tokens.subject,
      external_id: null,
    });
    const [statement] = (setup.json.aws_trust_policy_template as { Statement: Record<string, unknown>[] }).Statement;
    expect(statement).toEqual({
      Effect: 'Allow',
      Principal: { Federated: 'accounts.google.com' },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'accounts.google.com:sub': service.tokens.subject,
          'accounts.google.com:oaud': setup.json.audience,
        },
      },
    });
    const made = await service.call('POST', '/s3-storage-transfer', role());
    expect(made.json, made.text).toMatchObject({ type: 's3_storage_transfer', role_arn: ROLE });
    // The STS receives the claims that the policy requires.
    const { WebIdentityToken, RoleArn } = Object.fromEntries(new URLSearchParams(service.sts.requests.at(-1)!.body));
    const claims = JSON.parse(Buffer.from(WebIdentityToken!.split('.')[1]!, 'base64url').toString());
    expect([RoleArn, claims.sub, claims.aud]).toEqual([ROLE, service.tokens.subject, setup.json.audience]);
    const { rows } = await sql`select encrypted_credentials from integrations where id = ${made.json.id}`.execute(
      service.app.sightline.database.db,
    );
    expect(rows).toEqual([{ encryptedCredentials: null }]);
  });

  test('the token of this deployment is sent to its STS only, not to the endpoint of a bucket', async () => {
    const bucket = await startRecordingProxy(null);
    onTestFinished(bucket.stop);
    const before = service.sts.requests.length;
    const made = await service.call('POST', '/s3-storage-transfer', role({ endpoint_url: bucket.endpoint }));
    expect(made.status, made.text).toBe(200);
    expect(service.sts.requests.slice(before)).toMatchObject([
      { body: expect.stringContaining('AssumeRoleWithWebIdentity') },
    ]);
    expect(bucket.requests).toHaveLength(1);
    expect(JSON.stringify(bucket.requests)).not.toMatch(/WebIdentity|eyJ/);
  });

  test('rejects an invalid region, which could change the host', async () => {
    const answer = await service.call(
      'POST',
      '/s3-storage-transfer',
      role({ endpoint_url: null, region: 'evil.example/#' }),
    );
    expect(answer.json).toMatchObject({ error: 'request_invalid' });
  });

  test('a deployment on AWS assumes the role with the external id of the organization', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIADEPLOYMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'us-east-1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const onAws = await startTestApp({
      SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.1/32',
      SIGHTLINE_CLOUD_IDENTITY: 'aws',
      AWS_ENDPOINT_URL_STS: service.sts.endpoint,
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
      provider: 'aws',
      auth_mode: 'assume_role',
      audience: null,
      external_id: `sightline-${orgId}`,
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
    const { headers, body } = service.sts.requests.at(-1)!;
    expect(headers.authorization).toMatch(/Credential=AKIADEPLOYMENT\//);
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      Action: 'AssumeRole',
      RoleArn: ROLE,
      ExternalId: `sightline-${orgId}`,
      DurationSeconds: '3600',
    });
    expect((await ask('POST', '', role({ bucket: 'none' }))).json.error).toBe('bucket_not_found');
  });

  test('without an identity the setup states what to configure', async () => {
    await expect(createIdentity(null).getSetup('org')).rejects.toMatchObject({
      code: 'identity_missing',
      message: expect.stringMatching(/SIGHTLINE_CLOUD_IDENTITY/),
    });
    await expect(createIdentity(null).getReader()).rejects.toMatchObject({
      status: 501,
      message: expect.stringMatching(/SIGHTLINE_CLOUD_IDENTITY/),
    });
  });
});
