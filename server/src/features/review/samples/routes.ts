import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { AnalysisParams } from '../schema.ts';
import type { Samples } from './samples.ts';
import { ReviewedSample, ReviewedSampleRequest, ReviewSamples, SamplesQuery } from './schema.ts';

const DEFAULT_COUNT = 10;
const DEFAULT_LENGTH_S = 10;

export function sampleRoutes(app: App, samples: Samples): void {
  const route = routes(app, { tag: 'Review', scope: 'read', folderKeys: true });

  route.get(
    '/api/review/samples',
    {
      id: 'drawReviewSamples',
      summary: 'Draw ranges without events',
      description:
        'Draws random ranges of videos in which the engine found nothing for a prompt, each second with the same chance, without those that were reviewed. Watch each of them, and state whether an event was missed: scores then estimate recall from all time without events.',
      query: SamplesQuery,
      response: ReviewSamples,
      errors: [404],
    },
    async ({ caller, query: { count, lengthS, ...filter } }) => {
      const options = { count: count ?? DEFAULT_COUNT, lengthS: lengthS ?? DEFAULT_LENGTH_S };
      return { samples: await samples.draw(caller, filter, options) };
    },
  );

  route.post(
    '/api/videos/:video_id/analyses/:analysis_id/samples',
    {
      id: 'reviewSample',
      summary: 'Review a range without events',
      description:
        'States whether an event of the prompt that the engine missed starts in a range. It replaces an earlier verdict on the range. With `missed`, `event` is added to the analysis as a missed event.',
      params: AnalysisParams,
      body: ReviewedSampleRequest,
      response: ReviewedSample,
      errors: [404],
    },
    (request) => {
      const { caller, params, body } = request;
      const { event, ...range } = body;
      const added = event && { ...event, severity: event.severity ?? 'medium', note: event.note ?? null };
      return samples.review(caller, { ...params, ...range, event: added ?? null }, actorOf(request));
    },
  );
}
