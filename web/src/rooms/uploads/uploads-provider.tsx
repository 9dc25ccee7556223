import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { refreshLibrary } from '#rooms/videos/library/library-query.ts';
import type { UploadItem } from './upload-types.ts';
import { createUploads, type Uploads } from './uploads.ts';

const UploadsContext = createContext<Uploads | null>(null);

const isUnfinished = ({ state }: UploadItem) =>
  state === 'waiting' || state === 'uploading' || state === 'finishing' || state === 'paused';

/** Keeps the uploads of this tab while the user visits other pages, and warns before the tab closes. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [uploads] = useState(() =>
    createUploads(() => {
      void refreshLibrary(queries).catch(() => {});
      void queries.invalidateQueries({ queryKey: ['folders'] });
    }),
  );
  useEffect(() => {
    void uploads.restore();
    const warn = (event: BeforeUnloadEvent) => {
      if (uploads.current().some(isUnfinished)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [uploads]);
  return <UploadsContext value={uploads}>{children}</UploadsContext>;
}

export const useUploads = (): Uploads => use(UploadsContext)!;

export function useUploadItems(): readonly UploadItem[] {
  const uploads = useUploads();
  return useSyncExternalStore(uploads.subscribe, uploads.current);
}
