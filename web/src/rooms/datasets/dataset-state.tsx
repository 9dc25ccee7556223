import { Trans } from '@lingui/react/macro';
import type { Dataset } from '@sightline/sdk';
import { formatNumber } from '#ui/format/format.ts';
import { Badge } from '#ui/states.tsx';

/** The status of a dataset, with the reason if it is not complete. */
export function DatasetState({ of: { status, processing_progress: progress, failed_batches } }: { of: Dataset }) {
  const { completed, total } = progress;
  if (status === 'ready')
    return (
      <Badge tone="ok">
        <Trans>Ready</Trans>
      </Badge>
    );
  return (
    <span className="num inline-flex flex-wrap items-center gap-x-2 text-sm">
      {status === 'processing' ? (
        <>
          <Badge tone="accent">
            <Trans>Running</Trans>
          </Badge>
          <Trans>
            {formatNumber(completed)} of {formatNumber(total)}
          </Trans>
        </>
      ) : (
        <>
          <Badge tone="warn">
            <Trans>Incomplete</Trans>
          </Badge>
          <Trans>{failed_batches.length} deleted</Trans>
        </>
      )}
    </span>
  );
}
