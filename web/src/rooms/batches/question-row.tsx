import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { Link } from '@tanstack/react-router';
import { CircleStop, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatDateTime, formatNumber } from '#ui/format/format.ts';
import { ProgressBar } from '#ui/states.tsx';
import { canRetry, useBatchActions } from './actions.ts';
import { BatchStatus } from './batch-status.tsx';

/** The service counts no further. */
const MOST_EVENTS = 10_000;

/** Number of events of a question. */
export function EventCount({ count }: { count: number }) {
  const shown = formatNumber(count);
  return count < MOST_EVENTS ? (
    <Plural value={count} one="# event" other="# events" />
  ) : (
    <Trans>{shown} events or more</Trans>
  );
}

/** A question in a list. A run of a saved question has its time as the name: its words are above it. */
export function QuestionRow({ batch, run }: { batch: Batch; run?: { video: ReactNode } }) {
  const { t } = useLingui();
  const { cancel, retry } = useBatchActions();
  const { completed, total } = batch.aggregated_progress;
  const counted = batch.status !== 'failed' && (
    <>
      {' · '}
      {/* More may arrive while it runs. */}
      {batch.status === 'processing' && batch.event_count === 0 ? (
        <Trans>nothing found so far</Trans>
      ) : (
        <EventCount count={batch.event_count} />
      )}
    </>
  );
  return (
    <div className="relative flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 border-b px-2 py-2 hover:bg-raise/60">
      <div className="min-w-0 flex-1 basis-60">
        <Link
          to="/questions/$batchId"
          params={{ batchId: batch.batch_id }}
          title={run ? undefined : batch.query}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {run ? formatDateTime(batch.created_at) : batch.query}
        </Link>
        <p className="num break-words text-ink-3 text-sm">
          {run?.video ?? <Plural value={total} one="# video" other="# videos" />}
          {counted}
          {!run && (
            <>
              {' · '}
              <Ago time={batch.created_at} />
            </>
          )}
        </p>
        {batch.status === 'processing' && (
          <ProgressBar value={completed / total} label={t`Progress of the question`} className="mt-1 h-0.75" />
        )}
      </div>
      <BatchStatus batch={batch} />
      <span className="relative flex w-8 justify-end">
        {batch.status === 'processing' && (
          <IconButton icon={CircleStop} label={t`Cancel “${batch.query}”`} onClick={() => void cancel(batch)} />
        )}
        {canRetry(batch) && (
          <IconButton
            icon={RotateCw}
            label={t`Run “${batch.query}” again where it failed`}
            onClick={() => void retry(batch)}
          />
        )}
      </span>
    </div>
  );
}
