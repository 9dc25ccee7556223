import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Button } from '#ui/controls/button.tsx';
import type { ExportFilter } from './formats.ts';

// Loaded when it is first opened.
const ExportDialog = lazyComponent(async () => (await import('./export-dialog.tsx')).ExportDialog);

/** Exports the events of a filter. */
export function ExportButton({ filter }: { filter: ExportFilter }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Download} onClick={() => setOpen(true)}>
        <Trans>Export</Trans>
      </Button>
      {open && (
        <Suspense>
          <ExportDialog onClose={() => setOpen(false)} title={<Trans>Export events</Trans>} filter={filter} />
        </Suspense>
      )}
    </>
  );
}
