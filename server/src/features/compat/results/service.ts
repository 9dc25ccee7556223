import type { Analyses } from '#features/analyses/index';
import type { Batches } from '#features/batches/index';
import type { Caller } from '#platform/http/index';
import { problems } from '../problems.ts';
import { type BatchResult, parseResult, toResultWithoutDocument } from './results.ts';

type Batch = Awaited<ReturnType<Batches['get']>>;
type Status = { status: string; events: StoredEvent[] };
type StoredEvent = { data: { annotated_thumbnail_url?: string } };

export type ResultsDeps = {
  analyses: Pick<Analyses, 'status' | 'streamBatchDocuments'>;
  batches: Pick<Batches, 'get'>;
};

/** Results in the form of older clients. */
export interface Results {
  /**
   * Returns the result of each analysis, in the batch's order. Throws `batch_not_found` (404) or `batch_forbidden`
   * (403).
   */
  ofBatch(caller: Caller, batchId: string): Promise<{ batch: Batch; results: BatchResult[] }>;
  /**
   * The events in the stored form, each with the URL of its image at the top level. Throws `analysis_not_found` (404),
   * `analysis_forbidden` (403) or `analysis_unfinished` (409).
   */
  thumbnails(caller: Caller, videoId: string, analysisId: string): Promise<{ annotated_thumbnail_url: string }[]>;
}

export function createResults({ analyses, batches }: ResultsDeps): Results {
  return {
    async ofBatch(caller, batchId) {
      const batch = await batches.get(caller, batchId, true);
      const videoIds = batch.analyses.map(({ videoId }) => videoId);
      const withDocument = new Map<string, BatchResult>();
      for await (const chunk of analyses.streamBatchDocuments(batchId, videoIds)) {
        for (const { analysisId, document } of chunk) if (document) withDocument.set(analysisId, parseResult(document));
      }
      const results = batch.analyses.map(
        (analysis) => withDocument.get(analysis.analysisId) ?? toResultWithoutDocument(analysis),
      );
      return { batch, results };
    },

    async thumbnails(caller, videoId, analysisId) {
      const { status, events } = JSON.parse(await analyses.status(caller, videoId, analysisId)) as Status;
      if (status === 'PROCESSING') throw problems.analysis_unfinished();
      return events.map((event) => ({ ...event, annotated_thumbnail_url: event.data.annotated_thumbnail_url ?? '' }));
    },
  };
}
