import { Trans, useLingui } from '@lingui/react/macro';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, Table } from '#ui/lists/table.tsx';
import { Badge } from '#ui/states.tsx';
import { jobName } from './job-names.ts';
import type { Worker } from './workload-query.ts';

/** The workers of all nodes, their heartbeats and what they run. */
export function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  const { t } = useLingui();
  if (workers.length === 0)
    return (
      <p className="text-warn">
        <Trans>No worker runs. Questions and uploads wait until one starts.</Trans>
      </p>
    );
  const columns: Column<Worker>[] = [
    {
      id: 'node',
      header: t`Node`,
      className: 'whitespace-nowrap',
      sort: ({ host }) => host,
      cell: ({ host, pid }) => (
        <>
          {host} <span className="num text-ink-3 text-sm max-sm:hidden">{t`process ${pid}`}</span>
        </>
      ),
    },
    {
      id: 'status',
      header: t`Status`,
      cell: ({ status }) =>
        status === 'running' ? <Badge tone="ok">{t`Running`}</Badge> : <Badge tone="bad">{t`Does not respond`}</Badge>,
    },
    {
      id: 'running',
      header: t`Runs now`,
      className: 'w-1/2',
      cell: ({ running, status }) =>
        running.length === 0 || status !== 'running' ? (
          <span className="text-ink-3">–</span>
        ) : (
          <ul>
            {running.map(({ name, count }) => {
              const text = jobName(name);
              return (
                <li key={name}>
                  {count > 1 && <span className="num text-ink-3">{formatNumber(count)} × </span>}
                  {text ? t(text) : name}
                </li>
              );
            })}
          </ul>
        ),
    },
    {
      id: 'started',
      header: t`Started`,
      end: true,
      className: 'num whitespace-nowrap text-ink-2 max-lg:hidden',
      sort: ({ started_at }) => started_at,
      cell: ({ started_at }) => <Ago time={started_at} />,
    },
    {
      id: 'heartbeat',
      header: t`Last heartbeat`,
      end: true,
      className: 'num whitespace-nowrap text-ink-2 max-sm:hidden',
      sort: ({ heartbeat_at }) => heartbeat_at,
      cell: ({ heartbeat_at }) => <Ago time={heartbeat_at} />,
    },
  ];
  return <Table label={t`Workers`} rows={workers} columns={columns} rowKey={({ id }) => id} />;
}
