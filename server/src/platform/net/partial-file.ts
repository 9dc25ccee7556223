import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isAbandoned, ownerTag } from '../storage/owner-tag.ts';

/**
 * The received part of a file, in a hidden file beside it. One process owns it by its name; what a failed attempt or a
 * killed process left is taken over, so that a download continues there.
 */
export type PartialFile = {
  /** Bytes so far. */
  readonly size: number;
  /** True if the first bytes are from an earlier attempt, whose server may have had another version. */
  readonly isInherited: boolean;
  append(chunk: Uint8Array): Promise<void>;
  /** Discards all bytes. */
  clear(): Promise<void>;
  /** SHA-256 of the bytes so far, hexadecimal. */
  digest(): string;
  /** Makes it the complete file, atomically and durably. */
  complete(): Promise<void>;
  /** Closes it, for the next attempt to continue; deletes an empty one. Does nothing after `complete`. */
  release(): Promise<void>;
};

/** Opens the partial file of `path`; `version` tells files of one name apart. Creates the folder if necessary. */
export async function openPartialFile(path: string, version: string): Promise<PartialFile> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const released = join(folder, `.${basename(path)}.${version}.partial`);
  const own = `${released}-${ownerTag()}`;
  let isInherited = await takeOver(folder, released, own);
  const handle = await open(own, isInherited ? 'r+' : 'wx');
  let hash = createHash('sha256');
  let size = 0;
  if (isInherited) {
    await pipeline(createReadStream(own), hash, { end: false });
    size = (await handle.stat()).size;
  }
  let isOpen = true;

  return {
    get size() {
      return size;
    },
    get isInherited() {
      return isInherited;
    },
    async append(chunk) {
      await writeAll(handle, chunk, size);
      hash.update(chunk);
      size += chunk.byteLength;
    },
    async clear() {
      await handle.truncate(0);
      hash = createHash('sha256');
      size = 0;
      isInherited = false;
    },
    digest: () => (hash.copy() as Hash).digest('hex'),
    async complete() {
      await handle.sync();
      await handle.close();
      isOpen = false;
      await rename(own, path);
      await syncFolder(folder);
    },
    async release() {
      if (!isOpen) return;
      isOpen = false;
      await handle.close();
      if (size === 0) await rm(own, { force: true });
      else await rename(own, released);
    },
  };
}

/** Deletes what attempts at `path` have left, except files of running ones. */
export async function removePartialFiles(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`.${basename(path)}.`) && each.includes('.partial'))) {
    const left = join(folder, name);
    const facts = await stat(left).catch(() => null);
    if (facts && (name.endsWith('.partial') || isAbandoned(name, facts.mtime))) await rm(left, { force: true });
  }
}

/** Renames the largest file that an earlier attempt left to `own`. Of several processes that try, one succeeds. */
async function takeOver(folder: string, released: string, own: string): Promise<boolean> {
  const prefix = `${basename(released)}-`;
  const left: { path: string; size: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path !== released && !name.startsWith(prefix)) continue;
    const facts = await stat(path).catch(() => null);
    if (facts && (path === released || isAbandoned(name, facts.mtime))) left.push({ path, size: facts.size });
  }
  for (const { path } of left.sort((a, b) => b.size - a.size)) {
    const taken = await rename(path, own).then(
      () => true,
      () => false,
    );
    if (taken) return true;
  }
  return false;
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) {
    at += (await handle.write(chunk, at, chunk.byteLength - at, position + at)).bytesWritten;
  }
}

/** The name of a file survives a power failure only if its folder was written, too. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  // Some network file systems cannot.
  await handle.sync().catch(() => {});
}
