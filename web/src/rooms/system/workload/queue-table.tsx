import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, Table } from '#ui/lists/table.tsx';
import { jobName } from './job-names.ts';
import type { JobQueue } from './workload-query.ts';

const COUNTS = ['waiting', 'running', 'delayed', 'failed'] as const;

const isQuiet = (queue: JobQueue) => COUNTS.every((count) => queue[count] === 0);

/** The queues with jobs; the others on demand. */
export function QueueTable({ queues }: { queues: readonly JobQueue[] }) {
  const { t } = useLingui();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? queues : queues.filter((queue) => !isQuiet(queue));
  const quiet = queues.filter(isQuiet).length;
  const headers = { waiting: t`Waiting`, running: t`Running`, delayed: t`Later`, failed: t`Given up` };
  const columns: Column<JobQueue>[] = [
    {
      id: 'job',
      header: t`Job`,
      sort: ({ name }) => name,
      cell: ({ name }) => {
        const text = jobName(name);
        return <span title={name}>{text ? t(text) : name}</span>;
      },
    },
    ...COUNTS.map(
      (count): Column<JobQueue> => ({
        id: count,
        header: headers[count],
        end: true,
        className: classes('num', count === 'delayed' && 'max-sm:hidden'),
        sort: (queue) => queue[count],
        cell: (queue) => (
          <span className={queue[count] === 0 ? 'text-ink-3' : count === 'failed' ? 'text-bad' : undefined}>
            {formatNumber(queue[count])}
          </span>
        ),
      }),
    ),
    {
      id: 'oldest',
      header: t`Oldest waits since`,
      end: true,
      className: 'num whitespace-nowrap text-ink-2 max-sm:hidden',
      sort: ({ oldest_waiting_at }) => oldest_waiting_at,
      cell: ({ oldest_waiting_at: since }) => (since ? <Ago time={since} /> : <span className="text-ink-3">–</span>),
    },
  ];
  return (
    <>
      {shown.length > 0 && <Table label={t`Queues`} rows={shown} columns={columns} rowKey={({ name }) => name} />}
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-2">
        {shown.length === 0 && (
          <p>
            <Trans>Nothing waits, runs or was given up.</Trans>
          </p>
        )}
        {quiet > 0 && (
          <Button aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? (
              <Trans>Hide idle kinds of jobs</Trans>
            ) : (
              <Plural value={quiet} one="Show # idle kind of job" other="Show # idle kinds of jobs" />
            )}
          </Button>
        )}
      </div>
    </>
  );
}
