import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Section } from '#ui/section.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { QueueTable } from './queue-table.tsx';
import { WorkerTable } from './worker-table.tsx';
import { workloadQuery } from './workload-query.ts';

/** Background work of the whole service: its workers, and what waits for them. */
export function WorkloadSection() {
  const { data, error, refetch } = useQuery(workloadQuery);
  return (
    <>
      <Section
        title={<Trans>Workers</Trans>}
        hint={<Trans>Processes that answer questions, transfer files and tidy up, on all nodes.</Trans>}
      >
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} className="mb-3" />}
        {data ? <WorkerTable workers={data.workers} /> : !error && <Skeleton className="h-20" />}
      </Section>
      <Section
        title={<Trans>Queues</Trans>}
        hint={<Trans>Jobs that wait for a worker, run, or were given up in the last six hours.</Trans>}
      >
        {data ? <QueueTable queues={data.queues} /> : !error && <Skeleton className="h-32" />}
      </Section>
    </>
  );
}
