import {
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  NoSuchUpload,
  type Part,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectUploads } from './types.ts';

/** Multipart uploads from clients to the bucket. `at` returns the location of a key. */
export function createDirectUploads(
  client: S3Client,
  at: (key: string) => { Bucket: string; Key: string },
  partBytes: (bytes: number) => number,
): DirectUploads {
  return {
    partBytes,
    async create(key) {
      return (await client.send(new CreateMultipartUploadCommand(at(key)))).UploadId!;
    },
    async presignPart(key, id, { number, size }, expiresInS) {
      // The size is signed, so that clients cannot send more than their quota reservation.
      const part = { UploadId: id, PartNumber: number, ContentLength: size };
      return getSignedUrl(client, new UploadPartCommand({ ...at(key), ...part }), { expiresIn: expiresInS });
    },
    async listParts(key, id) {
      const found: Part[] = [];
      // Not the SDK's paginator: some S3 servers return a next marker on the last page, too.
      for (let more = true, PartNumberMarker: string | undefined; more; ) {
        const command = new ListPartsCommand({ ...at(key), UploadId: id, PartNumberMarker });
        const page: ListPartsCommandOutput | null = await client.send(command).catch((error) => {
          if (error instanceof NoSuchUpload) return null;
          throw error;
        });
        if (page === null) return null;
        found.push(...(page.Parts ?? []));
        more = page.IsTruncated === true;
        PartNumberMarker = page.NextPartNumberMarker;
      }
      return found.map(({ PartNumber, Size, ETag }) => ({ number: PartNumber!, size: Size!, etag: ETag! }));
    },
  };
}
