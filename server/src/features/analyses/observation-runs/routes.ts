import { type App, routes } from '#platform/http/index';
import {
  ObservationParams,
  ObservationRequest,
  ObservationRunList,
  ObservationRunResource,
  ObservationRunSummary,
  RunListQuery,
} from './schema.ts';
import type { ObservationRuns } from './types.ts';

export function observationRunsRoutes(app: App, runs: ObservationRuns): void {
  const route = routes(app, { tag: 'Analysis', scope: 'read' });

  route.post(
    '/api/observations',
    {
      id: 'startObservation',
      scope: 'write',
      status: 202,
      summary: 'Observe videos',
      description:
        'Observes chosen videos by chosen observers in the background, so that questions about sounds, speech, text or objects take no time. Only what is missing is observed. Poll the run for its progress.',
      body: ObservationRequest,
      response: ObservationRunSummary,
      errors: [404, 409],
    },
    ({ caller, body }) => runs.start(caller, body),
  );

  route.get(
    '/api/observations',
    {
      id: 'listObservations',
      summary: 'List observation runs',
      description: 'Lists the observation runs that you may read, newest first.',
      query: RunListQuery,
      response: ObservationRunList,
    },
    ({ caller, query: { limit, cursor } }) => runs.list(caller, { limit: limit ?? 100, cursor }),
  );

  route.get(
    '/api/observations/:observation_id',
    {
      id: 'getObservation',
      summary: 'Get an observation run',
      description: 'Returns the progress of a run, with the state of each video.',
      params: ObservationParams,
      response: ObservationRunResource,
      errors: [404],
    },
    ({ caller, params }) => runs.get(caller, params.observationId),
  );

  route.post(
    '/api/observations/:observation_id/cancel',
    {
      id: 'cancelObservation',
      scope: 'write',
      summary: 'Cancel an observation run',
      description: 'Cancels the videos of your own run that are not observed yet. Those that are stay observed.',
      params: ObservationParams,
      response: ObservationRunResource,
      errors: [404],
    },
    ({ caller, params }) => runs.cancel(caller, params.observationId),
  );
}
