import type { AnalysisDocument, Batch, EventSummary } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '#api/client.ts';
import { batchQuery } from '#rooms/analyses/queries.ts';
import { type QuestionState, useQuestionStream } from '#rooms/analyses/question-stream.ts';
import { type EventItem, fromDocument } from '#rooms/analyses/types.ts';

/** Videos whose documents are fetched with one request. */
const DOCUMENTS = 100;

/** An event of a question over several videos. */
export type BatchEvent = EventItem & { videoId: string; analysisId: string };

/** The same in a list of events of any question, which has the name of the video and all images. */
export type ListedEvent = BatchEvent & { videoName: string; matches: EventSummary['matches'] };

/** Questions over one or many videos, newest first. */
export const batchesQuery = (status?: Batch['status']) =>
  infiniteQueryOptions({
    queryKey: ['batches', { status }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 50, cursor: pageParam, status: status as 'processing' | undefined };
      return (await api.GET('/api/batches', { params: { query }, signal })).data!;
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** Name of a video. */
export const videoNameQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['video-name', videoId],
    staleTime: 10 * 60_000,
    queryFn: async ({ signal }) => {
      const params = { path: { video_id: videoId } };
      return (await api.GET('/api/video/{video_id}/status', { params, signal })).data!.video_name;
    },
  });

const documentsQuery = (batchId: string, videoIds: readonly string[]) =>
  queryOptions({
    queryKey: ['batch-documents', batchId, videoIds],
    staleTime: 10 * 60_000,
    queryFn: async ({ signal }) => {
      const path = { batch_id: batchId };
      const body = { video_ids: [...videoIds] };
      const { data } = await api.POST('/api/batch/{batch_id}/analyses/bulk', { params: { path }, body, signal });
      return data!.analyses as unknown as AnalysisDocument[];
    },
  });

const ofDocuments = (documents: readonly AnalysisDocument[]): BatchEvent[] =>
  documents.flatMap(({ video_id: videoId, analysis_id: analysisId, analysis }) =>
    analysis.events.map((event) => ({ ...fromDocument(event), videoId, analysisId })),
  );

function ofStream(question: QuestionState, batch: Batch): BatchEvent[] {
  const videos = new Map(batch.videos.map((video) => [video.analysis_id, video.video_id]));
  return [...question.events].flatMap(([analysisId, events]) =>
    events.map((event) => ({ ...event, analysisId, videoId: videos.get(analysisId) ?? '' })),
  );
}

/**
 * A question over several videos with its events: from its stream while it runs, then from the documents. The stream
 * of a question is not stored forever, and it has no images.
 */
export function useBatch(batchId: string | undefined) {
  const { data: batch, error, refetch } = useQuery(batchQuery(batchId));
  const isRunning = batch?.status === 'processing';
  const question = useQuestionStream(isRunning ? batch.stream_id : undefined);
  const chunks = useMemo(() => {
    if (!batch || batch.status === 'processing') return [];
    const ids = batch.videos.map((video) => video.video_id);
    return Array.from({ length: Math.ceil(ids.length / DOCUMENTS) }, (_, index) =>
      ids.slice(index * DOCUMENTS, (index + 1) * DOCUMENTS),
    );
  }, [batch]);
  const documents = useQueries({
    queries: chunks.map((ids) => documentsQuery(batchId!, ids)),
    combine: (results) => ({
      items: results.flatMap(({ data }) => data ?? []),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const events = useMemo(() => {
    if (!batch) return [];
    return batch.status === 'processing' ? ofStream(question, batch) : ofDocuments(documents.items);
  }, [batch, question, documents.items]);
  return {
    batch,
    events,
    question,
    isLoading: !batch || documents.isLoading,
    error: error ?? documents.error,
    refetch,
  };
}
