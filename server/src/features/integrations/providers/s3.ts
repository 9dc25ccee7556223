import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from '../problems.ts';
import { type RequestTarget, toConnectionProblem, toProviderProblem } from './errors.ts';
import type { BucketLocation, Checksum, CloudIdentity, ObjectInfo, ProviderBucket, S3Keys } from './types.ts';

const PAGE_SIZE = 1_000;
/** Error codes of expired credentials; those of a role are renewed. */
const EXPIRED_CODES = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'];

/** Opens a bucket of S3 or a compatible server, with the given keys or by assuming the role. */
export function openS3(
  place: BucketLocation,
  keys: S3Keys | null,
  { agents }: Pick<GuardedFetch, 'agents'>,
  identity: CloudIdentity,
): ProviderBucket {
  const { bucket, endpointUrl, roleArn } = place;
  const region = place.region ?? (endpointUrl ? 'auto' : 'us-east-1');
  const endpoint = endpointUrl ?? undefined;
  const host = endpointUrl ? new URL(endpointUrl).host : `s3.${region}.amazonaws.com`;
  const toTarget = (key?: string): RequestTarget => ({ provider: 'S3', bucket, key, host });
  const handler = { httpAgent: agents.http, httpsAgent: agents.https, connectionTimeout: 10_000 };
  let client = connect();

  function connect(): S3Client {
    return new S3Client({
      region: region === 'auto' && !endpoint ? 'us-east-1' : region,
      endpoint,
      // Without a known region, S3 redirects to the bucket's region.
      followRegionRedirects: place.region === null && !endpoint,
      forcePathStyle: place.addressing === null ? endpoint !== undefined : place.addressing === 'path',
      credentials: roleArn
        ? () => identity.assumeRole({ roleArn, orgId: place.orgId, region: place.region })
        : { ...keys!, sessionToken: keys!.sessionToken ?? undefined },
      requestHandler: handler,
      // Retries and checksums are implemented once for all providers.
      maxAttempts: 1,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async function send<T>(key: string | undefined, request: (client: S3Client) => Promise<T>): Promise<T> {
    try {
      return await request(client);
    } catch (error) {
      if (!roleArn || !EXPIRED_CODES.includes((error as Error).name)) throw toS3Problem(toTarget(key), error);
      client = connect();
      return await request(client).catch((retryError) => {
        throw toS3Problem(toTarget(key), retryError);
      });
    }
  }

  function get(key: string, more: { Range?: string; IfMatch?: string }, abortSignal: AbortSignal) {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, ...more });
    // Like `ChecksumMode`, but without the client's own check: a resumed transfer is checked as a whole.
    command.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amz-checksum-mode'] = 'ENABLED';
        return next(args);
      },
      { step: 'build' },
    );
    return send(key, (client) => client.send(command, { abortSignal }));
  }

  return {
    async list({ prefix, cursor, limit = PAGE_SIZE }, abortSignal) {
      // Resume after the last key: a server's token may have expired when another worker resumes.
      const from = { Bucket: bucket, Prefix: prefix || undefined, StartAfter: cursor ?? undefined, MaxKeys: limit };
      for (let token: string | undefined; ; ) {
        const command = new ListObjectsV2Command({ ...from, ContinuationToken: token });
        const page = await send(undefined, (client) => client.send(command, { abortSignal }));
        const objects = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '' }) => ({
          key: Key,
          size: Size,
          version: ETag,
          checksum: null,
        }));
        if (!page.IsTruncated) return { objects, cursor: null };
        const last = objects.at(-1);
        if (last) return { objects, cursor: last.key };
        // Some servers count skipped objects: an empty page is not always the last one.
        token = page.NextContinuationToken;
        if (!token) throw problems.bucket_unavailable('S3 did not return the rest of the listing. Try again later.');
      }
    },
    async stat(key, abortSignal) {
      const command = new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' });
      try {
        return toObjectInfo(key, await send(key, (client) => client.send(command, { abortSignal })));
      } catch (error) {
        abortSignal.throwIfAborted();
        // An error response to HEAD has no body with the reason; GET has one.
        const { Body } = await get(key, { Range: 'bytes=0-0' }, abortSignal);
        (Body as Readable).destroy();
        throw error;
      }
    },
    async open(key, { version, offset }, abortSignal) {
      const Range = offset > 0 ? `bytes=${offset}-` : undefined;
      const response = await get(key, { Range, IfMatch: version ?? undefined }, abortSignal);
      return { ...toObjectInfo(key, response), body: response.Body as Readable };
    },
    // Destroying the client would also close the shared connections of other buckets.
    close() {},
  };
}

function toObjectInfo(key: string, response: GetObjectCommandOutput | HeadObjectCommandOutput): ObjectInfo {
  const range = 'ContentRange' in response ? /\/(\d+)$/.exec(response.ContentRange ?? '') : null;
  const size = range ? Number(range[1]) : (response.ContentLength ?? 0);
  return { key, size, version: response.ETag ?? '', checksum: toChecksum(response) };
}

/** First checksum of the whole object, in order of the cost to compute it. */
function toChecksum(response: GetObjectCommandOutput | HeadObjectCommandOutput): Checksum | null {
  const whole = (value?: string) => (response.ChecksumType === 'COMPOSITE' || value?.includes('-') ? undefined : value);
  const given: [Checksum['algorithm'], string | undefined][] = [
    ['sha256', whole(response.ChecksumSHA256)],
    ['crc32', whole(response.ChecksumCRC32)],
    ['md5', toMd5(response)],
    ['crc64nvme', whole(response.ChecksumCRC64NVME)],
    ['crc32c', whole(response.ChecksumCRC32C)],
  ];
  for (const [algorithm, value] of given) if (value) return { algorithm, value };
  return null;
}

/** The ETag of an object that was not uploaded in parts is its MD5, unless the server encrypts it with its own key. */
function toMd5(response: GetObjectCommandOutput | HeadObjectCommandOutput): string | undefined {
  const { ETag = '', ServerSideEncryption, SSECustomerAlgorithm } = response;
  if (ServerSideEncryption?.startsWith('aws:kms') || SSECustomerAlgorithm) return undefined;
  const md5 = /^"?([0-9a-f]{32})"?$/.exec(ETag)?.[1];
  return md5 && Buffer.from(md5, 'hex').toString('base64');
}

function toS3Problem(target: RequestTarget, error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return toConnectionProblem(target, error);
  const { $metadata, $response, name } = error;
  const status = $metadata.httpStatusCode ?? 0;
  if (status === 0 || (status < 300 && status >= 200)) return toConnectionProblem(target, error);
  const retryAfter = $response?.headers['retry-after'] ?? null;
  return toProviderProblem(target, {
    status,
    name: ['UnknownError', 'Unknown'].includes(name) ? '' : name,
    retryAfter,
  });
}
