import type { QueueList, WorkerList } from '@sightline/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sightline } from '#api/client.ts';

export type JobQueue = QueueList['queues'][number];
export type Worker = WorkerList['workers'][number];

const REFRESH_MS = 3_000;

/** Background jobs and workers of the service, for administrators of its first organization. */
export const workloadQuery = queryOptions({
  queryKey: ['workload'],
  queryFn: async ({ signal }) => {
    const [queues, workers] = await Promise.all([sightline.queues({ signal }), sightline.workers({ signal })]);
    return { queues, workers };
  },
  refetchInterval: REFRESH_MS,
});
