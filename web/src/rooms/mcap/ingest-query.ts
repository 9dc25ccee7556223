import type { McapIngest } from '@sightline/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

const RUNNING = ['transferring', 'uploaded', 'processing'];

/** True while the service works on a recording. */
export const isRunning = ({ status }: Pick<McapIngest, 'status'>): boolean => RUNNING.includes(status);

export const ingestQuery = (id: string) =>
  queryOptions({
    queryKey: ['mcap-ingests', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/mcap/{ingest_id}', { params: { path: { ingest_id: id } }, signal })).data!,
  });
