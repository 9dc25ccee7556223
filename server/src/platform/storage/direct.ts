import {
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type Part,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectUploads } from './index.ts';

/** Uploads whose parts clients send to the bucket themselves. `at` says where a key is. */
export function createDirectUploads(
  client: S3Client,
  at: (key: string) => { Bucket: string; Key: string },
  partBytes: (bytes: number) => number,
): DirectUploads {
  return {
    partBytes,
    async begin(key) {
      return (await client.send(new CreateMultipartUploadCommand(at(key)))).UploadId!;
    },
    async partUrl(key, id, { number, size }, expiresInS) {
      // The length is part of what is signed: nobody can send more than was held free for them.
      const part = { UploadId: id, PartNumber: number, ContentLength: size };
      return getSignedUrl(client, new UploadPartCommand({ ...at(key), ...part }), { expiresIn: expiresInS });
    },
    async arrived(key, id) {
      const found: Part[] = [];
      // The client's own pages would not end: stores name a next page after the last one, too.
      for (let more = true, PartNumberMarker: string | undefined; more; ) {
        const page: ListPartsCommandOutput = await client.send(
          new ListPartsCommand({ ...at(key), UploadId: id, PartNumberMarker }),
        );
        found.push(...(page.Parts ?? []));
        more = page.IsTruncated === true;
        PartNumberMarker = page.NextPartNumberMarker;
      }
      return found.map(({ PartNumber, Size, ETag }) => ({ number: PartNumber!, size: Size!, etag: ETag! }));
    },
  };
}
