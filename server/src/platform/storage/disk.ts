import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { createByteMeter } from './byte-meter.ts';
import { parseKey, parsePrefix } from './keys.ts';
import { isAbandoned, ownerTag } from './owner-tag.ts';
import { problems } from './problems.ts';
import type { StorageBackend } from './types.ts';

/** Folder of files being written. In the same file system as the target, so that a rename is atomic. */
const PARTIAL = '.partial';
/** Large reads and writes need fewer round trips through the thread pool. */
const CHUNK_BYTES = 512 * 1024;
const WRITE_BYTES = 2 ** 20;
const SPACE_CHECK_MS = 1000;
/** Name suffix of appendable files. They belong to no process; the caller that stores their state deletes them. */
const APPENDABLE = 'draft';
const CHECKPOINT_BYTES = 16 * 2 ** 20;

/** Storage in a folder. Leaves `reserveBytes` free, so that a database on the same disk does not run out of space. */
export async function openDisk({ dir, reserveBytes }: { dir: string; reserveBytes: number }): Promise<StorageBackend> {
  const partialDir = join(dir, PARTIAL);
  await mkdir(partialDir, { recursive: true, mode: 0o700 });
  await deleteAbandoned(partialDir);

  const toPath = (key: string) => join(dir, ...parseKey(key));
  const toPartialPath = (key: string) => join(partialDir, `${parseKey(key).join('~')}~${ownerTag()}`);

  const toAppendablePath = (key: string) => join(partialDir, `${parseKey(key).join('~')}~${APPENDABLE}`);

  let spaceCheckedAt = Number.NEGATIVE_INFINITY;
  async function requireSpace(): Promise<void> {
    if (performance.now() - spaceCheckedAt < SPACE_CHECK_MS) return;
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < reserveBytes) throw problems.storage_full();
    spaceCheckedAt = performance.now();
  }

  const storage: StorageBackend = {
    kind: 'file',

    async write(key, body, { signal, maxBytes } = {}) {
      const path = toPath(key);
      const partial = toPartialPath(key);
      const meter = createByteMeter(maxBytes);
      try {
        signal?.throwIfAborted();
        if (signal && body instanceof Readable) addAbortSignal(signal, body);
        await requireSpace();
        await writeNewFile(body, partial, meter.add, requireSpace);
        signal?.throwIfAborted();
        await publish(partial, path);
        return meter.result();
      } catch (error) {
        if (body instanceof Readable) body.destroy();
        await rm(partial, { force: true });
        throw signal?.aborted ? signal.reason : toStorageProblem(error);
      }
    },

    async append(key, { size }, body, { onCheckpoint: reportCheckpoint }) {
      const file = await openAppendable(toAppendablePath(key), size).catch((error) => {
        throw toStorageProblem(error);
      });
      let at = size;
      let durable = size;
      const checkpoint = async () => {
        if (at === durable) return;
        await file.datasync();
        await reportCheckpoint({ size: at });
        durable = at;
        await requireSpace();
      };
      try {
        await requireSpace();
        if (size === 0) await syncFolder(partialDir);
        try {
          for await (const chunk of body) {
            await file.appendFile(chunk);
            at += chunk.length;
            if (at - durable >= CHECKPOINT_BYTES) await checkpoint();
          }
        } finally {
          await checkpoint();
        }
      } catch (error) {
        throw toStorageProblem(error);
      } finally {
        await file.close();
      }
    },

    async complete(key, { size }) {
      const draft = toAppendablePath(key);
      const partialStat = await stat(draft).catch(() => null);
      if (partialStat?.size === size) await publish(draft, toPath(key));
      else if ((await storage.stat(key))?.size !== size) throw problems.file_not_found();
    },

    async read(key, { start, end, signal } = {}) {
      const handle = await open(toPath(key)).catch((error) => {
        throw toStorageProblem(error);
      });
      return createReadStream('', { fd: handle, start, end, signal, highWaterMark: CHUNK_BYTES });
    },

    readAll: (key, signal) =>
      readFile(toPath(key), { signal }).catch((error) => {
        throw toStorageProblem(error);
      }),

    async stat(key) {
      try {
        const { size, mtime } = await stat(toPath(key));
        return { size, modified: mtime };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async remove(key) {
      await rm(toPath(key), { force: true });
    },

    async removeAll(prefix) {
      const segments = parsePrefix(prefix);
      const prefixOfPartials = `${segments.join('~')}~`;
      const partials = (await readdir(partialDir)).filter((name) => name.startsWith(prefixOfPartials));
      await Promise.all(partials.map((name) => rm(join(partialDir, name), { force: true })));
      await rm(join(dir, ...segments), { recursive: true, force: true, maxRetries: 3 });
    },

    async *list(prefix) {
      const segments = prefix === '' ? [] : parsePrefix(prefix);
      yield* walk(join(dir, ...segments), segments.join('/'));
    },

    async local(key, signal) {
      signal?.throwIfAborted();
      const path = toPath(key);
      if (!(await storage.stat(key))) throw problems.file_not_found();
      return { path, [Symbol.asyncDispose]: async () => {} };
    },

    presignedUrl: async () => null,
    direct: null,
    close: async () => {},
  };
  return storage;
}

/**
 * Writes a new file in large steps and syncs it; one step is written while the next is read. `add` and `requireSpace`
 * abort by throwing.
 */
async function writeNewFile(
  body: AsyncIterable<Uint8Array> | Uint8Array,
  path: string,
  add: (bytes: Uint8Array) => void,
  requireSpace: () => Promise<void>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let chunks: Uint8Array[] = [];
  let size = 0;
  let writing = Promise.resolve();
  const write = async () => {
    await writing;
    await requireSpace();
    writing = writeWhole(file, chunks, size);
    writing.catch(() => {}); // The next `await writing` throws it.
    chunks = [];
    size = 0;
  };
  try {
    for await (const chunk of body instanceof Uint8Array ? [body] : body) {
      add(chunk);
      chunks.push(chunk);
      size += chunk.length;
      if (size >= WRITE_BYTES) await write();
    }
    await write();
    await writing;
    await file.sync();
  } finally {
    await writing.catch(() => {});
    await file.close();
  }
}

async function writeWhole(file: FileHandle, chunks: Uint8Array[], size: number): Promise<void> {
  let { bytesWritten } = await file.writev(chunks);
  if (bytesWritten === size) return;
  const rest = Buffer.concat(chunks);
  while (bytesWritten < size) bytesWritten += (await file.write(rest, bytesWritten)).bytesWritten;
}

/** Opens an appendable file and truncates it to its `size` durable bytes; later ones are from a crash. */
async function openAppendable(path: string, size: number): Promise<FileHandle> {
  const create = size === 0 ? constants.O_CREAT : 0;
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | create, 0o600);
  try {
    if ((await file.stat()).size < size) throw problems.file_not_found();
    await file.truncate(size);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Renames a synced file to its final path and syncs the folders, so that it survives a power failure. */
async function publish(partial: string, path: string): Promise<void> {
  const folder = dirname(path);
  const createdFolder = await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(partial, path);
  await syncFolder(folder);
  if (!createdFolder) return;
  for (let at = folder; at.length >= createdFolder.length; at = dirname(at)) await syncFolder(dirname(at));
}

async function syncFolder(folder: string): Promise<void> {
  // Folders cannot be opened on Windows.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes unfinished files of terminated processes. */
async function deleteAbandoned(partialDir: string): Promise<void> {
  for (const name of await readdir(partialDir)) {
    if (name.endsWith(`~${APPENDABLE}`)) continue;
    const path = join(partialDir, name);
    const found = await stat(path).catch(() => null);
    if (found && isAbandoned(name, found.mtime)) await rm(path, { force: true });
  }
}

async function* walk(folder: string, prefix: string): AsyncGenerator<{ key: string; size: number; modified: Date }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    // Beside the stored files are folders of unfinished ones.
    if (prefix === '' && entry.name.startsWith('.')) continue;
    const key = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path, key);
    else {
      const found = await stat(path).catch(() => null);
      if (found) yield { key, size: found.size, modified: found.mtime };
    }
  }
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

function toStorageProblem(error: unknown): unknown {
  if (isMissing(error)) return problems.file_not_found(undefined, { cause: error });
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOSPC', 'EDQUOT'].includes(code) ? problems.storage_full(undefined, { cause: error }) : error;
}
