import { Trans } from '@lingui/react/macro';
import type { Dataset } from '@sightline/sdk';
import { sightline } from '#api/client.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';

/** Asks before a dataset is deleted. `onDeleted` is called before this closes. */
export function DeleteDatasetDialog({
  dataset,
  onClose,
  onDeleted,
}: {
  /** Null: closed. */
  dataset: Dataset | null;
  onClose: () => void;
  onDeleted: () => unknown;
}) {
  return (
    <ConfirmDialog
      open={dataset !== null}
      onClose={onClose}
      title={<Trans>Delete the dataset?</Trans>}
      action={<Trans>Delete dataset</Trans>}
      look="danger"
      onConfirm={async () => {
        await sightline.deleteDataset(dataset!.id);
        await onDeleted();
      }}
    >
      <Trans>
        Its versions are deleted, and links to its download stop working. Its questions, their events and the videos
        stay.
      </Trans>
    </ConfirmDialog>
  );
}
