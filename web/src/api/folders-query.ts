import type { Folder } from '@sightline/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** All folders that the user can see, by name. */
export const foldersQuery = queryOptions({
  queryKey: ['folders', 'all'],
  queryFn: async ({ signal }) => {
    const folders: Folder[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 1000, cursor };
      const page = (await api.GET('/api/folders', { params: { query }, signal })).data!;
      folders.push(...page.folders);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return folders.toSorted((a, b) => a.name.localeCompare(b.name));
  },
});

/** They are none until they are known. */
export const useFolders = (): Folder[] => useQuery(foldersQuery).data ?? [];

/** Name of a folder; undefined until it is known. */
export function useFolderName(id: string | null): string | undefined {
  const { data } = useQuery({ ...foldersQuery, enabled: id !== null });
  return data?.find((folder) => folder.id === id)?.name;
}
