import { type App, routes } from '#platform/http/index';
import { modelsRoutes } from './models/index.ts';
import { Health, Readiness, SystemInfo } from './schema.ts';
import type { System } from './service.ts';
import { workloadRoutes } from './workload/index.ts';

export function systemRoutes(app: App, system: System): void {
  const route = routes(app, { tag: 'System', scope: 'public' });

  for (const [path, id] of [
    ['/health', 'getHealth'],
    ['/api/health', 'getApiHealth'],
    ['/livez', 'getLivez'],
  ] as const) {
    route.get(
      path,
      {
        id,
        summary: 'Check liveness',
        description:
          'Responds as long as the process runs, whatever the state of the database and the storage. For liveness probes.',
        response: Health,
        errors: [500],
      },
      () => system.health(),
    );
  }

  for (const [path, id] of [
    ['/ready', 'getReadiness'],
    ['/readyz', 'getReadyz'],
  ] as const) {
    route.get(
      path,
      {
        id,
        summary: 'Check readiness',
        description:
          'Checks the database, the storage and the free space on the local disks. If one is not available, the status is 503 and the message names it. For load balancers.',
        response: Readiness,
        errors: [500, 503],
      },
      () => system.ready(),
    );
  }

  route.get(
    '/api/system',
    {
      id: 'getSystem',
      scope: 'read',
      folderKeys: true,
      summary: 'Get version, observers and limits',
      description:
        'Returns the version, the engine, the available observers with reasons for missing ones, and all limits.',
      response: SystemInfo,
    },
    ({ caller }) => system.describe(caller),
  );

  modelsRoutes(app, system.models);
  workloadRoutes(app, system.workload);
}
