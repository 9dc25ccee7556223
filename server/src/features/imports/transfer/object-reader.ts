import { type Bucket, integrationProblems, readObject } from '#features/integrations/index';
import { Problem } from '#platform/problem';
import type { ImportRow, ObjectReader } from '../types.ts';

type ReadVersion = Pick<ImportRow, 'importedVersion' | 'sizeBytes'>;

/** Reads objects of a bucket for one row. `versions`: version and size of each object as it was read, by key. */
export function createObjectReader(
  bucket: Bucket,
  row: ImportRow,
  signal: AbortSignal,
): ObjectReader & { versions: ReadonlyMap<string, ReadVersion> } {
  const versions = new Map<string, ReadVersion>();
  return {
    versions,
    read: (key) =>
      readObject(bucket, key, signal, {
        listedSize: key === row.key ? row.sizeBytes : null,
        onOpen: ({ version, size }) => versions.set(key, { importedVersion: version || null, sizeBytes: size }),
      }),
    async readSmall(key, maxBytes) {
      const chunks: Buffer[] = [];
      let size = 0;
      try {
        for await (const chunk of readObject(bucket, key, signal)) {
          size += chunk.length;
          if (size > maxBytes) {
            throw integrationProblems.bucket_refused(`"${key}" is larger than the limit of ${maxBytes} bytes.`);
          }
          chunks.push(chunk);
        }
      } catch (error) {
        if (error instanceof Problem && error.code === 'object_not_found') return null;
        throw error;
      }
      return Buffer.concat(chunks);
    },
  };
}
