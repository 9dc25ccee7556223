import type { Readable } from 'node:stream';
import type { GuardedFetch, MinimumRate } from '#platform/net/index';
import { openGcs } from './gcs.ts';
import { openHuggingFace } from './hugging-face.ts';
import type { Identity } from './identity.ts';
import { withPatience } from './patience.ts';
import { openS3, type S3Keys } from './s3.ts';
import type { ServiceAccount } from './service-account.ts';

export type ProviderType = 'gcs' | 's3' | 'hf_bucket' | 's3_storage_transfer';
/** Whose protocol a bucket speaks, however it is opened. */
export type ProviderName = 'gcs' | 's3' | 'hf_bucket';

export const providerOf = (type: ProviderType): ProviderName => (type === 's3_storage_transfer' ? 's3' : type);

/** The types of integrations that open buckets of a provider. */
export const typesOf = (provider: ProviderName): readonly ProviderType[] =>
  provider === 's3' ? ['s3', 's3_storage_transfer'] : [provider];

const SCHEMES: Record<ProviderName, string> = { gcs: 'gs://', s3: 's3://', hf_bucket: 'hf://buckets/' };

/** How an object is called outside of its provider. */
export const uriOf = (provider: ProviderName, bucket: string, key: string) => `${SCHEMES[provider]}${bucket}/${key}`;

/** A checksum of the whole object that the provider gives, base64. */
export type Checksum = { algorithm: 'md5' | 'sha256' | 'crc32' | 'crc32c' | 'crc64nvme'; value: string };

export type ObjectFacts = {
  key: string;
  /** Bytes. */
  size: number;
  /** Names these contents: another object under the same key has another one. */
  version: string;
  checksum: Checksum | null;
};

export type ObjectPage = {
  objects: ObjectFacts[];
  /** Give it to `list` to get what follows; null at the end. */
  cursor: string | null;
};

/** Read the body to its end or destroy it. */
export type OpenObject = ObjectFacts & { body: Readable };

/**
 * Somebody's bucket, read only. Each call throws a Problem that says in plain words why the provider refuses, takes a signal, and waits for no
 * answer longer than half a minute.
 */
export interface Bucket {
  /** The slowest that the provider may send an object. */
  readonly minimumRate: MinimumRate;
  /** One page of the objects whose key starts with `prefix`, in the provider's order; at most 1,000. */
  list(place: { prefix: string; cursor: string | null; limit?: number }, signal: AbortSignal): Promise<ObjectPage>;
  /** Throws `object_not_found`. */
  stat(key: string, signal: AbortSignal): Promise<ObjectFacts>;
  /** The object and its bytes from `at` on. Throws `object_replaced` when it is not `version` any more; null takes any. */
  open(key: string, from: { version: string | null; at: number }, signal: AbortSignal): Promise<OpenObject>;
  close(): void;
}

/** A bucket as one provider's protocol opens it. */
export type ProviderBucket = Omit<Bucket, 'minimumRate'>;

/** Where a bucket is, without what opens it. */
export type Place = {
  type: ProviderType;
  bucket: string;
  region: string | null;
  /** Another server than the provider's own, such as MinIO or R2. */
  endpointUrl: string | null;
  addressing: 'path' | 'virtual' | null;
  roleArn: string | null;
  /** Whose it is: a role is assumed in the name of this organisation. */
  orgId: string;
};

/** What opens it; null for roles and for what is public. Only ever stored sealed. */
export type Credentials = { serviceAccount: ServiceAccount } | { keys: S3Keys } | { token: string } | null;

export type ProviderDeps = {
  net: Pick<GuardedFetch, 'fetch' | 'agents' | 'minimumRate'>;
  identity: Identity;
  /** The Hugging Face hub, or a mirror of it. */
  hubUrl: string;
  /** Google Cloud Storage, or an emulator of it. */
  gcsUrl: string;
};

/** Nothing is asked of the provider yet. */
export function openBucket(place: Place, credentials: Credentials, deps: ProviderDeps): Bucket {
  const { minimumRate } = deps.net;
  return withPatience({ ...open(place, credentials, deps), minimumRate });
}

function open(place: Place, credentials: Credentials, { net, identity, hubUrl, gcsUrl }: ProviderDeps): ProviderBucket {
  switch (place.type) {
    case 'gcs':
      return openGcs(
        { bucket: place.bucket, gcsUrl: place.endpointUrl ?? gcsUrl },
        credentials && 'serviceAccount' in credentials ? credentials.serviceAccount : null,
        net,
      );
    case 'hf_bucket':
      return openHuggingFace(
        { bucket: place.bucket, hubUrl: place.endpointUrl ?? hubUrl },
        credentials && 'token' in credentials ? credentials.token : null,
        net,
      );
    case 's3':
      return openS3(place, credentials && 'keys' in credentials ? credentials.keys : null, net, identity);
    case 's3_storage_transfer':
      return openS3(place, null, net, identity);
  }
}
