import { Trans, useLingui } from '@lingui/react/macro';
import type { ImportJob } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Title } from '#frame/page-slots.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EmptyState } from '#ui/states.tsx';
import { importJobsQuery } from './import-queries.ts';
import { JobProgress, JobState, jobSource } from './job-state.tsx';
import { ScheduledImports } from './scheduled-imports.tsx';

/** Imports from buckets, and those on a schedule. */
export function ImportsPage() {
  const { t } = useLingui();
  const query = useInfiniteQuery(importJobsQuery);
  const rows = query.data?.pages.flatMap((page) => page.import_jobs) ?? [];
  const newButton = (
    <Link to="/imports/new" search={{}} className={buttonClass('primary')}>
      <Plus size={15} aria-hidden />
      <Trans>New import</Trans>
    </Link>
  );
  return (
    <div className="p-4.5 md:py-6">
      <Title text={t`Imports`} />
      <ScheduledImports />
      <Section title={<Trans>Imports</Trans>} action={rows.length > 0 && newButton}>
        <ListTable
          label={t`Imports`}
          query={query}
          rows={rows}
          columns={useColumns()}
          rowKey={({ import_job_id }) => import_job_id}
          empty={
            <EmptyState title={<Trans>No imports yet</Trans>} action={newButton}>
              <Trans>
                Import videos and recordings from a bucket of S3, Google Cloud Storage or Hugging Face, once or on a
                schedule.
              </Trans>
            </EmptyState>
          }
        />
      </Section>
    </div>
  );
}

function useColumns(): Column<ImportJob>[] {
  const { t } = useLingui();
  return [
    {
      id: 'source',
      header: t`Source`,
      sort: jobSource,
      cell: (job) => (
        <>
          <Link
            to="/imports/$jobId"
            params={{ jobId: job.import_job_id }}
            className="break-all font-medium hover:underline"
          >
            {jobSource(job)}
          </Link>
          {job.message && (
            <p className="line-clamp-2 max-w-prose text-bad text-sm">
              <ServiceText>{job.message}</ServiceText>
            </p>
          )}
        </>
      ),
    },
    { id: 'state', header: t`Status`, sort: ({ status }) => status, cell: (job) => <JobState job={job} /> },
    { id: 'progress', header: t`Progress`, cell: (job) => <JobProgress job={job} /> },
    {
      id: 'failed',
      header: t`Failed`,
      end: true,
      className: 'num max-sm:hidden',
      sort: ({ failed }) => failed,
      cell: ({ failed }) => <span className={failed > 0 ? 'text-bad' : 'text-ink-3'}>{formatNumber(failed)}</span>,
    },
    {
      id: 'folder',
      header: t`Folder`,
      className: 'max-md:hidden',
      sort: ({ folder_name }) => folder_name,
      cell: ({ folder_name }) => folder_name ?? '–',
    },
    {
      id: 'created',
      header: t`Started`,
      className: 'num whitespace-nowrap max-sm:hidden',
      sort: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
  ];
}
