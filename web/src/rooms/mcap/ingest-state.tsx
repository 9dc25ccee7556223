import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Badge } from '#ui/states.tsx';

export function IngestState({ status }: { status: string }) {
  const { t } = useLingui();
  const states: Record<string, ReactNode> = {
    created: <Badge>{t`Waiting for its file`}</Badge>,
    transferring: <Badge tone="accent">{t`Uploading`}</Badge>,
    uploaded: <Badge tone="accent">{t`Waiting`}</Badge>,
    processing: <Badge tone="accent">{t`Processing`}</Badge>,
    completed: <Badge tone="ok">{t`Completed`}</Badge>,
    partial: <Badge tone="warn">{t`Partly read`}</Badge>,
    failed: <Badge tone="bad">{t`Failed`}</Badge>,
  };
  return states[status] ?? <Badge>{status}</Badge>;
}
