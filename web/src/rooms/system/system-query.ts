import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: async ({ signal }) => (await api.GET('/api/system', { signal })).data!,
});
