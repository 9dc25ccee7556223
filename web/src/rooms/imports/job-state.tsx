import { useLingui } from '@lingui/react/macro';
import type { ImportJob } from '@sightline/sdk';
import { formatNumber } from '#ui/format/format.ts';
import { Badge, ProgressBar } from '#ui/states.tsx';

export function JobState({ job: { status } }: { job: Pick<ImportJob, 'status'> }) {
  const { t } = useLingui();
  switch (status) {
    case 'importing':
      return <Badge tone="accent">{t`Importing`}</Badge>;
    case 'completed':
      return <Badge tone="ok">{t`Completed`}</Badge>;
    case 'partial':
      return <Badge tone="warn">{t`Completed with failures`}</Badge>;
    case 'failed':
      return <Badge tone="bad">{t`Failed`}</Badge>;
    case 'cancelled':
      return <Badge>{t`Canceled`}</Badge>;
  }
}

/** Progress as a bar and as numbers of objects. */
export function JobProgress({ job }: { job: ImportJob }) {
  const { t } = useLingui();
  const done = job.uploaded + job.skipped + job.failed;
  const share = job.listed && job.total > 0 ? Math.min(1, done / job.total) : null;
  return (
    <div className="grid min-w-28 gap-1">
      <span className="num whitespace-nowrap">
        {job.listed ? t`${formatNumber(done)} of ${formatNumber(job.total)}` : t`Listing: ${formatNumber(job.total)}`}
      </span>
      {!job.terminal && <ProgressBar label={t`Progress of the import`} value={share} />}
    </div>
  );
}

/** Where a job reads: bucket and prefix. */
export const jobSource = ({ bucket, prefix }: Pick<ImportJob, 'bucket' | 'prefix'>): string =>
  prefix ? `${bucket}/${prefix}` : bucket;
