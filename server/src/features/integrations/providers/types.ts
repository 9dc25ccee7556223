import type { Readable } from 'node:stream';
import type { GuardedFetch, MinimumRate } from '#platform/net/index';

export type ProviderType = 'gcs' | 's3' | 'hf_bucket' | 's3_storage_transfer';
/** Protocol of a bucket, however it is opened. */
export type ProviderName = 'gcs' | 's3' | 'hf_bucket';

/** Checksum of a whole object as the provider states it, base64. */
export type Checksum = { algorithm: 'md5' | 'sha256' | 'crc32' | 'crc32c' | 'crc64nvme'; value: string };

export type ObjectInfo = {
  key: string;
  /** Bytes. */
  size: number;
  /** Identifies the contents; changes when the object is replaced. */
  version: string;
  checksum: Checksum | null;
};

export type ObjectPage = {
  objects: ObjectInfo[];
  /** Pass it to `list` to get the next page; null at the end. */
  cursor: string | null;
};

/** Read the body to its end or destroy it. */
export type OpenObject = ObjectInfo & { body: Readable };

/** A bucket, read only. Each call throws a Problem with the provider's reason and waits at most 30 s for a response. */
export interface Bucket {
  /** Slowest accepted transfer rate. */
  readonly minimumRate: MinimumRate;
  /** A page of the objects whose key starts with `prefix`, in the provider's order; at most 1,000. */
  list(page: { prefix: string; cursor: string | null; limit?: number }, signal: AbortSignal): Promise<ObjectPage>;
  /** Throws `object_not_found`. */
  stat(key: string, signal: AbortSignal): Promise<ObjectInfo>;
  /**
   * Opens the object from the byte `offset` on. Throws `object_replaced` if it no longer has this version; null accepts
   * any.
   */
  open(key: string, from: { version: string | null; offset: number }, signal: AbortSignal): Promise<OpenObject>;
  close(): void;
}

/** A bucket without retries and rate limit, as each provider implements it. */
export type ProviderBucket = Omit<Bucket, 'minimumRate'>;

export type BucketLocation = {
  type: ProviderType;
  bucket: string;
  region: string | null;
  /** Server other than the provider's own, such as MinIO or R2. */
  endpointUrl: string | null;
  addressing: 'path' | 'virtual' | null;
  roleArn: string | null;
  /** Organization in whose name a role is assumed. */
  orgId: string;
};

export type S3Keys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | null };

/** Key file of a Google service account. The file may have more fields. */
export type ServiceAccount = {
  type: 'service_account';
  client_email: string;
  private_key: string;
  private_key_id?: string;
  project_id?: string;
  token_uri?: string;
};

/**
 * Credentials of a bucket; null for roles, public buckets, and those that the deployment's own account reads. Only ever
 * stored encrypted.
 */
export type BucketCredentials = { serviceAccount: ServiceAccount } | { keys: S3Keys } | { token: string } | null;

export type ProviderDeps = {
  net: Pick<GuardedFetch, 'fetch' | 'agents' | 'minimumRate'>;
  identity: CloudIdentity;
  /** URL of the Hugging Face hub, or of a mirror. */
  hubUrl: string;
  /** URL of Google Cloud Storage, or of an emulator. */
  gcsUrl: string;
};

/** This deployment's cloud identity, and the policy by which a role trusts it. */
export type RoleSetup = {
  provider: 'google' | 'aws';
  authMode: 'web_identity' | 'assume_role';
  projectId: string | null;
  googleServiceAccountEmail: string | null;
  googleServiceAccountSubjectId: string | null;
  /** Audience of Google's tokens, unique to the organization. */
  audience: string | null;
  /** The same for an AWS identity. */
  externalId: string | null;
  awsTrustPolicyTemplate: object;
};

export type RoleRequest = { roleArn: string; orgId: string; region: string | null };

/** The Google service account that reads buckets of others, once they grant it access. */
export type ReaderSetup = { googleServiceAccountEmail: string; projectId: string | null };

/** Gives the headers of requests to Google Cloud Storage. */
export type TokenSource = { getRequestHeaders(): Promise<Headers> };

export interface CloudIdentity {
  /** True if buckets can grant a service account of this deployment access. */
  readonly hasReader: boolean;
  /** Read-only tokens of that account. Throws as `getReader`. */
  createReader(): Promise<TokenSource>;
  /** Throws `reader_identity_missing` (501), or `identity_unusable` (409). */
  getReader(): Promise<ReaderSetup>;
  /** Throws `identity_missing` or `identity_unusable` (409). */
  getSetup(orgId: string): Promise<RoleSetup>;
  /** Returns keys of the role that are valid for an hour. Throws the error of AWS. */
  assumeRole(role: RoleRequest): Promise<{
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken: string;
    expiration: Date;
  }>;
}
