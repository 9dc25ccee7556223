import { type BucketPlace, lockBucket, objectIdOf } from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import { kindOf } from './kinds.ts';
import * as rowStore from './row-store.ts';
import type { ImportedObject, ImportJob, Kinds } from './types.ts';

type Named = Omit<ImportedObject, 'objectId'> & { key: string };
type Job = BucketPlace & Pick<ImportJob, 'ownerId' | 'scope' | 'force'>;

/**
 * Adds to each object who it is and, where it was imported already, the id of its video. Of imports that decide at the same time, one after the other
 * does, so that exactly one imports an object. A few queries, however many objects.
 */
export async function withKnown<T extends Named>(
  trx: Transaction,
  kinds: Kinds,
  job: Job,
  objects: readonly T[],
): Promise<(T & { objectId: string; knownVideoId: string | null })[]> {
  const all = objects.map((object) => ({ ...object, objectId: objectIdOf(job, object.key) }));
  if (job.force || all.length === 0) return all.map((object) => ({ ...object, knownVideoId: null }));
  await lockBucket(trx, job);
  const facts = all.map(({ objectId, version, sizeBytes }) => ({ objectId, version, sizeBytes }));
  const known = await rowStore.comingObjects(trx, job, facts);
  for (const [kind, of] of Map.groupBy(all, ({ key }) => kindOf(kinds, key))) {
    for (const [objectId, id] of await kind.known(trx, job, of)) known.set(objectId, id);
  }
  return all.map((object) => ({ ...object, knownVideoId: known.get(object.objectId) ?? null }));
}
