import { Trans } from '@lingui/react/macro';
import { GitCompare } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Button } from '#ui/controls/button.tsx';
import type { ComparedQuery } from './compare-dialog.tsx';

// Loaded when it is first opened.
const CompareDialog = lazyComponent(async () => (await import('./compare-dialog.tsx')).CompareDialog);

/** Opens the comparison of a changed query. */
export function CompareButton({ compared }: { compared: ComparedQuery }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={GitCompare} className="justify-self-start" onClick={() => setOpen(true)}>
        <Trans>Compare a change</Trans>
      </Button>
      {open && (
        <Suspense>
          <CompareDialog compared={compared} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
