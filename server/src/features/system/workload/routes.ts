import { type App, routes } from '#platform/http/index';
import { QueueList, WorkerList } from './schema.ts';
import type { Workload } from './service.ts';

export function workloadRoutes(app: App, workload: Workload): void {
  const route = routes(app, { tag: 'System', scope: 'admin' });

  route.get(
    '/api/system/queues',
    {
      id: 'listQueues',
      summary: 'List queues',
      description:
        'Counts the background jobs of the whole service by kind: waiting, running and given up, and how long the oldest one waits. Only for administrators of the first organization of the service.',
      response: QueueList,
    },
    (request) => workload.queues(request.caller),
  );

  route.get(
    '/api/system/workers',
    {
      id: 'listWorkers',
      summary: 'List workers',
      description:
        'Lists the workers of all nodes with their last heartbeat and what they run. Only for administrators of the first organization of the service.',
      response: WorkerList,
    },
    (request) => workload.workers(request.caller),
  );
}
