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
import { type About, broken, refused } from './failure.ts';
import type { Identity } from './identity.ts';
import type { Checksum, ObjectFacts, Place, ProviderBucket } from './index.ts';

export type S3Keys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | null };

const PAGE = 1_000;
/** Names for credentials that were good once: those of a role are made anew. */
const EXPIRED = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'];

/** S3, or a server that speaks its protocol, with the keys that are given or the role that is named. */
export function openS3(
  place: Place,
  keys: S3Keys | null,
  { agents }: Pick<GuardedFetch, 'agents'>,
  identity: Identity,
): ProviderBucket {
  const { bucket, endpointUrl, roleArn } = place;
  const region = place.region ?? (endpointUrl ? 'auto' : 'us-east-1');
  const endpoint = endpointUrl ?? undefined;
  const host = endpointUrl ? new URL(endpointUrl).host : `s3.${region}.amazonaws.com`;
  const about = (key?: string): About => ({ provider: 'S3', bucket, key, host });
  const handler = { httpAgent: agents.http, httpsAgent: agents.https, connectionTimeout: 10_000 };
  let client = connect();

  function connect(): S3Client {
    return new S3Client({
      region: region === 'auto' && !endpoint ? 'us-east-1' : region,
      endpoint,
      // Of a role's bucket nobody may have said where it lies: S3 says so itself.
      followRegionRedirects: place.region === null && !endpoint,
      forcePathStyle: place.addressing === null ? endpoint !== undefined : place.addressing === 'path',
      credentials: roleArn
        ? () => identity.assumeRole({ roleArn, orgId: place.orgId, region: place.region })
        : { ...keys!, sessionToken: keys!.sessionToken ?? undefined },
      requestHandler: handler,
      // Tries, pauses and checksums are the same for all providers, and not made here.
      maxAttempts: 1,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async function ask<T>(key: string | undefined, send: (client: S3Client) => Promise<T>): Promise<T> {
    try {
      return await send(client);
    } catch (error) {
      if (!roleArn || !EXPIRED.includes((error as Error).name)) throw said(about(key), error);
      client = connect();
      return await send(client).catch((again) => {
        throw said(about(key), again);
      });
    }
  }

  function get(key: string, more: { Range?: string; IfMatch?: string }, abortSignal: AbortSignal) {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, ...more });
    // As `ChecksumMode` does, but without the client's own check: a transfer that goes on where it broke is checked as a whole.
    command.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amz-checksum-mode'] = 'ENABLED';
        return next(args);
      },
      { step: 'build' },
    );
    return ask(key, (client) => client.send(command, { abortSignal }));
  }

  return {
    async list({ prefix, cursor, limit = PAGE }, abortSignal) {
      // After the last key, not by the server's token: that one may have expired when a worker takes over.
      const from = { Bucket: bucket, Prefix: prefix || undefined, StartAfter: cursor ?? undefined, MaxKeys: limit };
      for (let token: string | undefined; ; ) {
        const command = new ListObjectsV2Command({ ...from, ContinuationToken: token });
        const page = await ask(undefined, (client) => client.send(command, { abortSignal }));
        const objects = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '' }) => ({
          ...{ key: Key, size: Size, version: ETag, checksum: null },
        }));
        if (!page.IsTruncated) return { objects, cursor: null };
        const last = objects.at(-1);
        if (last) return { objects, cursor: last.key };
        // Some servers count what they pass over: a page without objects is no end.
        token = page.NextContinuationToken;
        if (!token) throw problems.bucket_unavailable('S3 broke off the listing of the bucket.');
      }
    },
    async stat(key, abortSignal) {
      const command = new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' });
      try {
        return factsOf(key, await ask(key, (client) => client.send(command, { abortSignal })));
      } catch (error) {
        abortSignal.throwIfAborted();
        // A refused HEAD has no body that says why; a refused GET has.
        const { Body } = await get(key, { Range: 'bytes=0-0' }, abortSignal);
        (Body as Readable).destroy();
        throw error;
      }
    },
    async open(key, { version, at }, abortSignal) {
      const Range = at > 0 ? `bytes=${at}-` : undefined;
      const answer = await get(key, { Range, IfMatch: version ?? undefined }, abortSignal);
      return { ...factsOf(key, answer), body: answer.Body as Readable };
    },
    // The connections are everybody's: the client would end those of other buckets, in use, with its own.
    close() {},
  };
}

function factsOf(key: string, answer: GetObjectCommandOutput | HeadObjectCommandOutput): ObjectFacts {
  const range = 'ContentRange' in answer ? /\/(\d+)$/.exec(answer.ContentRange ?? '') : null;
  const size = range ? Number(range[1]) : (answer.ContentLength ?? 0);
  return { key, size, version: answer.ETag ?? '', checksum: checksumOf(answer) };
}

/** The first of its checksums that is of the whole object; the later ones cost more to compute. */
function checksumOf(answer: GetObjectCommandOutput | HeadObjectCommandOutput): Checksum | null {
  const whole = (value?: string) => (answer.ChecksumType === 'COMPOSITE' || value?.includes('-') ? undefined : value);
  const given: [Checksum['algorithm'], string | undefined][] = [
    ['sha256', whole(answer.ChecksumSHA256)],
    ['crc32', whole(answer.ChecksumCRC32)],
    ['md5', md5Of(answer)],
    ['crc64nvme', whole(answer.ChecksumCRC64NVME)],
    ['crc32c', whole(answer.ChecksumCRC32C)],
  ];
  for (const [algorithm, value] of given) if (value) return { algorithm, value };
  return null;
}

/** The ETag of what was put in one piece is its MD5, unless the server encrypts it with a key of its own. */
function md5Of(answer: GetObjectCommandOutput | HeadObjectCommandOutput): string | undefined {
  const { ETag = '', ServerSideEncryption, SSECustomerAlgorithm } = answer;
  if (ServerSideEncryption?.startsWith('aws:kms') || SSECustomerAlgorithm) return undefined;
  const md5 = /^"?([0-9a-f]{32})"?$/.exec(ETag)?.[1];
  return md5 && Buffer.from(md5, 'hex').toString('base64');
}

function said(about: About, error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return broken(about, error);
  const { $metadata, $response, name } = error;
  const status = $metadata.httpStatusCode ?? 0;
  if (status === 0 || (status < 300 && status >= 200)) return broken(about, error);
  const retryAfter = $response?.headers['retry-after'] ?? null;
  return refused(about, { status, name: ['UnknownError', 'Unknown'].includes(name) ? '' : name, retryAfter });
}
