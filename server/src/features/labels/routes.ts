import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { BODY_BYTES, LabelImportRequest, LabelImportResult } from './schema.ts';
import type { Labels } from './service.ts';

export function labelsRoutes(app: App, labels: Labels): void {
  const route = routes(app, { tag: 'Review', scope: 'write' });

  route.post(
    '/api/labels/import',
    {
      id: 'importLabels',
      bodyLimit: BODY_BYTES,
      summary: 'Import labels',
      description:
        'Compares events that people labeled elsewhere with those that a batch found. An undecided event that overlaps a label by half (intersection over union) is approved and gets its times; a label without an event is added as a missed event, with the name of the file as `origin`. So scores, datasets and exports use them. All of the file is imported or, if it has errors, nothing; the same file again changes nothing. `POST /api/review/undo` takes an import back.',
      body: LabelImportRequest,
      response: LabelImportResult,
      errors: [404],
    },
    (request) => labels.import(request.caller, request.body, actorOf(request), request.disconnected),
  );
}
