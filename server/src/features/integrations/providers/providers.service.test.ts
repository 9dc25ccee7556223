import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGuardedFetch } from '#platform/net/index';
import { startGoogleTokens } from '#test/servers/google-tokens';
import { testBucket } from '../connection-test.ts';
import { createIdentity } from './identity.ts';
import { type BucketCredentials, type BucketLocation, openBucket } from './index.ts';

/** Serves handwritten responses that no test server of a provider sends. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startAccount() {
  const tokens = await startGoogleTokens();
  onTestFinished(() => tokens.stop());
  return { serviceAccount: tokens.account };
}

function prepareBucket(
  type: BucketLocation['type'],
  bucket: string,
  endpointUrl: string,
  credentials: BucketCredentials = { token: 'hf_token' },
) {
  const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1/32'] });
  onTestFinished(() => net.close());
  const deps = { net, identity: createIdentity(null), hubUrl: endpointUrl, gcsUrl: endpointUrl };
  const place = { type, bucket, region: 'us-east-1', endpointUrl, addressing: null, roleArn: null, orgId: 'org' };
  const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret', sessionToken: null };
  return () => openBucket(place, type === 's3' ? { keys } : credentials, deps);
}

const testTimeout = () => AbortSignal.timeout(30_000);
const listing = (keys: [key: string, size: number][], more = '') =>
  `<ListBucketResult>${keys.map(([key, size]) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`).join('')}${more}</ListBucketResult>`;

test('closing a bucket does not close connections of other buckets', async () => {
  const endpoint = await serve(async (_request, response) => {
    response.writeHead(200, { 'content-length': 2_000, etag: '"v"' });
    response.write(Buffer.alloc(1_000));
    await sleep(300);
    response.end(Buffer.alloc(1_000));
  });
  const open = prepareBucket('s3', 'videos', endpoint);
  const { body } = await open().open('a.mp4', { version: null, offset: 0 }, testTimeout());
  const other = open();
  (await other.open('b.mp4', { version: null, offset: 0 }, testTimeout())).body.destroy();
  other.close();
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  expect(bytes).toBe(2_000);
});

test('an empty page is not the end of a truncated listing', async () => {
  const endpoint = await serve((request, response) => {
    const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>';
    const passed = new URL(request.url!, 'http://s3').searchParams.get('continuation-token') === 'more';
    response.end(passed ? listing([['late.mp4', 5]]) : listing([], next));
  });
  const page = await prepareBucket('s3', 'videos', endpoint)().list({ prefix: '', cursor: null }, testTimeout());
  expect(page).toMatchObject({ objects: [{ key: 'late.mp4', size: 5 }], cursor: null });
});

test('a connection test reads an object, not a folder marker', async () => {
  const objects: [string, number][] = [
    ['drives/', 0],
    ['drives/a.mp4', 3],
  ];
  const endpoint = await serve((request, response) => {
    const most = new URL(request.url!, 'http://s3').searchParams.get('max-keys');
    if (most) return void response.end(listing(objects.slice(0, Number(most))));
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  });
  const bucket = prepareBucket('s3', 'videos', endpoint)();
  await expect(testBucket(bucket, 'drives/', testTimeout())).rejects.toMatchObject({ code: 'bucket_access_denied' });
});

test('keys and prefixes of the hub cannot lead out of the bucket', async () => {
  const requested: string[] = [];
  const endpoint = await serve((request, response) => {
    requested.push(request.url!);
    response.end('private');
  });
  const bucket = prepareBucket('hf_bucket', 'ns/drives', endpoint)();
  for (const key of ['../../../ns/private/resolve/secret.mp4', 'a/../../b.mp4', './a.mp4', '..']) {
    const missing = { code: 'object_not_found' };
    await expect(bucket.stat(key, testTimeout())).rejects.toMatchObject(missing);
    await expect(bucket.open(key, { version: null, offset: 0 }, testTimeout())).rejects.toMatchObject(missing);
  }
  const page = await bucket.list({ prefix: '../private/', cursor: null }, testTimeout());
  expect([page, requested]).toEqual([{ objects: [], cursor: null }, []]);
});

test.each(['gcs', 'hf_bucket'] as const)(
  'an interrupted body of %s that nobody reads does not end the process',
  async (type) => {
    const endpoint = await serve(async (_request, response) => {
      response.writeHead(200, { 'content-length': 10_000_000, etag: '"v"' });
      response.write(Buffer.alloc(1_000));
      await sleep(50);
      response.destroy();
    });
    const credentials = type === 'gcs' ? await startAccount() : undefined;
    const { body } = await prepareBucket(type, 'ns/drives', endpoint, credentials)().open(
      'a.mp4',
      { version: null, offset: 0 },
      testTimeout(),
    );
    // An unhandled error event would end the process and fail the test run.
    await expect.poll(() => body.errored).not.toBeNull();
  },
);

test('a request to an unresponsive STS times out', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIADEPLOYMENT');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const identity = createIdentity({ kind: 'aws', stsUrl: await serve(() => {}) }, 300);
  const role = { roleArn: 'arn:aws:iam::123456789012:role/x', orgId: 'org', region: null };
  await expect(identity.assumeRole(role)).rejects.toMatchObject({ code: 'bucket_unavailable' });
  await expect(identity.getSetup('org')).rejects.toMatchObject({ code: 'identity_unusable' });
});

test('expired credentials of a role are renewed once', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIADEPLOYMENT');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  let assumed = 0;
  const stsUrl = await serve((_request, response) => {
    const key = `<AccessKeyId>AKIAROLE${++assumed}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>`;
    const expiration = `<Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration>`;
    response.end(
      `<AssumeRoleResponse><AssumeRoleResult><Credentials>${key}${expiration}</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
    );
  });
  const endpoint = await serve((request, response) => {
    if (/AKIAROLE2/.test(request.headers.authorization ?? '')) return void response.end(listing([['a.mp4', 3]]));
    response.writeHead(400).end('<Error><Code>ExpiredToken</Code></Error>');
  });
  const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1/32'] });
  onTestFinished(() => net.close());
  const identity = createIdentity({ kind: 'aws', stsUrl });
  const roleArn = 'arn:aws:iam::123456789012:role/x';
  const place = {
    bucket: 'videos',
    region: 'us-east-1',
    endpointUrl: endpoint,
    addressing: null,
    roleArn,
    orgId: 'org',
  };
  const deps = { net, identity, hubUrl: endpoint, gcsUrl: endpoint };
  const bucket = openBucket({ ...place, type: 's3_storage_transfer' }, null, deps);
  expect((await bucket.list({ prefix: '', cursor: null }, testTimeout())).objects).toMatchObject([{ key: 'a.mp4' }]);
  expect(assumed).toBe(2);
});

test('the trust policy accepts a role with any path, as its session does not include the path', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIADEPLOYMENT');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_REGION', undefined);
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const arn = 'arn:aws:sts::123456789012:assumed-role/worker/i-0123';
  const identityResponse = `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${arn}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;
  const stsUrl = await serve((_request, response) => void response.end(identityResponse));
  const { awsTrustPolicyTemplate } = await createIdentity({ kind: 'aws', stsUrl }).getSetup('org');
  expect(awsTrustPolicyTemplate).toMatchObject({
    Statement: [
      {
        Principal: { AWS: 'arn:aws:iam::123456789012:root' },
        Action: 'sts:AssumeRole',
        Condition: {
          StringEquals: { 'sts:ExternalId': 'sightline-org' },
          ArnLike: {
            'aws:PrincipalArn': ['arn:aws:iam::123456789012:role/worker', 'arn:aws:iam::123456789012:role/*/worker'],
          },
        },
      },
    ],
  });
});
