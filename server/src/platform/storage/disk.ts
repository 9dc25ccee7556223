import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import type { Files } from './index.ts';
import { segmentsOf, segmentsOfPrefix } from './keys.ts';
import { createMeter } from './meter.ts';
import { isAbandoned, ownerTag } from './owner.ts';
import { problems } from './problems.ts';

/** Where files are while they arrive: in the same file system as their place, and out of every reader's sight. */
const PARTIAL = '.partial';
/** Large steps: fewer trips through the thread pool for the same bytes. */
const CHUNK_BYTES = 512 * 1024;
const STEP_BYTES = 2 ** 20;
const SPACE_CHECK_MS = 1000;
/** A file that comes in pieces belongs to no process: whoever keeps its draft decides when it goes. */
const DRAFT = 'draft';
const KEEP_BYTES = 16 * 2 ** 20;

/** Files in a folder. `reserveBytes` stay free: a database on the same disk must not be the one that finds it full. */
export async function openDisk({ dir, reserveBytes }: { dir: string; reserveBytes: number }): Promise<Files> {
  const partialDir = join(dir, PARTIAL);
  await mkdir(partialDir, { recursive: true, mode: 0o700 });
  await sweep(partialDir);

  const pathOf = (key: string) => join(dir, ...segmentsOf(key));
  const partialOf = (key: string) => join(partialDir, `${segmentsOf(key).join('~')}~${ownerTag()}`);

  const draftOf = (key: string) => join(partialDir, `${segmentsOf(key).join('~')}~${DRAFT}`);

  let hadSpaceAt = Number.NEGATIVE_INFINITY;
  async function requireSpace(): Promise<void> {
    if (performance.now() - hadSpaceAt < SPACE_CHECK_MS) return;
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < reserveBytes) throw problems.storage_full();
    hadSpaceAt = performance.now();
  }

  const storage: Files = {
    kind: 'file',

    async write(key, body, { signal, maxBytes } = {}) {
      const path = pathOf(key);
      const partial = partialOf(key);
      const meter = createMeter(maxBytes);
      try {
        signal?.throwIfAborted();
        if (signal && body instanceof Readable) addAbortSignal(signal, body);
        await requireSpace();
        await pour(body, partial, meter.take, requireSpace);
        signal?.throwIfAborted();
        await place(partial, path);
        return meter.result();
      } catch (error) {
        if (body instanceof Readable) body.destroy();
        await rm(partial, { force: true });
        throw signal?.aborted ? signal.reason : translate(error);
      }
    },

    async append(key, { size }, body, { kept }) {
      const file = await openDraft(draftOf(key), size).catch((error) => {
        throw translate(error);
      });
      let at = size;
      let safe = size;
      const keep = async () => {
        if (at === safe) return;
        await file.datasync();
        await kept({ size: at });
        safe = at;
        await requireSpace();
      };
      try {
        await requireSpace();
        if (size === 0) await flush(partialDir);
        try {
          for await (const chunk of body) {
            await file.appendFile(chunk);
            at += chunk.length;
            if (at - safe >= KEEP_BYTES) await keep();
          }
        } finally {
          await keep();
        }
      } catch (error) {
        throw translate(error);
      } finally {
        await file.close();
      }
    },

    async complete(key, { size }) {
      const draft = draftOf(key);
      const arrived = await stat(draft).catch(() => null);
      if (arrived?.size === size) await place(draft, pathOf(key));
      else if ((await storage.stat(key))?.size !== size) throw problems.file_not_found();
    },

    async read(key, { start, end, signal } = {}) {
      const handle = await open(pathOf(key)).catch((error) => {
        throw translate(error);
      });
      return createReadStream('', { fd: handle, start, end, signal, highWaterMark: CHUNK_BYTES });
    },

    readAll: (key, signal) =>
      readFile(pathOf(key), { signal }).catch((error) => {
        throw translate(error);
      }),

    async stat(key) {
      try {
        const { size, mtime } = await stat(pathOf(key));
        return { size, modified: mtime };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async removeAll(prefix) {
      const segments = segmentsOfPrefix(prefix);
      const arriving = `${segments.join('~')}~`;
      const partials = (await readdir(partialDir)).filter((name) => name.startsWith(arriving));
      await Promise.all(partials.map((name) => rm(join(partialDir, name), { force: true })));
      await rm(join(dir, ...segments), { recursive: true, force: true, maxRetries: 3 });
    },

    async *list(prefix) {
      const segments = segmentsOfPrefix(prefix);
      yield* walk(join(dir, ...segments), segments.join('/'));
    },

    async local(key, signal) {
      signal?.throwIfAborted();
      const path = pathOf(key);
      if (!(await storage.stat(key))) throw problems.file_not_found();
      return { path, [Symbol.asyncDispose]: async () => {} };
    },

    presignedUrl: async () => null,
    direct: null,
    close: async () => {},
  };
  return storage;
}

/** Fills a new file in large steps, and flushes it: one is written while the next one comes. `take` and `requireSpace` end it by throwing. */
async function pour(
  body: AsyncIterable<Uint8Array> | Uint8Array,
  path: string,
  take: (bytes: Uint8Array) => void,
  requireSpace: () => Promise<void>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let step: Uint8Array[] = [];
  let size = 0;
  let writing = Promise.resolve();
  const write = async () => {
    await writing;
    await requireSpace();
    writing = writeWhole(file, step, size);
    writing.catch(() => {}); // whoever waits for it next hears of it
    step = [];
    size = 0;
  };
  try {
    for await (const chunk of body instanceof Uint8Array ? [body] : body) {
      take(chunk);
      step.push(chunk);
      size += chunk.length;
      if (size >= STEP_BYTES) await write();
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

/** Opens a draft to write after its first `size` bytes, those that are sure; what a crash has left behind them goes. */
async function openDraft(path: string, size: number): Promise<FileHandle> {
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

/** Gives a complete file its name, so that it survives a power cut: the file was flushed, now the folders are. */
async function place(partial: string, path: string): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(partial, path);
  await flush(folder);
  if (!made) return;
  for (let at = folder; at.length >= made.length; at = dirname(at)) await flush(dirname(at));
}

async function flush(folder: string): Promise<void> {
  // Windows has no such thing as a folder that can be opened.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what processes that are gone have left half written. */
async function sweep(partialDir: string): Promise<void> {
  for (const name of await readdir(partialDir)) {
    if (name.endsWith(`~${DRAFT}`)) continue;
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
    const key = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path, key);
    else {
      const found = await stat(path).catch(() => null);
      if (found) yield { key, size: found.size, modified: found.mtime };
    }
  }
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

function translate(error: unknown): unknown {
  if (isMissing(error)) return problems.file_not_found(undefined, { cause: error });
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOSPC', 'EDQUOT'].includes(code) ? problems.storage_full(undefined, { cause: error }) : error;
}
