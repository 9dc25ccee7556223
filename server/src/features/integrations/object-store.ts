import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '#platform/db/index';
import type { ProviderName } from './providers/index.ts';

/** A bucket as an organisation sees it. `endpoint`: its server, empty for the provider's own. */
export type BucketPlace = { orgId: string; provider: ProviderName; endpoint: string; bucket: string };

/** Names an object of a bucket among those of all organisations. Migration 0006 computes the same. */
export const objectIdOf = (place: BucketPlace, key: string): string =>
  createHash('sha256')
    .update(`${idOf(place)}\n${key}`)
    .digest('hex');

/** Of imports from one bucket, one at a time decides which objects are new: the others wait until its transaction ends. */
export async function lockBucket(trx: Transaction, place: BucketPlace): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${idOf(place)}, 0))`.execute(trx);
}

const idOf = ({ orgId, provider, endpoint, bucket }: BucketPlace) => [orgId, provider, endpoint, bucket].join('\n');
