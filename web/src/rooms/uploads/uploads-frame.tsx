import { useEffect } from 'react';
import { DropZone } from './drop-zone.tsx';
import { UploadTray } from './upload-tray.tsx';
import type { UploadItem } from './upload-types.ts';
import { useUploads } from './use-uploads.ts';

const isUnfinished = ({ state }: UploadItem) =>
  state === 'waiting' || state === 'uploading' || state === 'finishing' || state === 'paused';

/** The uploads on all pages: takes dropped files, shows the progress, and warns before the tab closes. */
export function UploadsFrame() {
  const uploads = useUploads();
  useEffect(() => {
    void uploads.restore();
    const warn = (event: BeforeUnloadEvent) => {
      if (uploads.current().some(isUnfinished)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [uploads]);
  return (
    <>
      <DropZone />
      <UploadTray />
    </>
  );
}
