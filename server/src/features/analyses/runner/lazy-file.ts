import type { LocalFile } from '#platform/storage/index';

/** A local copy of the video, made when it is first needed and released at the end. */
export function openLazily(open: () => Promise<LocalFile>): { path: () => Promise<string> } & AsyncDisposable {
  let file: Promise<LocalFile> | null = null;
  return {
    async path() {
      file ??= open();
      return (await file).path;
    },
    async [Symbol.asyncDispose]() {
      const opened = await file?.catch(() => null);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
