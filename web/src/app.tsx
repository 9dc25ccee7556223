import { Shell } from '#frame/shell.tsx';
import { DropZone } from '#rooms/uploads/drop-zone.tsx';
import { UploadTray } from '#rooms/uploads/upload-tray.tsx';
import { UploadsProvider } from '#rooms/uploads/uploads-provider.tsx';

/** The frame with what lives on all pages: uploads continue while the user visits others. */
export function App() {
  return (
    <UploadsProvider>
      <Shell>
        <DropZone />
        <UploadTray />
      </Shell>
    </UploadsProvider>
  );
}
