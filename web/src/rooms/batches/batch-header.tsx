import { Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleStop, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { QuestionState } from '#rooms/analyses/question-stream.ts';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { ErrorNotice, ProgressBar } from '#ui/states.tsx';
import { canRetry, useBatchActions } from './actions.ts';
import { BatchNote } from './batch-note.tsx';
import { BatchStatus } from './batch-status.tsx';

/** The answer of a question over several videos beside what can be done with it; below it progress and note. */
export function BatchHeader({
  batch,
  question,
  toReview,
  summary,
  children,
}: {
  batch: Batch;
  question: QuestionState;
  /** Events that nobody has decided about. */
  toReview: number;
  summary: ReactNode;
  /** Further actions. */
  children: ReactNode;
}) {
  const { t } = useLingui();
  const { cancel, retry } = useBatchActions();
  const { completed, total } = batch.aggregated_progress;
  const isRunning = batch.status === 'processing';
  // Running analyses count by how far they are.
  const running = [...question.progress.values()].reduce((sum, { percent }) => sum + percent / 100, 0);
  return (
    <div className="grid border-b lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 content-start gap-2.5 px-4.5 py-3.5">
        {batch.status !== 'completed' && <BatchStatus batch={batch} />}
        {summary}
        {isRunning && (
          <ProgressBar value={Math.min(1, (completed + running) / total)} label={t`Progress of the question`} />
        )}
        {question.error !== null && isRunning && <ErrorNotice error={question.error} />}
        {typeof batch.metadata.note === 'string' && batch.metadata.note && (
          <p className="whitespace-pre-wrap break-words border-accent border-l-2 pl-2 text-ink-2">
            {batch.metadata.note}
          </p>
        )}
      </div>
      <div className="flex flex-wrap content-start gap-2 px-4.5 py-3.5 max-lg:pt-0 lg:border-l">
        {!isRunning && (
          <Link
            to="/review"
            search={{ batch: batch.batch_id }}
            className={buttonClass(toReview > 0 ? 'primary' : 'plain')}
          >
            <CircleCheck size={15} strokeWidth={1.75} aria-hidden />
            <Trans>Review</Trans>
            {toReview > 0 && <span className="num">{formatNumber(toReview)}</span>}
          </Link>
        )}
        {isRunning && (
          <Button icon={CircleStop} onClick={() => void cancel(batch)}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        {children}
        <BatchNote batch={batch} />
        {canRetry(batch) && (
          <Button icon={RotateCw} onClick={() => void retry(batch)}>
            <Trans>Run failed again</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}
