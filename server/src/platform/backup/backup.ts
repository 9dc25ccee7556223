import { createGzip } from 'node:zlib';
import type { ConnectionOptions } from '../db/index.ts';
import { type ExportedTable, exportDatabase } from '../db/transfer/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Backup, FileEntry, Repository, StoredObject } from './repository.ts';

/** Files that are copied at the same time. */
const AT_ONCE = 4;
/** Copied files after which progress is recorded. */
const NOTED = 50;

export type BackupResult = {
  backup: Backup;
  /** Files whose content was copied; the others are in the repository already. */
  copied: number;
  copiedBytes: number;
  /** Files that were deleted while the backup ran. */
  vanished: number;
};

/**
 * Adds a backup of a running service to a repository: the database as of its start, then all files, of which only new
 * ones are copied. After an interruption the next one continues. Memory use does not depend on the size of files.
 */
export async function createBackup({
  connection,
  storage,
  repository,
  version,
  secret,
  isEncrypted,
  signal,
}: {
  connection: ConnectionOptions;
  storage: Storage;
  repository: Repository;
  version: string;
  /** The root secret, if it is to be stored. */
  secret: string | null;
  isEncrypted: boolean;
  signal?: AbortSignal | undefined;
}): Promise<BackupResult> {
  const createdAt = new Date();
  const known = await readKnown(repository);
  const tables: (ExportedTable & { object: StoredObject })[] = [];
  const database = await exportDatabase(
    connection,
    async (table, text, countRows) => {
      const packed = text.pipe(createGzip({ level: 4 }));
      text.once('error', (error) => packed.destroy(error));
      const object = await repository.put(packed, { signal }).finally(() => packed.destroy());
      tables.push({ ...table, rows: countRows(), object });
    },
    signal,
  );

  const files: FileEntry[] = [];
  const fresh: FileEntry[] = [];
  let copied = 0;
  let copiedBytes = 0;
  let vanished = 0;
  async function copy(key: string, size: number, modified: string): Promise<void> {
    const before = known.get(key);
    if (before && before.object.size === size && before.modified === modified) {
      files.push(before);
      return;
    }
    // Without the signal, with which a stream that nobody reads yet would fail: the write ends it.
    const content = await storage.read(key).catch((error) => {
      if (error.code === 'file_not_found') return null;
      throw error;
    });
    if (content === null) {
      vanished++;
      return;
    }
    const object = await repository.put(content, { signal }).finally(() => content.destroy());
    const entry = { key, modified, object };
    files.push(entry);
    copied++;
    copiedBytes += entry.object.size;
    if (fresh.push(entry) >= NOTED) await repository.note(fresh.splice(0));
  }

  try {
    await inParallel(storage.list(''), ({ key, size, modified }) => copy(key, size, modified.toISOString()), signal);
  } catch (error) {
    if (fresh.length > 0) await repository.note(fresh).catch(() => {});
    throw error;
  }
  files.sort((a, b) => (a.key < b.key ? -1 : 1));
  async function* lines() {
    for (const entry of files) yield Buffer.from(`${JSON.stringify(entry)}\n`);
  }
  const backup: Backup = {
    format: 2,
    id: createdAt.toISOString().replace(/[:.]/g, '-'),
    createdAt: createdAt.toISOString(),
    version,
    isEncrypted,
    database: { ...database, tables },
    files: {
      count: files.length,
      bytes: files.reduce((sum, { object }) => sum + object.size, 0),
      list: await repository.put(lines(), { signal, plain: true }),
    },
    secret: secret === null ? null : await repository.put(textOf(secret), { signal }),
  };
  await repository.add(backup);
  await repository.forgetNotes();
  return { backup, copied, copiedBytes, vanished };
}

/** Files whose content is in the repository: of the newest backup, and of one that was interrupted after it. */
async function readKnown(repository: Repository): Promise<Map<string, FileEntry>> {
  const known = new Map<string, FileEntry>();
  const newest = (await repository.list()).at(-1);
  if (newest !== undefined)
    for await (const entry of repository.files(await repository.read(newest))) known.set(entry.key, entry);
  for await (const entry of repository.noted()) known.set(entry.key, entry);
  return known;
}

async function* textOf(text: string) {
  yield Buffer.from(text);
}

/** Runs `work` on items while they are listed. All have ended before the first failure is thrown. */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let failed = false;
  const run = async () => {
    while (!failed) {
      signal?.throwIfAborted();
      const { value, done } = await iterator.next();
      if (done) return;
      await work(value);
    }
  };
  const stopping = (error: unknown) => {
    failed = true;
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => run().catch(stopping)));
  await iterator.return?.();
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
