import { t } from '@lingui/core/macro';
import { type Integration, SightlineError } from '@sightline/sdk';
import { api } from '#api/client.ts';
import { fieldText } from '#ui/controls/form.tsx';
import type { IntegrationType } from './integration-query.ts';

type Saved = { fields: FormData; scope: 'user' | 'org' };

const locationOf = (fields: FormData) => ({
  name: fieldText(fields, 'name')!,
  bucket: fieldText(fields, 'bucket')!,
  prefix: fieldText(fields, 'prefix') ?? null,
  endpoint_url: fieldText(fields, 'endpoint_url') ?? null,
});

const serverOf = (fields: FormData) => ({
  region: fieldText(fields, 'region') ?? null,
  addressing: (fieldText(fields, 'addressing') as 'path' | 'virtual' | undefined) ?? null,
});

const keysOf = (fields: FormData) => ({
  access_key_id: fieldText(fields, 'access_key_id')!,
  secret_access_key: fieldText(fields, 'secret_access_key')!,
  session_token: fieldText(fields, 'session_token') ?? null,
});

/** The service account of a pasted key file. Throws a `SightlineError` if it is not JSON. */
function serviceAccountOf(fields: FormData) {
  try {
    return JSON.parse(fieldText(fields, 'service_account') ?? '');
  } catch {
    throw new SightlineError(400, {
      message: t`The key file is not valid JSON. Paste the whole file as it was downloaded.`,
      error: 'invalid_request',
    });
  }
}

/** Saves a new integration if its bucket can be listed and read. Throws a `SightlineError` otherwise. */
export async function createIntegration(type: IntegrationType, { fields, scope }: Saved): Promise<Integration> {
  const body = { ...locationOf(fields), scope };
  switch (type) {
    case 's3': {
      const s3 = { ...body, ...serverOf(fields), ...keysOf(fields) };
      return (await api.POST('/api/cloud-integrations/s3', { body: s3 })).data!;
    }
    case 's3_storage_transfer': {
      const role = { ...body, ...serverOf(fields), role_arn: fieldText(fields, 'role_arn')! };
      return (await api.POST('/api/cloud-integrations/s3-storage-transfer', { body: role })).data!;
    }
    case 'gcs': {
      const gcs = { ...body, service_account: serviceAccountOf(fields) };
      return (await api.POST('/api/cloud-integrations/gcs', { body: gcs })).data!;
    }
    case 'hf_bucket': {
      const hub = { ...body, token: fieldText(fields, 'token')! };
      return (await api.POST('/api/cloud-integrations/hf-bucket', { body: hub })).data!;
    }
  }
}

/** Changes an integration if it still works afterwards. Throws a `SightlineError` otherwise. */
export async function changeIntegration(
  { id, type }: Integration,
  { fields, scope, withCredentials }: Saved & { withCredentials: boolean },
): Promise<Integration> {
  const credentials = {
    s3: keysOf,
    s3_storage_transfer: () => ({}),
    gcs: (form: FormData) => ({ service_account: serviceAccountOf(form) }),
    hf_bucket: (form: FormData) => ({ token: fieldText(form, 'token')! }),
  }[type];
  const isS3 = type === 's3' || type === 's3_storage_transfer';
  const body = {
    ...locationOf(fields),
    ...(isS3 ? serverOf(fields) : {}),
    ...(type === 's3_storage_transfer' ? { role_arn: fieldText(fields, 'role_arn')! } : {}),
    ...(withCredentials ? credentials(fields) : {}),
    scope,
  };
  const params = { path: { integration_id: id } };
  return (await api.PATCH('/api/cloud-integrations/{integration_id}', { params, body })).data!;
}
