/**
 * Integrations: saved access to cloud buckets of Google Cloud Storage, S3 and compatible servers, and Hugging Face.
 * Credentials are stored encrypted and never returned; roles need none. Other rooms list and read objects of any
 * provider through the interface `Bucket`.
 */
export { lockBucket } from './bucket-lock-store.ts';
export { type BucketIdentity, toObjectId } from './object-id.ts';
export { problems as integrationProblems } from './problems.ts';
export {
  type Bucket,
  createIdentity,
  integrationTypesFor,
  isTransientBucketError,
  type ObjectInfo,
  type ObjectPage,
  type ProviderName,
  retryAfterMs,
  toObjectUri,
  toProvider,
} from './providers/index.ts';
export { readObject } from './read-object.ts';
export { integrationsRoutes } from './routes.ts';
export { createIntegrations } from './service.ts';
export type { Integration, Integrations } from './types.ts';
