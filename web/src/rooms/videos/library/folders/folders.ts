import type { Folder } from '@sightline/sdk';
import { skipToken, useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';

/** One folder, without the list of all; undefined until it is known, and without an id. */
export function useFolder(id: string | undefined): Folder | undefined {
  const params = { path: { folder_id: id ?? '' } };
  const { data } = useQuery({
    queryKey: ['folders', 'one', id],
    queryFn: id
      ? async ({ signal }) => (await api.GET('/api/folders/{folder_id}', { params, signal })).data!
      : skipToken,
  });
  return data;
}
