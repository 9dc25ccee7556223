import type { McapIngest } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 50;

const RUNNING = ['transferring', 'uploaded', 'processing'];

/** True while the service works on a recording. */
export const isRunning = ({ status }: Pick<McapIngest, 'status'>): boolean => RUNNING.includes(status);

export const ingestQuery = (id: string) =>
  queryOptions({
    queryKey: ['mcap-ingests', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/mcap/{ingest_id}', { params: { path: { ingest_id: id } }, signal })).data!,
  });

/** All recordings, newest first. */
export const ingestsQuery = infiniteQueryOptions({
  queryKey: ['mcap-ingests', 'all'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE_SIZE, cursor: pageParam };
    return (await api.GET('/api/mcap', { params: { query }, signal })).data!;
  },
});
