import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';

/** Fills buckets of an S3 server, and reads them as the provider's own client does. Close it. */
export function createS3TestClient(endpoint: string) {
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  return {
    makeBucket: (Bucket: string) => client.send(new CreateBucketCommand({ Bucket })),
    put: (Bucket: string, Key: string, Body: Uint8Array | string) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body })),
    remove: (Bucket: string, Key: string) => client.send(new DeleteObjectCommand({ Bucket, Key })),
    /** The keys of a bucket's objects. */
    async list(Bucket: string): Promise<string[]> {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key = '' }) => Key);
    },
    /** Copies an object to a file, flushed. */
    async copy(Bucket: string, Key: string, path: string): Promise<void> {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      await pipeline(Body as Readable, createWriteStream(path, { flush: true }));
    },
    close: () => client.destroy(),
  };
}
