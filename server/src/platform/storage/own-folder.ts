import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalFile } from './index.ts';
import { isAbandoned, ownerTag } from './owner.ts';

/** Well within the time after which a folder counts as abandoned. */
const TOUCH_MS = 10 * 60 * 1000;

/**
 * A folder of this process below `dir`, which other processes use too: what those that are gone have left there is removed first. It is touched
 * now and then, so that nobody takes it for abandoned, and goes when it is closed.
 */
export async function openOwnFolder(dir: string) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    const found = await stat(join(dir, name)).catch(() => null);
    if (found && isAbandoned(name, found.mtime)) await rm(join(dir, name), { recursive: true, force: true });
  }
  const path = join(dir, ownerTag());
  /** Makes it, also once more: whoever cleans up temporary folders may have been here. */
  const ensure = () => mkdir(path, { recursive: true, mode: 0o700 });
  await ensure();
  const touching = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), TOUCH_MS).unref();
  return {
    path,
    ensure,
    /** An empty folder in it, which goes when it is disposed of. */
    async scratch(): Promise<LocalFile> {
      await ensure();
      const made = await mkdtemp(join(path, 'scratch-'));
      return { path: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }) };
    },
    async close(): Promise<void> {
      clearInterval(touching);
      await rm(path, { recursive: true, force: true });
    },
  };
}
