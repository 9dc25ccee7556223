import { type App, routes } from '#platform/http/index';
import { DecidedIncidents, IncidentDecisionRequest, IncidentParams } from './schema.ts';
import type { Incidents } from './service.ts';

export function incidentRoutes(app: App, incidents: Incidents): void {
  const route = routes(app, { tag: 'Review', scope: 'write', folderKeys: true });

  route.post(
    '/api/events/:event_id/incident',
    {
      id: 'decideIncident',
      summary: 'Decide the incident of an event',
      description:
        'States that an event shows the same incident as others, or that it does not. Later events, verdicts and versions do not change it. Only a later decision does: one that contradicts earlier ones replaces them.',
      params: IncidentParams,
      body: IncidentDecisionRequest,
      response: DecidedIncidents,
      errors: [404],
    },
    async ({ caller, params, body }) => ({ events: await incidents.decide(caller, params.eventId, body) }),
  );
}
