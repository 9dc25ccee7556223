import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ConnectionOptions } from '../db/index.ts';
import { importDatabase } from '../db/transfer/index.ts';
import { Problem } from '../problem.ts';
import type { Storage } from '../storage/index.ts';
import { inParallel } from './backup.ts';
import type { Backup, Repository, StoredObject } from './repository.ts';

/**
 * Restores files, then the database, which is filled in one transaction. All content is compared with its digest. After
 * an interruption the next one leaves out files that are there with their size.
 */
export async function restoreBackup({
  backup,
  repository,
  storage,
  connection,
  signal,
}: {
  backup: Backup;
  repository: Repository;
  storage: Storage;
  connection: ConnectionOptions;
  signal?: AbortSignal | undefined;
}): Promise<{ copied: number }> {
  let copied = 0;
  await inParallel(
    repository.files(backup),
    async ({ key, object }) => {
      if ((await storage.stat(key))?.size === object.size) return;
      await storage.write(key, Readable.from(repository.get(object, { what: key })), signal ? { signal } : {});
      copied++;
    },
    signal,
  );
  await importDatabase(
    connection,
    backup.database,
    async ({ schema, name }) => {
      const { tables } = backup.database;
      const { object } = tables.find((table) => table.schema === schema && table.name === name)!;
      return unpack(repository, object, `the table ${name}`);
    },
    signal,
  );
  return { copied };
}

/** Reads all content of a backup. Returns what is missing or not what was written, at most `limit` sentences. */
export async function verifyBackup(
  { backup, repository, signal }: { backup: Backup; repository: Repository; signal?: AbortSignal | undefined },
  limit = 20,
): Promise<string[]> {
  const faults: string[] = [];
  async function check(object: StoredObject, what: string): Promise<void> {
    try {
      for await (const _ of repository.get(object, { what })) signal?.throwIfAborted();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'backup_invalid') throw error;
      if (faults.length < limit) faults.push(error.message);
    }
  }
  for (const { name, object } of backup.database.tables) await check(object, `the table ${name}`);
  if (backup.secret) await check(backup.secret, 'the root secret');
  await inParallel(repository.files(backup), ({ key, object }) => check(object, key), signal);
  return faults;
}

/** The stream of compressed content. */
function unpack(repository: Repository, object: StoredObject, what: string): Readable {
  const unpacked = createGunzip();
  // A failure of one destroys the other, and its reader gets it.
  pipeline(Readable.from(repository.get(object, { what })), unpacked, () => {});
  return unpacked;
}
