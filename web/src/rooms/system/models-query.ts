import type { ModelList } from '@sightline/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, sightline } from '#api/client.ts';

export type Model = ModelList['models'][number];

const DOWNLOADING_MS = 500;
const MISSING_MS = 5_000;

/** For administrators. Refreshed while a model is downloaded, or is missing and may be added by somebody else. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await api.GET('/api/system/models', { signal })).data!,
  refetchInterval: ({ state: { data } }) => {
    if (!data || data.models.some(({ status }) => status === 'downloading')) return DOWNLOADING_MS;
    return data.models.every(({ status, is_default }) => status !== 'ready' || !is_default) ? MISSING_MS : false;
  },
});

/** The models; the observers that use them are refreshed when they change. */
export function useModels({ enabled = true } = {}) {
  const queries = useQueryClient();
  const models = useQuery({ ...modelsQuery, enabled });
  const installed = models.data?.models.flatMap(({ files }) => files.map((file) => file.installed_sha256)).join();
  useEffect(() => {
    if (installed !== undefined) void queries.invalidateQueries({ queryKey: ['system'] });
  }, [installed, queries]);
  return models;
}

export type ModelAction = 'download' | 'cancel' | 'remove' | { name: string; file: File }[];

/** Changes a model: downloads it, cancels that, removes it, or uploads files for it. */
export function useModelAction({ name }: Model) {
  const queries = useQueryClient();
  const params = { path: { name } };
  return useMutation({
    async mutationFn(action: ModelAction) {
      if (Array.isArray(action))
        for (const each of action) await sightline.provideModelFile(name, each.name, each.file);
      else if (action === 'download') await api.POST('/api/system/models', { body: { name } });
      else if (action === 'cancel') await api.POST('/api/system/models/{name}/cancel', { params });
      else await api.DELETE('/api/system/models/{name}', { params });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['models'] }),
  });
}
