import type { Caller } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import { problems } from '../problems.ts';
import type { QueueList, WorkerList } from './schema.ts';

export type WorkloadDeps = {
  jobs: Pick<Jobs, 'queues' | 'workers'>;
  /** Organization of the operator; null before the first start. */
  operatorOrg: () => Promise<string | null>;
};

/**
 * Background work of all organizations, for the operator's administrators. Methods throw `operator_needed` (403) for
 * others.
 */
export interface Workload {
  queues(caller: Caller): Promise<QueueList>;
  workers(caller: Caller): Promise<WorkerList>;
}

export function createWorkload({ jobs, operatorOrg }: WorkloadDeps): Workload {
  async function requireOperator({ orgId }: Caller): Promise<void> {
    if ((await operatorOrg()) === orgId) return;
    throw problems.operator_needed(
      'This shows the work of all organizations of this service. Only administrators of its first organization may see it.',
    );
  }
  return {
    async queues(caller) {
      await requireOperator(caller);
      return { queues: await jobs.queues() };
    },
    async workers(caller) {
      await requireOperator(caller);
      const workers = await jobs.workers();
      return {
        workers: workers.map(({ responding, running, ...worker }) => ({
          ...worker,
          status: responding ? 'running' : 'not_responding',
          running: Object.entries(running).map(([name, count]) => ({ name, count })),
        })),
      };
    },
  };
}
