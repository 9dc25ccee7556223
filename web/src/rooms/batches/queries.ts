import type { AnalysisDocument, AnalysisEvent, Batch, EventSummary } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { batchQuery } from '#rooms/analyses/queries.ts';
import { type QuestionState, useQuestionStream } from '#rooms/analyses/question-stream.ts';
import { type EventItem, fromDocument } from '#rooms/analyses/types.ts';

/** Videos whose documents are fetched with one request. */
const DOCUMENTS = 100;

/** An object of an event: its class, and the center of its box as [seconds, x, y] in fractions of the frame. */
export type EventObject = { id: number; className: string; path: readonly (readonly [number, number, number])[] };

/** An event of a question over several videos. `objects`: absent where they are not known, such as in a stream. */
export type BatchEvent = EventItem & { videoId: string; analysisId: string; objects?: readonly EventObject[] };

/**
 * The same in a list of events of any question, which has the name of the video and all images. `questions`: number of
 * those that found its incident; `implied`: the verdict that follows from that on another event of it.
 */
export type ListedEvent = BatchEvent & {
  videoName: string;
  matches: EventSummary['matches'];
  questions: number;
  implied: 'approved' | 'rejected' | null;
};

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

type StoredTrack = { id: number; class: string; path: [number, number, number][] };

const objectsOf = ({ data }: AnalysisEvent): EventObject[] =>
  ((data.evidence as { tracks?: StoredTrack[] }).tracks ?? []).map((track) => ({
    id: track.id,
    className: track.class,
    path: track.path,
  }));

/** Events and candidates of a question, from the documents of its analyses. */
function ofDocuments(documents: readonly AnalysisDocument[]): { events: BatchEvent[]; candidates: BatchEvent[] } {
  const read = (kind: 'events' | 'candidates') =>
    documents.flatMap(({ video_id: videoId, analysis_id: analysisId, analysis }) =>
      (analysis[kind] ?? []).map((event) => ({
        ...fromDocument(event),
        videoId,
        analysisId,
        objects: objectsOf(event),
      })),
    );
  return { events: read('events'), candidates: read('candidates') };
}

function ofStream(question: QuestionState, batch: Batch): BatchEvent[] {
  const videos = new Map(batch.videos.map((video) => [video.analysis_id, video.video_id]));
  return [...question.events].flatMap(([analysisId, events]) =>
    events.map((event) => ({ ...event, analysisId, videoId: videos.get(analysisId) ?? '' })),
  );
}

const NO_DOCUMENTS: readonly AnalysisDocument[] = [];

/**
 * A question over several videos with its events: from its stream while it runs, then from the documents. The stream
 * of a question is not stored forever, and it has no images. `documents` is empty until all are loaded, and what the
 * stream reported stays until then: a part of the events would look like all of them.
 */
export function useBatch(batchId: string | undefined) {
  const { data: batch, error, refetch } = useQuery(batchQuery(batchId));
  const isRunning = batch?.status === 'processing';
  const [followed, setFollowed] = useState<string>();
  if (isRunning && followed !== batch.stream_id) setFollowed(batch.stream_id);
  const hasStream = batch !== undefined && followed === batch.stream_id;
  const question = useQuestionStream(hasStream ? followed : undefined);
  const chunks = useMemo(() => {
    if (!batch || batch.status === 'processing') return [];
    const ids = batch.videos.map((video) => video.video_id);
    return Array.from({ length: Math.ceil(ids.length / DOCUMENTS) }, (_, index) =>
      ids.slice(index * DOCUMENTS, (index + 1) * DOCUMENTS),
    );
  }, [batch]);
  const loaded = useQueries({
    queries: chunks.map((ids) => documentsQuery(batchId!, ids)),
    combine: (results) => ({
      items: results.every(({ data }) => data) ? results.flatMap(({ data }) => data ?? []) : NO_DOCUMENTS,
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const hasDocuments = batch !== undefined && !isRunning && !loaded.isLoading && loaded.error === null;
  const found = useMemo(() => {
    if (!batch) return { events: [], candidates: [] };
    return hasDocuments ? ofDocuments(loaded.items) : { events: ofStream(question, batch), candidates: [] };
  }, [batch, question, loaded.items, hasDocuments]);
  return {
    batch,
    ...found,
    documents: hasDocuments ? loaded.items : NO_DOCUMENTS,
    question,
    /** False until all that the page counts is known. */
    isLoading: !batch || (!isRunning && loaded.isLoading),
    error: error ?? loaded.error,
    refetch: () => {
      void refetch();
      void queries.refetchQueries({ queryKey: ['batch-documents', batchId] });
    },
  };
}
