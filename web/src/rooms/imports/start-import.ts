import { api } from '#api/client.ts';
import type { IntegrationType } from '#rooms/integrations/integration-query.ts';
import type { Selection } from './import-queries.ts';

export type Target = { folder_id?: string; scope?: 'user' | 'org'; sidecars: boolean };

const PATHS = {
  s3: '/api/s3/upload',
  s3_storage_transfer: '/api/s3/upload',
  gcs: '/api/gcs/upload',
  hf_bucket: '/api/hf-buckets/upload',
} as const;

const bodyOf = ({ integrationId, ...selection }: Selection, target: Target) => ({
  integration_id: integrationId,
  ...selection,
  ...target,
});

/** Starts an import of a selection. Returns the id of its job. */
export async function startImport(type: IntegrationType, selection: Selection, target: Target): Promise<string> {
  const { data } = await api.POST(PATHS[type], { body: bodyOf(selection, target) });
  return data!.import_job_id;
}

/** Imports a selection every `minutes`; the first run starts at once. */
export async function scheduleImport(selection: Selection, target: Target, minutes: number): Promise<void> {
  await api.POST('/api/import-syncs', { body: { ...bodyOf(selection, target), every_minutes: minutes } });
}
