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
import { createFileCache } from './cache.ts';
import { createDirectUploads } from './direct.ts';
import type { Draft, Files } from './index.ts';
import { segmentsOf, segmentsOfPrefix } from './keys.ts';
import { createMeterStream } from './meter.ts';
import { problems } from './problems.ts';

/** S3 takes at most this many parts of one object. */
const MAX_PARTS = 10_000;
const PART_BYTES = 16 * 2 ** 20;
const PARTS_AT_ONCE = 3;
/** An upload in parts that nobody has ended for this long never will be: longer than one that comes in pieces may take. */
const ABANDONED_MS = 4 * 24 * 3600 * 1000;
/** How long a connection may take, and one that is open may be silent, before the request is tried anew. */
const TIMEOUTS_MS = { connectionTimeout: 5_000, socketTimeout: 60_000 };
/** How long requests under way have for their end once their write is aborted. */
const ABORT_GRACE_MS = 2_000;

export type S3Settings = {
  bucket: string;
  prefix: string;
  endpoint: string | null;
  region: string;
  /** Folder and size of the copies that programs needing a local file work on. */
  cacheDir: string;
  cacheBytes: number;
};

/** Objects in a bucket. Credentials come from the usual AWS places. Throws `storage_unreachable` when the bucket cannot be used. */
export async function openS3(
  { bucket, prefix, endpoint, region, cacheDir, cacheBytes }: S3Settings,
  timeouts = TIMEOUTS_MS,
): Promise<Files> {
  const client = new S3Client({
    region,
    // Stores that are not AWS know neither virtual hosts nor the newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: timeouts,
  });
  const root = prefix ? `${prefix}/` : '';
  const at = (key: string) => ({ Bucket: bucket, Key: root + segmentsOf(key).join('/') });
  const below = (keys: string) => ({ Bucket: bucket, Prefix: `${root}${segmentsOfPrefix(keys).join('/')}/` });

  await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((cause) => {
    client.destroy();
    throw problems.storage_unreachable(`The bucket ${bucket} cannot be used: ${reasonOf(cause)}.`, { cause });
  });
  await abortParts({ Bucket: bucket, Prefix: root }, new Date(Date.now() - ABANDONED_MS));
  const cache = await createFileCache({ dir: cacheDir, maxBytes: cacheBytes });

  /** Ends uploads in parts that were begun before `before` and never completed: their parts cost space and are in no listing. */
  async function abortParts(where: { Bucket: string; Prefix: string }, before: Date): Promise<void> {
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
      throw translate(error);
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

  const storage: Files = {
    kind: 's3',
    direct: createDirectUploads(client, at, partBytes),

    async write(key, body, { signal, maxBytes, contentType } = {}) {
      signal?.throwIfAborted();
      const meter = createMeterStream(maxBytes);
      const source = body instanceof Readable ? body : Readable.from(body instanceof Uint8Array ? [body] : body);
      const upload = new Upload({
        client,
        params: { ...at(key), Body: meter.stream, ContentType: contentType },
        partSize: partBytes(maxBytes),
        queueSize: PARTS_AT_ONCE,
      });
      let grace: NodeJS.Timeout | undefined;
      const abort = () => {
        source.destroy(signal?.reason);
        // Parts that came are removed where the store still answers; where it does not, nobody waits for it.
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

    async append(key, draft, body, { kept, maxBytes }) {
      const id = draft.multipart?.id ?? (await client.send(new CreateMultipartUploadCommand(at(key)))).UploadId!;
      const etags = [...(draft.multipart?.etags ?? [])];
      const pending: Buffer[] = draft.multipart?.tail ? [await storage.readAll(tailOf(key, draft))] : [];
      let waiting = draft.multipart?.tail ?? 0;
      let size = draft.size;
      let safe = size;
      try {
        for await (const chunk of body) {
          pending.push(chunk);
          waiting += chunk.length;
          size += chunk.length;
          if (waiting < partBytes(maxBytes)) continue;
          etags.push(await putPart(key, id, etags.length + 1, Buffer.concat(pending.splice(0))));
          waiting = 0;
          await kept({ size, multipart: { id, etags: [...etags], tail: 0 } });
          safe = size;
        }
      } finally {
        if (size !== safe) {
          const now: Draft = { size, multipart: { id, etags, tail: waiting } };
          await client.send(new PutObjectCommand({ ...at(tailOf(key, now)), Body: Buffer.concat(pending) }));
          await kept(now);
        }
      }
    },

    async complete(key, draft) {
      const { id, etags, tail } = draft.multipart!;
      try {
        const last =
          tail === 0 ? [] : [await putPart(key, id, etags.length + 1, await storage.readAll(tailOf(key, draft)))];
        const Parts = [...etags, ...last].map((ETag, i) => ({ ETag, PartNumber: i + 1 }));
        await client.send(new CompleteMultipartUploadCommand({ ...at(key), UploadId: id, MultipartUpload: { Parts } }));
      } catch (error) {
        if ((await head(key))?.size !== draft.size) throw translate(error);
      }
      await storage.removeAll(tailsOf(key));
    },

    async read(key, { start, end, signal } = {}) {
      const Range = start === undefined && end === undefined ? undefined : `bytes=${start ?? 0}-${end ?? ''}`;
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range }), { abortSignal: signal });
        return Body as Readable;
      } catch (error) {
        throw translate(error);
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
      await abortParts(below(prefix), new Date());
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
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, below(prefix))) {
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

/** The last bytes of a draft, while they are too few for a part. Their name has the size of the draft: an older draft finds its own. */
const tailsOf = (key: string) => `${key}.tail/`;
const tailOf = (key: string, { size }: Draft) => `${tailsOf(key)}${size}`;

const isMissing = (error: unknown) =>
  error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name);

const translate = (error: unknown) => (isMissing(error) ? problems.file_not_found(undefined, { cause: error }) : error);

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  return error instanceof S3ServiceException ? `${name} (${error.$metadata.httpStatusCode})` : message;
}
