import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { FolderPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Button } from '#ui/controls/button.tsx';

// Loaded when it is first opened.
const AddDialog = lazyComponent(async () => (await import('./dataset-dialogs.tsx')).AddToDatasetDialog);

/** Adds a question to a dataset, and shows the dataset. */
export function AddToDatasetButton({ batchId }: { batchId: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={FolderPlus} title={t`Add to a dataset`} onClick={() => setOpen(true)}>
        <Trans>Dataset</Trans>
      </Button>
      {open && (
        <Suspense>
          <AddDialog
            batchId={batchId}
            onClose={() => setOpen(false)}
            onDone={({ id }) => void navigate({ to: '/datasets/$datasetId', params: { datasetId: id } })}
          />
        </Suspense>
      )}
    </>
  );
}
