import { sql } from 'kysely';
import type { Transaction } from '#platform/db/index';
import { type BucketIdentity, toBucketKey } from './object-id.ts';

/** Serializes imports from one bucket until the transaction ends, so that only one of them imports a new object. */
export async function lockBucket(trx: Transaction, bucket: BucketIdentity): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${toBucketKey(bucket)}, 0))`.execute(trx);
}
