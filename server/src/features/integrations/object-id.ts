import { createHash } from 'node:crypto';
import type { ProviderName } from './providers/index.ts';

/** A bucket of an organization. `endpoint`: its server; empty for the provider's own. */
export type BucketIdentity = { orgId: string; provider: ProviderName; endpoint: string; bucket: string };

/** Id of an object that is unique over all organizations and buckets. Migration 0006 computes the same. */
export const toObjectId = (bucket: BucketIdentity, key: string): string =>
  createHash('sha256')
    .update(`${toBucketKey(bucket)}\n${key}`)
    .digest('hex');

/** One text per bucket, for hashes and locks. */
export const toBucketKey = ({ orgId, provider, endpoint, bucket }: BucketIdentity) =>
  [orgId, provider, endpoint, bucket].join('\n');
