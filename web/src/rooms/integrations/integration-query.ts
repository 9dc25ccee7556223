import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Integration } from '@sightline/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export type IntegrationType = Integration['type'];

export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: async ({ signal }) => (await api.GET('/api/cloud-integrations', { signal })).data!,
});

export const TYPES: Record<IntegrationType, MessageDescriptor> = {
  s3: msg`S3 with access keys`,
  s3_storage_transfer: msg`S3 with a role`,
  gcs: msg`Google Cloud Storage`,
  hf_bucket: msg`Hugging Face`,
};

/** Where an integration reads: bucket and prefix. */
export const locationOf = ({ bucket, prefix }: Integration): string => (prefix ? `${bucket}/${prefix}` : bucket);
