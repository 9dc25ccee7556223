import { useLingui } from '@lingui/react/macro';
import { FolderPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import type { ClipRange } from './dataset-dialogs.tsx';

// Loaded when it is first opened.
const AddDialog = lazyComponent(async () => (await import('./dataset-dialogs.tsx')).AddClipDialog);

/** Adds a range of a video to a dataset. */
export function AddClipButton({ clip }: { clip: ClipRange }) {
  const { t } = useLingui();
  const { show } = useToasts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        icon={FolderPlus}
        label={t`Add the clip to a dataset`}
        disabled={clip.start >= clip.end}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <AddDialog
            clip={clip}
            onClose={() => setOpen(false)}
            onDone={({ name }) => show(t`The clip was added to “${name}”`)}
          />
        </Suspense>
      )}
    </>
  );
}
