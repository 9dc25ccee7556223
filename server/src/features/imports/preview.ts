import { type ObjectPage, uriOf } from '#features/integrations/index';
import { isWanted } from './lister.ts';
import type { Selection } from './selection.ts';
import type { Origin } from './source.ts';
import type { Kinds } from './types.ts';

type Found = { key: string; sizeBytes: number; uri: string };
export type Preview = { found: Found[]; passedOver: number; nextCursor: string | null };

/** So many pages of a bucket are looked through for the first object that would come. */
const MOST_PAGES = 5;

/** What an import of a selection would bring: a page of the bucket, or the first in which there is any. */
export async function previewOf(
  { bucket, provider, bucketName }: Origin,
  kinds: Kinds,
  selection: Selection,
  from: string | null,
  gone: AbortSignal,
): Promise<Preview> {
  let [cursor, passedOver] = [from, 0];
  for (let page = 1; ; page++) {
    const read: ObjectPage = await bucket.list({ prefix: selection.prefix, cursor }, gone);
    const found = read.objects
      .filter((object) => isWanted(kinds, selection, object))
      .map(({ key, size }) => ({ key, sizeBytes: size, uri: uriOf(provider, bucketName, key) }));
    cursor = read.cursor;
    passedOver += read.objects.length - found.length;
    if (found.length > 0 || cursor === null || page === MOST_PAGES) return { found, passedOver, nextCursor: cursor };
  }
}
