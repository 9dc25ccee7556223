import { Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatShare, formatTime } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice, ProgressBar } from '#ui/states.tsx';
import type { QuestionState } from './question-stream.ts';
import { useStages } from './stages.ts';
import type { SeenPart } from './types.ts';

/** A question that is being answered: how it was understood, how far it is, and a way to cancel it. */
export function RunningQuestion({
  analysisId,
  batch,
  question,
  stage = 'waiting',
  seen,
}: {
  analysisId: string;
  batch: Batch | undefined;
  question: QuestionState;
  /** The stage that the document reported before the stream did. */
  stage: string | undefined;
  seen: SeenPart | null;
}) {
  const { t } = useLingui();
  const stages = useStages();
  const [busy, setBusy] = useState(false);
  const { showError } = useToasts();
  const progress = question.progress.get(analysisId);
  const percent = progress?.percent ?? batch?.videos.find((video) => video.analysis_id === analysisId)?.progress ?? 0;
  const etaS = progress?.etaS ?? null;

  async function cancel() {
    setBusy(true);
    try {
      await api.POST('/api/batch/{batch_id}/cancel', { params: { path: { batch_id: batch!.batch_id } } });
      await queries.invalidateQueries({ queryKey: ['analysis'] });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="grid gap-2">
      {question.interpretation && <p className="break-words text-ink-2 text-sm">{question.interpretation}</p>}
      <ProgressBar value={percent / 100} label={t`Progress of the question`} className="h-0.75" />
      <div className="flex items-center justify-between gap-2">
        <p className="num text-ink-2 text-sm" aria-live="polite">
          {stages(progress?.stage ?? stage)} · {formatShare(percent / 100)}
          {etaS !== null && etaS > 0 && (
            <>
              {' · '}
              <Trans>{etaS} s left</Trans>
            </>
          )}
        </p>
        <Button look="ghost" icon={CircleStop} busy={busy} disabled={!batch} onClick={() => void cancel()}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
      {seen && seen.untilS < seen.durationS && (
        <p className="num text-ink-2 text-sm">
          <Trans>
            Seen until {formatTime(seen.untilS)} of {formatTime(seen.durationS)}. What was found there may still change.
          </Trans>
        </p>
      )}
      {question.error !== null && <ErrorNotice error={question.error} />}
    </div>
  );
}
