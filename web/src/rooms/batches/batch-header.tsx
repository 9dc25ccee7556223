import { Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleStop, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { QuestionState } from '#rooms/analyses/question-stream.ts';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { ErrorNotice, ProgressBar } from '#ui/states.tsx';
import { canRetry, useBatchActions } from './actions.ts';
import { BatchNote } from './batch-note.tsx';
import { BatchStatus } from './batch-status.tsx';

/** State, progress and note of a question over several videos. */
export function BatchHeader({
  batch,
  question,
  children,
}: {
  batch: Batch;
  question: QuestionState;
  /** Further actions. */
  children: ReactNode;
}) {
  const { t } = useLingui();
  const { cancel, retry } = useBatchActions();
  const { completed, total } = batch.aggregated_progress;
  const isRunning = batch.status === 'processing';
  // Running analyses count by how far they are.
  const running = [...question.progress.values()].reduce((sum, { percent }) => sum + percent / 100, 0);
  const modes: Record<string, string> = { thinking: t`Every frame`, fast: t`Fast` };
  return (
    <div className="grid gap-2 border-b px-4.5 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <BatchStatus batch={batch} />
        <span className="num text-ink-3 text-sm">
          {modes[batch.mode] ?? batch.mode} · {formatDateTime(batch.created_at)}
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {children}
          {!isRunning && (
            <Link to="/review" search={{ batch: batch.batch_id }} className={buttonClass()}>
              <CircleCheck size={15} strokeWidth={1.75} aria-hidden />
              <Trans>Review</Trans>
            </Link>
          )}
          <BatchNote batch={batch} />
          {canRetry(batch) && (
            <Button icon={RotateCw} onClick={() => void retry(batch)}>
              <Trans>Run failed again</Trans>
            </Button>
          )}
          {isRunning && (
            <Button icon={CircleStop} onClick={() => void cancel(batch)}>
              <Trans>Cancel</Trans>
            </Button>
          )}
        </span>
      </div>
      {isRunning && (
        <ProgressBar value={Math.min(1, (completed + running) / total)} label={t`Progress of the question`} />
      )}
      {question.interpretation && isRunning && (
        <p className="break-words text-ink-2 text-sm">
          <ServiceText>{question.interpretation}</ServiceText>
        </p>
      )}
      {question.error !== null && <ErrorNotice error={question.error} />}
      {typeof batch.metadata.note === 'string' && batch.metadata.note && (
        <p className="whitespace-pre-wrap break-words border-accent border-l-2 pl-2 text-ink-2">
          {batch.metadata.note}
        </p>
      )}
    </div>
  );
}
