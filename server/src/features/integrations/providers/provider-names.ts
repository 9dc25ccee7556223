import type { ProviderName, ProviderType } from './types.ts';

export const toProvider = (type: ProviderType): ProviderName => (type === 's3_storage_transfer' ? 's3' : type);

/** Types of integrations that open buckets of a provider. */
export const integrationTypesFor = (provider: ProviderName): readonly ProviderType[] =>
  provider === 's3' ? ['s3', 's3_storage_transfer'] : [provider];

const SCHEMES: Record<ProviderName, string> = { gcs: 'gs://', s3: 's3://', hf_bucket: 'hf://buckets/' };

export const toObjectUri = (provider: ProviderName, bucket: string, key: string) =>
  `${SCHEMES[provider]}${bucket}/${key}`;
