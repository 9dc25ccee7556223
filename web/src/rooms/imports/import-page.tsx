import { Trans, useLingui } from '@lingui/react/macro';
import type { ImportJob } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Breadcrumbs } from '#frame/breadcrumbs.tsx';
import { Title } from '#frame/page-slots.tsx';
import { Button } from '#ui/controls/button.tsx';
import { formatDateTime, formatNumber } from '#ui/format/format.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { ErrorNotice, ProgressBar, Skeleton } from '#ui/states.tsx';
import { importJobQuery } from './import-queries.ts';
import { ImportRows } from './import-rows.tsx';
import { JobState, jobSource } from './job-state.tsx';

/** One import: its progress, what failed and why, and all its rows. */
export function ImportPage() {
  const { t } = useLingui();
  const { jobId } = useParams({ from: '/app/imports/$jobId' });
  const { data: job, error, refetch } = useQuery(importJobQuery(jobId));
  return (
    <div className="flex h-full flex-col p-4.5 md:pt-6">
      <Title text={job ? jobSource(job) : t`Import`}>
        <Breadcrumbs to="/imports" list={<Trans>Imports</Trans>} title={job ? jobSource(job) : t`Import`} />
      </Title>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} className="mb-3" />}
      {!job && !error && <Skeleton className="h-40" />}
      {job && (
        <>
          <JobHeader job={job} />
          <ImportRows job={job} />
        </>
      )}
    </div>
  );
}

function JobHeader({ job }: { job: ImportJob }) {
  const { t } = useLingui();
  const done = job.uploaded + job.skipped + job.failed;
  const counts = [
    [t`Objects`, job.listed ? formatNumber(job.total) : t`${formatNumber(job.total)} so far`],
    [t`Imported`, formatNumber(job.uploaded)],
    [t`Already imported`, formatNumber(job.skipped)],
    [t`Failed`, formatNumber(job.failed)],
  ] as const;
  return (
    <div className="mb-4 grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <JobState job={job} />
        <span className="num text-ink-2">
          {job.completed_at
            ? t`Started ${formatDateTime(job.created_at)}, ended ${formatDateTime(job.completed_at)}`
            : t`Started ${formatDateTime(job.created_at)}`}
        </span>
        {job.folder_id && (
          <Link to="/" search={{ folder: job.folder_id }} className="text-accent-text hover:underline">
            {job.folder_name ?? t`Folder`}
          </Link>
        )}
        <JobActions job={job} />
      </div>
      {!job.terminal && (
        <ProgressBar
          label={t`Progress of the import`}
          value={job.listed && job.total > 0 ? Math.min(1, done / job.total) : null}
        />
      )}
      {job.message && (
        <p className="max-w-prose text-bad">
          <ServiceText>{job.message}</ServiceText>
        </p>
      )}
      <dl className="flex flex-wrap gap-x-10 gap-y-2">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt className="text-ink-2 text-sm">{name}</dt>
            <dd className="num text-xl">{count}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function JobActions({ job: { import_job_id: jobId, terminal, failed } }: { job: ImportJob }) {
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [canceling, setCanceling] = useState(false);
  const [busy, setBusy] = useState(false);
  const params = { path: { job_id: jobId } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['import-jobs'] });
  async function retry() {
    setBusy(true);
    try {
      await api.POST('/api/import-jobs/{job_id}/retry', { params, body: {} });
    } catch (error) {
      showError(error);
    }
    await refresh();
    setBusy(false);
  }
  return (
    <div className="ml-auto flex gap-2">
      {terminal && failed > 0 && (
        <Button icon={RotateCw} busy={busy} onClick={() => void retry()}>
          <Trans>Retry failed</Trans>
        </Button>
      )}
      {!terminal && (
        <Button look="danger" onClick={() => setCanceling(true)}>
          <Trans>Cancel import</Trans>
        </Button>
      )}
      <ConfirmDialog
        open={canceling}
        onClose={() => setCanceling(false)}
        title={<Trans>Cancel this import?</Trans>}
        action={<Trans>Cancel import</Trans>}
        look="danger"
        onConfirm={async () => {
          await api.POST('/api/import-jobs/{job_id}/cancel', { params });
          await refresh();
        }}
      >
        <Trans>Objects that were not imported yet are left out. Imported videos stay.</Trans>
      </ConfirmDialog>
    </div>
  );
}
