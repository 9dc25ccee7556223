import { Trans, useLingui } from '@lingui/react/macro';
import { FileInput } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Button } from '#ui/controls/button.tsx';

// Loaded when it is first opened.
const ImportDialog = lazyComponent(async () => (await import('./import-labels-dialog.tsx')).ImportLabelsDialog);

/** Imports labels of other tools into the events of a question. */
export function ImportLabelsButton({ batchId }: { batchId: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={FileInput} title={t`Import labels of another tool`} onClick={() => setOpen(true)}>
        <Trans>Labels</Trans>
      </Button>
      {open && (
        <Suspense>
          <ImportDialog batchId={batchId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
