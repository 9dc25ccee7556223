import type { Dataset } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { api, sightline } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { useIsAdmin } from '#api/session.ts';

export type DatasetScope = 'user' | 'org';

export const PATH = '/api/data-curation/datasets/{dataset_id}';
export const VERSIONS_PATH = '/api/datasets/{dataset_id}/versions';
export const VERSION_PATH = `${VERSIONS_PATH}/{version}` as const;
const PAGE_SIZE = 100;
const POLL_MS = 1_000;

/** Datasets that the user created, or those that are shared in the organization, newest first. */
export const datasetsQuery = (scope: DatasetScope) =>
  infiniteQueryOptions({
    queryKey: ['datasets', scope],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Dataset[]> => {
      const body = { scope, before: pageParam, limit: PAGE_SIZE };
      return (await api.POST('/api/data-curation/datasets/list', { body, signal })).data!;
    },
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)!.id),
  });

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasets', 'one', id],
    queryFn: async ({ signal }) => (await api.GET(PATH, { params: { path: { dataset_id: id } }, signal })).data!,
  });

/** Versions of a dataset, newest first; read again while one is frozen. */
export const datasetVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasets', 'versions', id],
    queryFn: async ({ signal }) =>
      (await api.GET(VERSIONS_PATH, { params: { path: { dataset_id: id } }, signal })).data!.versions,
    refetchInterval: ({ state }) => state.data?.some(({ status }) => status === 'processing') && POLL_MS,
  });

export const coverageQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasets', 'coverage', id],
    queryFn: ({ signal }) => sightline.datasetCoverage(id, undefined, { signal }),
  });

/** Reads all datasets again, in lists and on their pages. */
export const refreshDatasets = () => queries.invalidateQueries({ queryKey: ['datasets'] });

/** Returns a predicate for the datasets that the user may change: all as an administrator, else their own. */
export function useCanChange(): (id: string) => boolean {
  const isAdmin = useIsAdmin();
  const { data } = useInfiniteQuery(datasetsQuery('user'));
  return (id) => isAdmin || (data?.pages.flat().some((own) => own.id === id) ?? false);
}
