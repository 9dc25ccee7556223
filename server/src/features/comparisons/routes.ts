import { type App, routes } from '#platform/http/index';
import { Comparison, ComparisonParams, ComparisonQuery, ComparisonRequest, StartedComparison } from './schema.ts';
import type { Comparisons } from './service.ts';

export function comparisonsRoutes(app: App, comparisons: Comparisons): void {
  const route = routes(app, { tag: 'Review', scope: 'read', folderKeys: true });

  route.post(
    '/api/comparisons',
    {
      id: 'startComparison',
      summary: 'Compare a changed query with a reviewed one',
      description:
        'Runs a changed prompt, or the same one with another model or other settings, on videos whose answers to an earlier prompt were reviewed, to see its effect before you save it. It is an ordinary batch; `GET /api/comparisons/{batch_id}` has the figures.',
      body: ComparisonRequest,
      response: StartedComparison,
      errors: [404, 409],
    },
    ({ caller, body }) => comparisons.start(caller, body),
  );

  route.get(
    '/api/comparisons/:batch_id',
    {
      id: 'getComparison',
      summary: 'Get a comparison',
      description:
        'Returns precision, recall and overlap of a batch and of the earlier answers on its videos, and the events that appeared or disappeared. Approved events of either are the ground truth; verdicts on its undecided events change the figures. The most reviewed earlier answer of each video is used.',
      params: ComparisonParams,
      query: ComparisonQuery,
      response: Comparison,
      errors: [404],
    },
    ({ caller, params, query }) => comparisons.get(caller, params.batchId, query.baselineQuery ?? null),
  );
}
