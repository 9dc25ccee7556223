import { useSyncExternalStore } from 'react';
import { queries } from '#api/queries.ts';
import { refreshLibrary } from '#rooms/videos/library/library-query.ts';
import type { UploadItem } from './upload-types.ts';
import { createUploads, type Uploads } from './uploads.ts';

const uploads = createUploads(() => {
  void refreshLibrary(queries).catch(() => {});
  void queries.invalidateQueries({ queryKey: ['folders'] });
});

/** The uploads of this tab. They continue while the user visits other pages. */
export const useUploads = (): Uploads => uploads;

export const useUploadItems = (): readonly UploadItem[] => useSyncExternalStore(uploads.subscribe, uploads.current);
