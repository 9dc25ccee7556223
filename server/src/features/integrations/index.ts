/**
 * Integrations: saved access to somebody's bucket: Google Cloud Storage, S3 and what speaks its protocol, Hugging Face. Secrets are sealed and
 * never shown; roles need none. Behind one small interface (`Bucket`) other rooms list and read, whoever the provider is.
 */

export { type BucketPlace, lockBucket, objectIdOf } from './object-store.ts';
export { problems as integrationProblems } from './problems.ts';
export { isTransient as isTransientRefusal, waitOf as pauseAskedFor } from './providers/failure.ts';
export { createIdentity } from './providers/identity.ts';
export {
  type Bucket,
  type ObjectFacts,
  type ObjectPage,
  type ProviderName,
  providerOf,
  typesOf,
  uriOf,
} from './providers/index.ts';
export { bytesOf } from './reading.ts';
export { integrationsRoutes } from './routes.ts';
export { createIntegrationsService as createIntegrations, type Integration, type Integrations } from './service.ts';
