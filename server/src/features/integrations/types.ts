import type { AuditActor } from '#features/audit/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, Person } from '#platform/http/index';
import type { Rotation } from '#platform/secrets/index';
import type { ConnectionTest } from './connection-test.ts';
import type { Bucket, BucketCredentials, ProviderType, ReaderSetup, RoleSetup } from './providers/index.ts';

export type Integration = {
  id: string;
  orgId: string;
  createdBy: string;
  createdByName: string;
  /** `user`: only its creator may use it; `org`: everyone in the organization. */
  scope: 'user' | 'org';
  name: string;
  type: ProviderType;
  bucket: string;
  prefix: string | null;
  region: string | null;
  endpointUrl: string | null;
  addressing: 'path' | 'virtual' | null;
  roleArn: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** Settings that a request can give or change. */
export type IntegrationSettings = Pick<
  Integration,
  'scope' | 'name' | 'bucket' | 'prefix' | 'region' | 'endpointUrl' | 'addressing' | 'roleArn'
>;

/** `verify`: test the bucket before saving. */
export type SaveOptions = { verify: boolean; by: AuditActor };

/** An integration with its open bucket; close the bucket. */
export type OpenIntegration = { integration: Integration; bucket: Bucket };

export interface Integrations {
  /** Integrations that the caller may use; with an admin key, all of the organization. */
  list(caller: Caller): Promise<Integration[]>;
  /** One of `list`. Throws `integration_not_found` (404). */
  get(caller: Caller, id: string): Promise<Integration>;
  /**
   * An integration that the user may import with: their own, or one of scope `org`. Throws `integration_not_found`
   * (404), or `key_limited` (403) for a key that is limited to a folder.
   */
  requireUsable(user: Person, id: string): Promise<Integration>;
  /** Throws `integration_invalid` or `fetch_…` (400), and unless `verify` is false, the provider's error. */
  create(
    caller: Caller,
    integration: IntegrationSettings & { type: ProviderType; credentials: BucketCredentials },
    options: SaveOptions,
  ): Promise<Integration>;
  /**
   * Changes the given settings; null credentials keep the stored ones. Publishes `integration.moved` if it opens
   * another bucket. Throws as `create` and `get`, `integration_forbidden` (403) or `integration_in_use` (409).
   */
  change(
    caller: Caller,
    id: string,
    changes: Partial<IntegrationSettings>,
    credentials: BucketCredentials,
    options: SaveOptions,
  ): Promise<Integration>;
  /** Publishes `integration.deleted`. Throws `integration_in_use` (409) while an import uses it, or as `change`. */
  remove(caller: Caller, id: string, by: AuditActor): Promise<void>;
  /** Lists objects and reads one byte. */
  test(caller: Caller, id: string, by: AuditActor, signal: AbortSignal): Promise<ConnectionTest>;
  /** Trust policy for roles in other AWS accounts. Throws `identity_missing` or `identity_unusable` (409). */
  getRoleSetup(caller: Caller): Promise<RoleSetup>;
  /**
   * The Google service account to grant access to. Throws `reader_identity_missing` (501) or `identity_unusable` (409).
   */
  getReaderSetup(): Promise<ReaderSetup>;

  /** For workers: does not check permissions. */
  find(id: string): Promise<Integration | null>;
  /** For other rooms: opens the bucket of an integration. Throws `secret_key_lost` (409). */
  open(id: string): Promise<OpenIntegration | null>;
  /** Opens a public bucket of Hugging Face. */
  openPublic(bucket: string, orgId: string): Bucket;
  /**
   * True if the caller may read buckets of Google Cloud Storage as the deployment's own account: with an admin key, and
   * in a deployment of one organization, since the bucket does not state which organization it granted access.
   */
  canUseReader(caller: Caller): Promise<boolean>;
  /** Opens a bucket of Google Cloud Storage as the deployment's own account. */
  openAsReader(bucket: string, orgId: string): Bucket;
  /** The most recently used integration for a bucket, of those that `requireUsable` accepts; null if there is none. */
  findForBucket(user: Person, types: readonly ProviderType[], bucket: string): Promise<Integration | null>;
  /** Keeps the integration from being deleted until the transaction ends. False if it does not exist. */
  hold(trx: Transaction, id: string): Promise<boolean>;
  /** Encrypts all credentials with the current root secret. */
  reencrypt(): Promise<Rotation>;
}
