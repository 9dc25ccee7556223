import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandoned, ownerTag } from './owner-tag.ts';
import type { LocalFile } from './types.ts';

/** Much shorter than the age at which a folder counts as abandoned. */
const TOUCH_MS = 10 * 60 * 1000;

/**
 * Creates a folder for this process below `dir`, which processes share, and deletes folders of terminated ones. The
 * folder is touched regularly, so that others do not treat it as abandoned, and deleted on close.
 */
export async function openProcessFolder(dir: string) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    const entry = await stat(join(dir, name)).catch(() => null);
    if (entry && isAbandoned(name, entry.mtime)) await rm(join(dir, name), { recursive: true, force: true });
  }
  const path = join(dir, ownerTag());
  /** Creates the folder. Called again before use, because a cleanup of temporary folders may have deleted it. */
  const ensure = () => mkdir(path, { recursive: true, mode: 0o700 });
  await ensure();
  const touchTimer = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), TOUCH_MS).unref();
  return {
    path,
    ensure,
    /** Creates an empty subfolder, deleted on disposal. */
    async scratch(): Promise<LocalFile> {
      await ensure();
      const folder = await mkdtemp(join(path, 'scratch-'));
      return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
    },
    async close(): Promise<void> {
      clearInterval(touchTimer);
      await rm(path, { recursive: true, force: true });
    },
  };
}
