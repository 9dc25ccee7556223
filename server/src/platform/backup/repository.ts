import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { dbProblems } from '../db/problems.ts';
import { newId } from '../ids.ts';
import type { Storage } from '../storage/index.ts';
import type { Encryption } from './encryption.ts';

const StoredObject = Type.Object({ id: Type.String(), size: Type.Integer(), sha256: Type.String() });
/** Content in the repository, with its size and digest before encryption. */
export type StoredObject = Type.Static<typeof StoredObject>;

const FileEntry = Type.Object({
  key: Type.String(),
  modified: Type.String(),
  object: StoredObject,
});
/** A file of the storage in a backup. */
export type FileEntry = Type.Static<typeof FileEntry>;

const Schema = Type.Union([Type.Literal('own'), Type.Literal('queue')]);
const Backup = Type.Object({
  format: Type.Literal(2),
  id: Type.String(),
  createdAt: Type.String(),
  version: Type.String(),
  isEncrypted: Type.Boolean(),
  database: Type.Object({
    postgresql: Type.String(),
    migrations: Type.Array(Type.Object({ name: Type.String(), digest: Type.String() })),
    queue: Type.Union([Type.Integer(), Type.Null()]),
    sequences: Type.Array(Type.Object({ schema: Schema, name: Type.String(), value: Type.String() })),
    tables: Type.Array(
      Type.Object({
        schema: Schema,
        name: Type.String(),
        columns: Type.Array(Type.String()),
        rows: Type.Integer(),
        object: StoredObject,
      }),
    ),
  }),
  files: Type.Object({ count: Type.Integer(), bytes: Type.Integer(), list: StoredObject }),
  secret: Type.Union([StoredObject, Type.Null()]),
});
/** A complete backup. It is written last, so that an interrupted one is not listed. */
export type Backup = Type.Static<typeof Backup>;

const BACKUPS = 'backups/';
const OBJECTS = 'objects/';
const PROGRESS = 'progress/';

/**
 * Backups in a folder or bucket: `backups/ID.json` describes each, `objects/…` has their content, which several share,
 * and `progress/…` what an interrupted backup has copied already.
 */
export function createRepository(storage: Storage, encryption: Encryption) {
  const keyOf = (id: string) => `${OBJECTS}${id.slice(-2)}/${id}`;

  /** Stores content of any size, as a stream. `plain`: without encryption. */
  async function put(
    content: AsyncIterable<Uint8Array>,
    { signal, plain = false }: { signal?: AbortSignal | undefined; plain?: boolean } = {},
  ): Promise<StoredObject> {
    const id = newId();
    const hash = createHash('sha256');
    let size = 0;
    async function* metered() {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    const written = plain ? metered() : await encryption.encrypt(metered());
    await storage.write(keyOf(id), Readable.from(written), signal ? { signal } : {});
    return { id, size, sha256: hash.digest('hex') };
  }

  /** Content that was stored. Its stream fails at the end if it is not what was written. */
  async function* get(
    { id, size, sha256 }: StoredObject,
    { what, plain = false }: { what: string; plain?: boolean },
  ): AsyncGenerator<Uint8Array> {
    const damaged = (why: string, cause?: unknown) =>
      dbProblems.backup_invalid(`The backup is damaged: ${what} ${why}.`, { cause });
    const stored = await storage.read(keyOf(id)).catch((error) => {
      throw error.code === 'file_not_found' ? damaged('is missing', error) : error;
    });
    const hash = createHash('sha256');
    let read = 0;
    try {
      for await (const chunk of plain ? stored : await encryption.decrypt(stored)) {
        hash.update(chunk);
        read += chunk.length;
        yield chunk;
      }
    } catch (error) {
      // A piece that the key does not authenticate.
      throw encryption.isOn && !(error as { status?: number }).status
        ? damaged('is not what was written', error)
        : error;
    } finally {
      stored.destroy();
    }
    if (read !== size || hash.digest('hex') !== sha256) throw damaged('is not what was written');
  }

  async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry> {
    for await (const line of createInterface({ input: Readable.from(content), crlfDelay: Number.POSITIVE_INFINITY })) {
      const entry: unknown = JSON.parse(line);
      if (!Check(FileEntry, entry)) throw dbProblems.backup_invalid('The list of files of the backup is damaged.');
      yield entry;
    }
  }

  async function readBackup(key: string): Promise<Backup> {
    const parsed: unknown = JSON.parse((await storage.readAll(key)).toString());
    if (Check(Backup, parsed)) return parsed;
    throw dbProblems.backup_invalid(`${key} does not describe a backup that this version of Sightline reads.`);
  }

  return {
    put,
    get,
    /** Ids of all backups, the oldest first. */
    async list(): Promise<string[]> {
      const ids: string[] = [];
      for await (const { key } of storage.list(BACKUPS))
        if (key.endsWith('.json')) ids.push(key.slice(BACKUPS.length, -'.json'.length));
      return ids.sort();
    },
    read: (id: string) => readBackup(`${BACKUPS}${id}.json`),
    /** Files of a backup. */
    files: ({ files }: Pick<Backup, 'files'>) => linesOf(get(files.list, { what: 'the list of files', plain: true })),
    async add(backup: Backup): Promise<void> {
      await storage.write(`${BACKUPS}${backup.id}.json`, Buffer.from(`${JSON.stringify(backup, null, 1)}\n`));
    },
    /** Records what was copied, so that an interrupted backup continues there. */
    async note(entries: readonly FileEntry[]): Promise<void> {
      const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      await storage.write(`${PROGRESS}${newId()}.jsonl`, Buffer.from(text));
    },
    async *noted(): AsyncGenerator<FileEntry> {
      for await (const { key } of storage.list(PROGRESS)) yield* linesOf(await storage.read(key));
    },
    forgetNotes: () => storage.removeAll(PROGRESS),
    /** Deletes all backups but the newest, and content that none of these needs. Returns the number of backups. */
    async keep(newest: number): Promise<number> {
      const ids = await this.list();
      const old = ids.slice(0, Math.max(0, ids.length - newest));
      for (const id of old) await storage.remove(`${BACKUPS}${id}.json`);
      const needed = new Set<string>();
      for (const id of ids.slice(old.length)) {
        const backup = await this.read(id);
        for (const { object } of backup.database.tables) needed.add(object.id);
        needed.add(backup.files.list.id);
        if (backup.secret) needed.add(backup.secret.id);
        for await (const { object } of this.files(backup)) needed.add(object.id);
      }
      for await (const { key } of storage.list(OBJECTS))
        if (!needed.has(key.slice(key.lastIndexOf('/') + 1))) await storage.remove(key);
      return old.length;
    },
  };
}

export type Repository = ReturnType<typeof createRepository>;
