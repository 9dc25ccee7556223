import { type ObjectPage, toObjectUri } from '#features/integrations/index';
import type { Domain } from '#platform/http/index';
import type { ObjectSelection } from '../selection.ts';
import type { SourceBucket } from '../source-bucket.ts';
import type { ObjectKinds } from '../types.ts';
import { isImportable } from './object-lister.ts';
import type { ImportPreview } from './schema.ts';

/** Greatest number of bucket pages that one preview reads to find a matching object. */
const MAX_PAGES = 5;

/** Lists objects that a selection would import: those of the first page of the bucket, from `from` on, that has any. */
export async function previewImport(
  { bucket, provider, bucketName }: SourceBucket,
  kinds: ObjectKinds,
  selection: ObjectSelection,
  from: string | null,
  signal: AbortSignal,
): Promise<Domain<typeof ImportPreview>> {
  let cursor = from;
  let passedOver = 0;
  for (let pages = 1; ; pages++) {
    const page: ObjectPage = await bucket.list({ prefix: selection.prefix, cursor }, signal);
    const objects = page.objects
      .filter((object) => isImportable(kinds, selection, object))
      .map(({ key, size }) => ({ key, sizeBytes: size, importSourceUri: toObjectUri(provider, bucketName, key) }));
    cursor = page.cursor;
    passedOver += page.objects.length - objects.length;
    if (objects.length > 0 || cursor === null || pages === MAX_PAGES) {
      return { objects, passedOver, hasMore: cursor !== null, nextCursor: cursor };
    }
  }
}
