import type { Folder } from '@sightline/sdk';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';

/** All folders that the user can see, by name. */
export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }) => {
    const folders: Folder[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 1000, cursor };
      const page = (await api.GET('/api/folders', { params: { query }, signal })).data!;
      folders.push(...page.folders);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return folders;
  },
});

export const useFolders = (): Folder[] => useQuery(foldersQuery).data ?? [];

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
