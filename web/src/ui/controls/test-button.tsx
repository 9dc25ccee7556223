import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from './button.tsx';

/** Tests a connection, and is busy until that has ended. `name` is what a screen reader calls it. */
export function TestButton({ name, onTest }: { name: string; onTest: () => Promise<void> }) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      look="ghost"
      busy={busy}
      aria-label={t`Test ${name}`}
      onClick={() => {
        setBusy(true);
        void onTest().finally(() => setBusy(false));
      }}
    >
      <Trans>Test</Trans>
    </Button>
  );
}
