import { Trans } from '@lingui/react/macro';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { filesOfDrop } from './chosen-files.ts';
import { useAddFiles } from './upload-target.ts';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes files and folders that are dropped anywhere on the page, and shows it while they are above it. */
export function DropZone() {
  const addFiles = useAddFiles();
  const { showError } = useToasts();
  const [over, setOver] = useState(false);
  const latest = useRef(addFiles);
  latest.current = addFiles;
  const failed = useRef(showError);
  failed.current = showError;
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.type === 'drop') filesOfDrop(event.dataTransfer!).then(latest.current, failed.current);
      // Leave comes for each element that the pointer crosses, with the next one unless it leaves the window. The
      // pointer may have entered before this part of the page was loaded.
      setOver(event.type === 'dragover' || (event.type === 'dragleave' && event.relatedTarget !== null));
    };
    const events = ['dragleave', 'dragover', 'drop'] as const;
    for (const name of events) window.addEventListener(name, onDrag);
    return () => {
      for (const name of events) window.removeEventListener(name, onDrag);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-lg border-2 border-accent border-dashed bg-bg/85">
      <p className="flex items-center gap-2 text-lg">
        <Upload size={20} className="text-accent-text" aria-hidden />
        <Trans>Drop files or folders to upload them</Trans>
      </p>
    </div>
  );
}
