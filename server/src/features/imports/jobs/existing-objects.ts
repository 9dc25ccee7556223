import { type BucketIdentity, lockBucket, toObjectId } from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import { kindForKey } from '../object-kinds.ts';
import * as rowStore from '../transfer/row-store.ts';
import type { ImportJob, ObjectKinds, ObjectVersion } from '../types.ts';

type ListedObject = Omit<ObjectVersion, 'objectId'> & { key: string };
type Job = BucketIdentity & Pick<ImportJob, 'orgId' | 'ownerId' | 'scope' | 'force'>;

/**
 * Adds each object's id and, if it was imported before, the id of its video. Concurrent imports of a bucket do this
 * one after the other, so that exactly one imports an object. The number of queries does not depend on that of objects.
 */
export async function findExistingVideos<T extends ListedObject>(
  trx: Transaction,
  kinds: ObjectKinds,
  job: Job,
  listed: readonly T[],
): Promise<(T & { objectId: string; existingVideoId: string | null })[]> {
  const objects = listed.map((object) => ({ ...object, objectId: toObjectId(job, object.key) }));
  if (job.force || objects.length === 0) return objects.map((object) => ({ ...object, existingVideoId: null }));
  await lockBucket(trx, job);
  const versions = objects.map(({ objectId, version, sizeBytes }) => ({ objectId, version, sizeBytes }));
  const existing = await rowStore.findPendingObjects(trx, job, versions);
  for (const [kind, ofKind] of Map.groupBy(objects, ({ key }) => kindForKey(kinds, key))) {
    for (const [objectId, id] of await kind.findExisting(trx, job, ofKind)) existing.set(objectId, id);
  }
  return objects.map((object) => ({ ...object, existingVideoId: existing.get(object.objectId) ?? null }));
}
