import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { create as contentDisposition } from 'content-disposition';
import { createByteMeterStream } from './byte-meter.ts';
import { createDirectUploads } from './direct-uploads.ts';
import { createFileCache } from './file-cache.ts';
import { parseKey, parsePrefix } from './keys.ts';
import { problems } from './problems.ts';
import type { PartialObject, StorageBackend } from './types.ts';

/** Maximum number of parts of an S3 object. */
const MAX_PARTS = 10_000;
const PART_BYTES = 16 * 2 ** 20;
const PARALLEL_PARTS = 3;
/** Age at which unfinished multipart uploads are aborted. Longer than the lifetime of a resumable upload. */
const ABANDONED_MS = 4 * 24 * 3600 * 1000;
/** Timeouts for connecting and for an idle socket. The SDK retries the request after them. */
const TIMEOUTS_MS = { connectionTimeout: 5_000, socketTimeout: 60_000 };
/** Attempts of a request; the SDK waits longer before each one, about two seconds in all. */
const MAX_ATTEMPTS = 5;
/** Time for the store to clean up an aborted write, before its requests are canceled. */
const ABORT_GRACE_MS = 2_000;

export type S3Settings = {
  bucket: string;
  prefix: string;
  endpoint: string | null;
  region: string;
  /** Folder and maximum size in bytes of the cache of local copies. */
  cacheDir: string;
  cacheBytes: number;
  /** Aborts multipart uploads that nobody finished in four days. */
  removesAbandoned: boolean;
};

/**
 * Storage in an S3 bucket. Credentials come from the AWS default provider chain. Throws `storage_unreachable` if the
 * bucket cannot be used.
 */
export async function openS3(
  { bucket, prefix, endpoint, region, cacheDir, cacheBytes, removesAbandoned }: S3Settings,
  timeouts = TIMEOUTS_MS,
): Promise<StorageBackend> {
  const client = new S3Client({
    region,
    // Other S3 servers often support neither virtual-host addressing nor the newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: timeouts,
    maxAttempts: MAX_ATTEMPTS,
  });
  const root = prefix ? `${prefix}/` : '';
  const at = (key: string) => ({ Bucket: bucket, Key: root + parseKey(key).join('/') });
  const below = (keys: string) => ({ Bucket: bucket, Prefix: `${root}${parsePrefix(keys).join('/')}/` });

  await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((cause) => {
    client.destroy();
    throw problems.storage_unreachable(
      `The bucket ${bucket} cannot be used (${toReason(cause)}). Check its name, endpoint and credentials.`,
      { cause },
    );
  });
  if (removesAbandoned) await abortUploads({ Bucket: bucket, Prefix: root }, new Date(Date.now() - ABANDONED_MS));
  const cache = await createFileCache({ dir: cacheDir, maxBytes: cacheBytes });

  /** Aborts multipart uploads started before `before`. Their parts use space and appear in no object listing. */
  async function abortUploads(where: { Bucket: string; Prefix: string }, before: Date): Promise<void> {
    let page: Partial<ListMultipartUploadsCommandOutput> = {};
    do {
      const after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      page = await client.send(new ListMultipartUploadsCommand({ ...where, ...after }));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated && Initiated > before) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(ignoreMissing);
      }
    } while (page.IsTruncated);
  }

  async function putPart(key: string, UploadId: string, PartNumber: number, Body: Buffer): Promise<string> {
    const command = new UploadPartCommand({ ...at(key), UploadId, PartNumber, Body });
    const { ETag } = await client.send(command).catch((error) => {
      throw toStorageProblem(error);
    });
    return ETag!;
  }

  async function head(key: string) {
    try {
      const { ContentLength, LastModified, ETag } = await client.send(new HeadObjectCommand(at(key)));
      return { size: ContentLength ?? 0, modified: LastModified ?? new Date(0), etag: ETag ?? '' };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  const storage: StorageBackend = {
    kind: 's3',
    direct: createDirectUploads(client, at, partBytes),

    async write(key, body, { signal, maxBytes, contentType } = {}) {
      signal?.throwIfAborted();
      const meter = createByteMeterStream(maxBytes);
      const source = body instanceof Readable ? body : Readable.from(body instanceof Uint8Array ? [body] : body);
      const upload = new Upload({
        client,
        params: { ...at(key), Body: meter.stream, ContentType: contentType },
        partSize: partBytes(maxBytes),
        queueSize: PARALLEL_PARTS,
      });
      let grace: NodeJS.Timeout | undefined;
      const abort = () => {
        source.destroy(signal?.reason);
        // Gives the store time to delete uploaded parts, without waiting longer for one that does not respond.
        grace = setTimeout(() => upload.abort(), ABORT_GRACE_MS);
      };
      signal?.addEventListener('abort', abort, { once: true });
      source.once('error', (error) => meter.stream.destroy(error));
      source.once('close', () => source.readableEnded || meter.stream.destroy(new Error('the body ended early')));
      source.pipe(meter.stream);
      try {
        await upload.done();
        return meter.result();
      } catch (error) {
        source.destroy();
        throw signal?.aborted ? signal.reason : error;
      } finally {
        clearTimeout(grace);
        signal?.removeEventListener('abort', abort);
      }
    },

    async append(key, draft, body, { onCheckpoint: reportCheckpoint, maxBytes }) {
      const id = draft.multipart?.id ?? (await client.send(new CreateMultipartUploadCommand(at(key)))).UploadId!;
      const etags = [...(draft.multipart?.etags ?? [])];
      const pending: Buffer[] = draft.multipart?.tail ? [await storage.readAll(toTailKey(key, draft))] : [];
      let pendingBytes = draft.multipart?.tail ?? 0;
      let size = draft.size;
      let durable = size;
      try {
        for await (const chunk of body) {
          pending.push(chunk);
          pendingBytes += chunk.length;
          size += chunk.length;
          if (pendingBytes < partBytes(maxBytes)) continue;
          etags.push(await putPart(key, id, etags.length + 1, Buffer.concat(pending.splice(0))));
          pendingBytes = 0;
          await reportCheckpoint({ size, multipart: { id, etags: [...etags], tail: 0 } });
          durable = size;
        }
      } finally {
        if (size !== durable) {
          const now: PartialObject = { size, multipart: { id, etags, tail: pendingBytes } };
          await client.send(new PutObjectCommand({ ...at(toTailKey(key, now)), Body: Buffer.concat(pending) }));
          await reportCheckpoint(now);
        }
      }
    },

    async complete(key, draft) {
      const { id, etags, tail } = draft.multipart!;
      try {
        const last =
          tail === 0 ? [] : [await putPart(key, id, etags.length + 1, await storage.readAll(toTailKey(key, draft)))];
        const Parts = [...etags, ...last].map((ETag, i) => ({ ETag, PartNumber: i + 1 }));
        await client.send(new CompleteMultipartUploadCommand({ ...at(key), UploadId: id, MultipartUpload: { Parts } }));
      } catch (error) {
        if ((await head(key))?.size !== draft.size) throw toStorageProblem(error);
      }
      await storage.removeAll(toTailPrefix(key));
    },

    async read(key, { start, end, signal } = {}) {
      const Range = start === undefined && end === undefined ? undefined : `bytes=${start ?? 0}-${end ?? ''}`;
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range }), { abortSignal: signal });
        return Body as Readable;
      } catch (error) {
        throw toStorageProblem(error);
      }
    },

    async readAll(key, signal) {
      return Buffer.concat(await (await storage.read(key, { signal })).toArray());
    },

    async stat(key) {
      const found = await head(key);
      return found && { size: found.size, modified: found.modified };
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },

    async removeAll(prefix) {
      await abortUploads(below(prefix), new Date());
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, below(prefix))) {
        if (Contents.length === 0) continue;
        const Objects = Contents.map(({ Key }) => ({ Key }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors[0]) throw new Error(`cannot remove ${Errors[0].Key}: ${Errors[0].Message}`);
      }
    },

    async *list(prefix) {
      const where = prefix === '' ? { Bucket: bucket, Prefix: root } : below(prefix);
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, where)) {
        for (const { Key, Size, LastModified } of Contents) {
          yield { key: Key!.slice(root.length), size: Size ?? 0, modified: LastModified ?? new Date(0) };
        }
      }
    },

    async local(key, signal) {
      const found = await head(key);
      if (!found) throw problems.file_not_found();
      return cache.open(`${key} ${found.etag}`, found.size, (signal) => storage.read(key, { signal }), signal);
    },

    async presignedUrl(key, { expiresIn, contentType, filename }) {
      const command = new GetObjectCommand({
        ...at(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: filename && contentDisposition(filename, { type: 'inline' }),
      });
      return getSignedUrl(client, command, { expiresIn });
    },

    async close() {
      await cache.close();
      client.destroy();
    },
  };
  return storage;
}

const partBytes = (maxBytes = 0) => Math.max(PART_BYTES, Math.ceil(maxBytes / MAX_PARTS));

/**
 * Object with the last bytes, too few for a part. Its name contains the size, so that each state finds its own tail.
 */
const toTailPrefix = (key: string) => `${key}.tail/`;
const toTailKey = (key: string, { size }: PartialObject) => `${toTailPrefix(key)}${size}`;

const isMissing = (error: unknown) =>
  error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name);

const toStorageProblem = (error: unknown) =>
  isMissing(error) ? problems.file_not_found(undefined, { cause: error }) : error;

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function toReason(error: unknown): string {
  const { name, message } = error as Error;
  return error instanceof S3ServiceException ? `${name} (${error.$metadata.httpStatusCode})` : message;
}
