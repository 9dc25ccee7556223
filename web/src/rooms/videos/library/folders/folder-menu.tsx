import { Trans, useLingui } from '@lingui/react/macro';
import type { Folder } from '@sightline/sdk';
import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Popover } from '#ui/overlays/popover.tsx';
import { Skeleton } from '#ui/states.tsx';
import type { FolderAction } from './folder-list.tsx';

const FolderList = lazyComponent(async () => (await import('./folder-list.tsx')).FolderList);
const FolderDialog = lazyComponent(async () => (await import('./folder-dialogs.tsx')).FolderDialog);
const ClockDialog = lazyComponent(async () => (await import('../../clock/clock-dialog.tsx')).ClockDialog);
const DeleteFolderDialog = lazyComponent(async () => (await import('./folder-dialogs.tsx')).DeleteFolderDialog);

/** The folder of the library, as the last part of its title; opens the list of folders, which is loaded only then. */
export function FolderMenu({
  folderId,
  name,
  onChoose,
}: {
  folderId: string | undefined;
  /** Name of the folder, once it is known. */
  name: string | undefined;
  onChoose: (id: string | undefined) => void;
}) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<{ action: FolderAction; folder?: Folder } | null>(null);
  const closeDialog = () => setDialog(null);
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            aria-label={t`Folder: ${name ?? t`All folders`}`}
            className="inline-flex min-w-0 items-center gap-1 rounded-md px-1.5 py-0.5 font-medium hover:bg-raise"
          >
            <span className="truncate">{name ?? <Trans>All folders</Trans>}</span>
            <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
          </button>
        }
        className="w-72 p-1"
      >
        <Suspense fallback={<Skeleton className="m-1 h-16" />}>
          <FolderList
            folderId={folderId}
            onChoose={(id) => {
              setOpen(false);
              onChoose(id);
            }}
            onAction={(action, folder) => {
              setOpen(false);
              setDialog({ action, folder });
            }}
          />
        </Suspense>
      </Popover>
      <Suspense>
        {(dialog?.action === 'create' || dialog?.action === 'rename') && (
          <FolderDialog folder={dialog.folder} onClose={closeDialog} onCreated={({ id }) => onChoose(id)} />
        )}
        {dialog?.action === 'clock' && <ClockDialog folder={dialog.folder!} onClose={closeDialog} />}
        {dialog?.action === 'delete' && (
          <DeleteFolderDialog
            folder={dialog.folder!}
            onClose={closeDialog}
            onDeleted={() => dialog.folder!.id === folderId && onChoose(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}
