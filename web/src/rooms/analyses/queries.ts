import type { AnalysisDocument, LibrarySelection, QueryPreview } from '@sightline/sdk';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, sightline } from '#api/client.ts';
import { useQuestionStream } from './question-stream.ts';
import { type EventItem, fromDocument, type SeenPart, type UnseenRange, unseenRanges } from './types.ts';

/** The document of an analysis. */
export const analysisQuery = (videoId: string, analysisId: string | undefined) =>
  queryOptions({
    queryKey: ['analysis', videoId, analysisId],
    enabled: analysisId !== undefined,
    queryFn: async ({ signal }) => {
      const path = { video_id: videoId, analysis_id: analysisId! };
      const { data } = await api.GET('/api/videos/{video_id}/analyses/{analysis_id}', { params: { path }, signal });
      return data as AnalysisDocument;
    },
    // The signed addresses of its images expire.
    staleTime: 10 * 60_000,
  });

/** The questions asked about a video, newest first. */
export const analysesQuery = (videoId: string) =>
  infiniteQueryOptions({
    queryKey: ['analyses', videoId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { video_id: videoId }, query: { limit: 30, cursor: pageParam } };
      return (await api.GET('/api/videos/{video_id}/analyses', { params, signal })).data!;
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** A query over one or many videos with the state of each. */
export const batchQuery = (batchId: string | undefined) =>
  queryOptions({
    queryKey: ['batch', batchId],
    enabled: batchId !== undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { batch_id: batchId! } };
      return (await api.GET('/api/batch/{batch_id}/status', { params, signal })).data!;
    },
  });

/**
 * A question before it is sent. Without `visionProfile`, the model is that of the folder or of the service; without
 * `detector`, that of the service.
 */
export type Draft = { query: string; fast: boolean; minConfidence: number; visionProfile?: string; detector?: string };
export const EMPTY_DRAFT: Draft = { query: '', fast: false, minConfidence: 0.5 };

/** Days and times in a prompt are those of the person. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The videos of a question: some, or filters of those of the library. */
export type QuestionVideos = readonly string[] | LibrarySelection;

const isList = (videos: QuestionVideos): videos is readonly string[] => Array.isArray(videos);

/** The question of a draft. */
export const toQuestion = (draft: Draft, videos: QuestionVideos) => ({
  ...draft,
  timeZone: ownTimeZone(),
  ...(isList(videos) ? { videoIds: videos } : { library: videos }),
});

/** Dry run of a prompt. The previous reading stays while the next is fetched. */
export const previewQuery = (draft: Draft, videos: QuestionVideos) =>
  queryOptions({
    queryKey: ['preview', draft, videos],
    enabled: draft.query !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }): Promise<QueryPreview> => sightline.preview(toQuestion(draft, videos), { signal }),
  });

/** The analysis that the panels show: the chosen one or the latest; its document and, while it runs, its progress. */
export function useAnalysis(videoId: string, chosen: string | undefined) {
  const { data: list, isPending: isListPending } = useInfiniteQuery({
    ...analysesQuery(videoId),
    enabled: chosen === undefined,
  });
  const analysisId = chosen ?? list?.pages[0]?.analyses[0]?.analysis_id;
  const { data: document, error, refetch } = useQuery(analysisQuery(videoId, analysisId));
  const runningBatch = document?.analysis.status === 'PROCESSING' ? document.analysis.batch_id : null;
  const { data: batch } = useQuery(batchQuery(runningBatch ?? undefined));
  const question = useQuestionStream(batch?.batch_id === runningBatch ? batch?.stream_id : undefined);
  // A query that is not enabled stays pending.
  const isPending = analysisId === undefined ? isListPending : !document && !error;
  return { analysisId, document, isPending, error, refetch, batch: runningBatch ? batch : undefined, question };
}

/**
 * Events of an analysis and the ranges it did not search; both change while the question runs. `seen`: the part of the
 * video that a running question has seen; null if that is not known. Times are seconds.
 */
export function useAnalysisEvents(
  videoId: string,
  chosen: string | undefined,
): { events: EventItem[]; candidates: EventItem[]; coverage: UnseenRange[]; seen: SeenPart | null } {
  const { analysisId = '', document, question } = useAnalysis(videoId, chosen);
  const streamed = question.events.get(analysisId);
  const preliminary = question.preliminary.get(analysisId);
  const seen = question.seen.get(analysisId) ?? null;
  return useMemo(() => {
    if (!document || document.analysis.status === 'PROCESSING') {
      return { events: [...(streamed ?? []), ...(preliminary ?? [])], candidates: [], coverage: [], seen };
    }
    const { events, candidates = [], plan } = document.analysis;
    const durationS = Number(document.metadata.duration_s ?? 0);
    return {
      events: events.map(fromDocument),
      candidates: candidates.map(fromDocument),
      coverage: unseenRanges(plan, durationS),
      seen: null,
    };
  }, [document, streamed, preliminary, seen]);
}
