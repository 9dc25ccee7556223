export { isTransientBucketError, retryAfterMs } from './errors.ts';
export { createIdentity } from './identity.ts';
export { openBucket } from './open-bucket.ts';
export { integrationTypesFor, toObjectUri, toProvider } from './provider-names.ts';
export type {
  Bucket,
  BucketCredentials,
  BucketLocation,
  Checksum,
  CloudIdentity,
  ObjectInfo,
  ObjectPage,
  OpenObject,
  ProviderName,
  ProviderType,
  ReaderSetup,
  RoleSetup,
  ServiceAccount,
} from './types.ts';
