import { Trans } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { useStatuses } from '#rooms/analyses/stages.ts';
import { formatNumber } from '#ui/format/format.ts';
import { Badge } from '#ui/states.tsx';

const TONES: Record<string, 'accent' | 'ok' | 'bad' | 'neutral'> = {
  processing: 'accent',
  completed: 'ok',
  failed: 'bad',
};

/** State of a question over several videos. */
export function BatchStatus({ batch }: { batch: Batch }) {
  const statuses = useStatuses();
  const { completed, total, failed } = batch.aggregated_progress;
  return (
    <span className="num inline-flex items-center gap-2 whitespace-nowrap text-ink-2 text-sm">
      <Badge tone={TONES[batch.status] ?? 'neutral'}>{statuses(batch.status)}</Badge>
      {completed < total && (
        <Trans>
          {formatNumber(completed)} of {formatNumber(total)}
        </Trans>
      )}
      {failed > 0 && (
        <span className="text-bad">
          <Trans>{failed} failed</Trans>
        </span>
      )}
    </span>
  );
}
