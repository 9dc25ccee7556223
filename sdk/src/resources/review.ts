import type { Client } from 'openapi-fetch';
import type { operations, paths } from '../api.generated.ts';
import type { FollowOptions, StreamEvent } from '../events.ts';
import type {
  Comparison,
  ComparisonRequest,
  ReviewedSample,
  ReviewedSampleRequest,
  ReviewSamples,
  StartedComparison,
} from '../resources.generated.ts';

export type SampleQuery = NonNullable<operations['drawReviewSamples']['parameters']['query']>;

/** Comparisons with a changed query, and ranges without events, which show missed ones. `api` has the scores. */
export type ReviewOperations = {
  /**
   * Runs a changed query on videos whose answers to an earlier prompt were reviewed, and returns at once. Throws
   * `comparison_nothing_reviewed` if there are none.
   */
  startComparison(request: ComparisonRequest): Promise<StartedComparison>;
  /** Precision, recall and overlap of a batch and of the earlier answers on its videos; `baseline` is their prompt. */
  comparison(batchId: string, options?: { baseline?: string; signal?: AbortSignal }): Promise<Comparison>;
  /** Starts a comparison, waits until its analyses end, and returns it. `onEvent` receives their events. */
  compare(
    request: ComparisonRequest,
    options?: FollowOptions & { onEvent?: (event: StreamEvent) => void },
  ): Promise<Comparison>;
  /** Draws random ranges in which the engine found nothing for a prompt, to watch them for missed events. */
  drawSamples(query?: SampleQuery, options?: { signal?: AbortSignal }): Promise<ReviewSamples['samples']>;
  /** States what a reviewer saw in a range; with `missed`, `event` adds the event. */
  reviewSample(videoId: string, analysisId: string, seen: ReviewedSampleRequest): Promise<ReviewedSample>;
};

export function createReviewOperations(
  api: Client<paths>,
  follow: (streamId: string, options?: FollowOptions) => AsyncGenerator<StreamEvent>,
): ReviewOperations {
  const operations: ReviewOperations = {
    startComparison: async (body) => (await api.POST('/api/comparisons', { body })).data!,

    async comparison(batch_id, { baseline, signal } = {}) {
      const params = { path: { batch_id }, query: { baseline_query: baseline } };
      return (await api.GET('/api/comparisons/{batch_id}', { params, signal })).data!;
    },

    async compare(request, { onEvent, ...options } = {}) {
      const { batch_id, stream_id } = await operations.startComparison(request);
      for await (const event of follow(stream_id, options)) onEvent?.(event);
      return operations.comparison(batch_id, { signal: options.signal });
    },

    async drawSamples(query = {}, { signal } = {}) {
      return (await api.GET('/api/review/samples', { params: { query }, signal })).data!.samples;
    },

    async reviewSample(video_id, analysis_id, body) {
      const params = { path: { video_id, analysis_id } };
      return (await api.POST('/api/videos/{video_id}/analyses/{analysis_id}/samples', { params, body })).data!;
    },
  };
  return operations;
}
