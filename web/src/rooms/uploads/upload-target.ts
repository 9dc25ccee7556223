import { useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { useCallback, useSyncExternalStore } from 'react';
import type { ChosenFile, UploadTarget } from './upload-types.ts';
import { useUploads } from './use-uploads.ts';

const KEY = 'sightline.upload-scope';
const listeners = new Set<() => void>();

/** The scope of new videos outside of folders, stored in this browser. */
export function useUploadScope(): ['user' | 'org', (scope: 'user' | 'org') => void] {
  const scope = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (localStorage.getItem(KEY) === 'user' ? 'user' : 'org'),
  );
  const setScope = useCallback((next: 'user' | 'org') => {
    localStorage.setItem(KEY, next);
    for (const listener of listeners) listener();
  }, []);
  return [scope, setScope];
}

/** Where new videos go: the folder that the library shows, else the chosen scope. */
export function useUploadTarget(): UploadTarget {
  const { folder } = useSearch({ strict: false });
  const [scope] = useUploadScope();
  return folder ? { folderId: folder } : { scope };
}

/** Queues chosen files for upload into the folder that is shown. */
export function useAddFiles(): (files: readonly ChosenFile[]) => void {
  const { t } = useLingui();
  const uploads = useUploads();
  const target = useUploadTarget();
  return (files) =>
    uploads.addFiles(files, target, {
      notVideo: t`This is not a video.`,
      lonelySidecar: t`No video of this name was added with it.`,
    });
}
