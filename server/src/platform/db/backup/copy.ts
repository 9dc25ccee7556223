import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK = 1 << 18;
const AT_ONCE = 16;

/** Copies a file, flushes it to disk, and returns its size and digest. Uses constant memory. */
export async function copyFlushed(source: string, target: string): Promise<{ size: number; sha256: string }> {
  await using from = await open(source, 'r');
  await using to = await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  let size = 0;
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, CHUNK, null);
    if (bytesRead === 0) break;
    const part = buffer.subarray(0, bytesRead);
    hash.update(part);
    for (let written = 0; written < bytesRead; ) written += (await to.write(part, written)).bytesWritten;
    size += bytesRead;
  }
  await to.sync();
  return { size, sha256: hash.digest('hex') };
}

/** Runs `work` on many files concurrently, so that their flushes overlap. Results are in order. */
export async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>, signal?: AbortSignal): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const runner = async () => {
    while (next < items.length) {
      signal?.throwIfAborted();
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  const stopping = (error: unknown) => {
    next = items.length;
    throw error;
  };
  const runners = Array.from({ length: AT_ONCE }, () => runner().catch(stopping));
  // All runners have ended before the first failure is thrown, so no file is written after it.
  for (const outcome of await Promise.allSettled(runners)) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}

/** Lists a folder tree as relative paths, folders before their content. Paths that match `skip` are omitted. */
export async function listTree(
  root: string,
  skip: (path: string) => boolean,
): Promise<{ folders: string[]; files: string[] }> {
  const found = { folders: [] as string[], files: [] as string[] };
  const visit = async (folder: string) => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (skip(path)) continue;
      if (entry.isDirectory()) {
        found.folders.push(path);
        await visit(path);
      } else if (entry.isFile()) found.files.push(path);
    }
  };
  await visit('');
  return found;
}
