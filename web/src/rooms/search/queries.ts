import type { Folder } from '@sightline/sdk';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { analysisQuery } from '#rooms/analyses/queries.ts';
import { fromDocument } from '#rooms/analyses/types.ts';
import type { BatchEvent } from '#rooms/batches/queries.ts';

/** Folders that a search without a folder covers. */
const MAX_FOLDERS = 12;

/** All folders that the user sees, at most the first thousand. */
export const foldersQuery = queryOptions({
  queryKey: ['folders', 'search'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const params = { query: { limit: 1_000 } };
    return (await api.GET('/api/folders', { params, signal })).data!.folders;
  },
});

/** Videos whose name contains the words. */
export const videosQuery = (words: string, folderId: string | undefined) =>
  queryOptions({
    queryKey: ['search-videos', words, folderId],
    enabled: words !== '',
    queryFn: async ({ signal }) => {
      const query = { name: words, folder_id: folderId, limit: 12 };
      return (await api.GET('/api/videos', { params: { query }, signal })).data!;
    },
  });

/** Events of the videos of a folder that match the words, best first. */
const matchesQuery = (words: string, folder: Folder) =>
  queryOptions({
    queryKey: ['search-events', words, folder.id],
    enabled: words !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const body = { query: words, folder_name: folder.name, scope: folder.scope };
      const { session_id, owner_uid } = (await api.POST('/api/search-sessions/start', { body, signal })).data!;
      await api.POST('/api/search', { body: { session_id }, signal });
      const path = { owner_uid, session_id };
      const session = await api.GET('/api/search-sessions/{owner_uid}/{session_id}', { params: { path }, signal });
      return session.data!.data.matches;
    },
  });

/** Events that match the words, best first, and how many of the folders were searched. */
export function useEventSearch(words: string, folderId: string | undefined) {
  const { data: folders = [], error: foldersError, isPending } = useQuery(foldersQuery);
  const chosen = folders
    .filter((folder) => folder.video_count > 0 && (folderId === undefined || folder.id === folderId))
    .toSorted((a, b) => b.video_count - a.video_count);
  const searched = chosen.slice(0, MAX_FOLDERS);
  const matches = useQueries({
    queries: searched.map((folder) => matchesQuery(words, folder)),
    combine: (results) => ({
      items: results.flatMap(({ data }) => data ?? []).toSorted((a, b) => b.similarity - a.similarity),
      isLoading: results.some(({ isLoading }) => isLoading),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const analyses = new Map(matches.items.map((match) => [match.analysis_id, match.video_id]));
  const documents = useQueries({
    queries: [...analyses].map(([analysisId, videoId]) => analysisQuery(videoId, analysisId)),
    combine: (results) => ({
      byId: new Map(results.flatMap(({ data }) => (data ? [[data.analysis_id, data] as const] : []))),
      isLoading: results.some(({ isPending: waits }) => waits),
    }),
  });
  const events = matches.items.flatMap(({ video_id: videoId, analysis_id: analysisId, event_index: index }) => {
    const event = documents.byId.get(analysisId)?.analysis.events[index];
    return event ? [{ ...fromDocument(event), videoId, analysisId } satisfies BatchEvent] : [];
  });
  return {
    events,
    folders: { searched: searched.length, total: chosen.length },
    isLoading: words !== '' && (isPending || matches.isLoading || documents.isLoading),
    error: foldersError ?? matches.error,
  };
}
