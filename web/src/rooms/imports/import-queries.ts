import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 50;
const ROWS_PAGE_SIZE = 1_000;

export const importJobsQuery = infiniteQueryOptions({
  queryKey: ['import-jobs'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE_SIZE, cursor: pageParam };
    return (await api.GET('/api/import-jobs', { params: { query }, signal })).data!;
  },
});

export const importJobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['import-jobs', jobId],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/import-jobs/{job_id}', { params: { path: { job_id: jobId } }, signal })).data!,
  });

/** The rows of a job, 1,000 a page. */
export const importRowsQuery = (jobId: string) =>
  infiniteQueryOptions({
    queryKey: ['import-jobs', jobId, 'rows'],
    ...cursorPages,
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { job_id: jobId }, query: { limit: ROWS_PAGE_SIZE, cursor: pageParam } };
      return (await api.GET('/api/import-jobs/{job_id}/videos', { params, signal })).data!;
    },
  });

export const importSyncsQuery = queryOptions({
  queryKey: ['import-syncs'],
  queryFn: async ({ signal }) => (await api.GET('/api/import-syncs', { signal })).data!.syncs,
});

export type Selection = { integrationId: string; prefix: string; include: string[]; exclude: string[] };

/** The objects that a selection finds in its bucket, a page at a time. */
export const previewQuery = ({ integrationId, prefix, include, exclude }: Selection) =>
  infiniteQueryOptions({
    queryKey: ['import-preview', { integrationId, prefix, include, exclude }],
    ...cursorPages,
    enabled: integrationId !== '',
    queryFn: async ({ pageParam, signal }) => {
      const body = { integration_id: integrationId, prefix, include, exclude, cursor: pageParam };
      return (await api.POST('/api/import-jobs/preview', { body, signal })).data!;
    },
  });
