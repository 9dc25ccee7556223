import { useLingui } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { Badge } from '#ui/states.tsx';

export function SessionState({ session: { status, connected } }: { session: LiveSessionSummary }) {
  const { t } = useLingui();
  switch (status) {
    case 'INITIALIZING':
      return <Badge>{t`Connecting`}</Badge>;
    case 'ACTIVE':
      return connected ? <Badge tone="accent">{t`Live`}</Badge> : <Badge tone="warn">{t`Reconnecting`}</Badge>;
    case 'ENDING':
      return <Badge>{t`Ending`}</Badge>;
    case 'FINISHED':
      return <Badge tone="ok">{t`Ended`}</Badge>;
    case 'FAILED':
      return <Badge tone="bad">{t`Failed`}</Badge>;
  }
}
