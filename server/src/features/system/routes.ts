import { type App, failures, publicFailures } from '#platform/http/index';
import { Health, Readiness, SystemAnswer } from './schema.ts';
import type { System } from './service.ts';

export function systemRoutes(app: App, system: System): void {
  for (const [url, operationId] of [
    ['/health', 'getHealth'],
    ['/api/health', 'getApiHealth'],
  ] as const) {
    app.get(
      url,
      {
        config: { scope: 'public' },
        schema: {
          operationId,
          tags: ['System'],
          summary: 'Is the process up',
          description:
            'Answers as long as the process runs; it asks nothing of database or storage. For liveness probes.',
          response: { 200: Health, ...publicFailures(500) },
        },
      },
      async () => system.health(),
    );
  }

  app.get(
    '/ready',
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'getReadiness',
        tags: ['System'],
        summary: 'Can requests be served',
        description:
          'Checks what serving needs (database, storage, room on the local disks) and answers 503 naming what is missing. For load balancers.',
        response: { 200: Readiness, ...publicFailures(500, 503) },
      },
    },
    async () => system.ready(),
  );

  app.get(
    '/api/system',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getSystem',
        tags: ['System'],
        summary: 'What this service is',
        description: 'Version, engine, what can be observed and why the rest cannot, and every limit.',
        response: { 200: SystemAnswer, ...failures() },
      },
    },
    async () => system.describe(),
  );
}
