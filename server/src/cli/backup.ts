import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Backup,
  createBackup,
  createBackupKey,
  createEncryption,
  createRepository,
  restoreBackup,
  verifyBackup,
} from '#platform/backup/index';
import { toStorageConfig } from '#platform/config/index';
import { backupEmbedded, restoreEmbedded } from '#platform/db/backup/index';
import { embeddedFolder } from '#platform/db/connect';
import { openConfiguredDatabase } from '#platform/db/index';
import { MIGRATIONS, readMigrations } from '#platform/db/migrations/files';
import { dbProblems } from '#platform/db/problems';
import { isInUse } from '#platform/db/transfer/index';
import { createJobs } from '#platform/jobs/index';
import { createStorage } from '#platform/storage/index';
import { JOB_DEFINITIONS } from '../compose/infrastructure.ts';
import { VERSION } from '../version.ts';
import type { Context } from './types.ts';

const SECRET = 'secret';
/** Manifest of a copy that `--database-only` made. */
const BASE_BACKUP = 'backup.json';

export type BackupOptions = { recipient?: string; keep?: number; databaseOnly?: boolean };
export type RestoreOptions = { identity?: string; backup?: string };

/** Adds a backup of the database and the files to a folder or bucket. A running service continues. */
export async function backup(context: Context, target: string, options: BackupOptions): Promise<void> {
  if (options.databaseOnly) return backupDatabaseFiles(context, target);
  const { config, log, interrupted: signal } = context;
  if (!config.databaseUrl && !existsSync(embeddedFolder(config.dataDir)))
    throw dbProblems.backup_source_missing(`There is no database in ${embeddedFolder(config.dataDir)}.`);
  const encryption = await createEncryption({ recipient: options.recipient });
  await using opened = new AsyncDisposableStack();
  const repository = await openRepository(context, target, encryption, opened);
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 1, signal });
  opened.defer(() => database.close());
  const storage = await createStorage(config.storage, { dataDir: config.dataDir, removesAbandoned: false });
  opened.defer(() => storage.close());
  const stored = await readFile(join(config.dataDir, SECRET), 'utf8').catch(() => null);
  // A reader of a bucket without encryption must not be able to sign URLs.
  const secret = encryption.isOn || !target.startsWith('s3://') ? stored : null;
  const { connection } = database;
  const isEncrypted = encryption.isOn;
  const result = await createBackup({ connection, storage, repository, version: VERSION, secret, isEncrypted, signal });
  const { id, files, database: copy } = result.backup;
  const rows = copy.tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `Backed up ${files.count} files, ${megabytes(files.bytes)} MB, and ${rows} rows into ${target} as ${id}.`,
    `${result.copied} files, ${megabytes(result.copiedBytes)} MB, were new.`,
    ...(result.vanished > 0 ? [`${result.vanished} files were deleted meanwhile.`] : []),
    ...(stored !== null && secret === null
      ? [`The root secret is not in it, because it is not encrypted: keep ${join(config.dataDir, SECRET)} elsewhere.`]
      : []),
    ...(stored === null && config.secret !== null ? ['SIGHTLINE_SECRET is not in it: keep it elsewhere.'] : []),
  ];
  if (options.keep !== undefined) {
    const removed = await repository.keep(options.keep);
    if (removed > 0) lines.push(`${removed} earlier backups were deleted.`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Copies the files of the embedded database, without videos, into a new folder. */
async function backupDatabaseFiles({ config, log, interrupted }: Context, folder: string): Promise<void> {
  if (config.databaseUrl) throw dbProblems.backup_not_embedded();
  const dir = embeddedFolder(config.dataDir);
  const { files, bytes } = await backupEmbedded({ dir, target: folder, log, signal: interrupted });
  await ignoreMissing(copyFile(join(config.dataDir, SECRET), join(folder, SECRET)));
  process.stdout.write(
    `Backed up ${files} files of the database, ${megabytes(bytes)} MB, into ${folder}. Copy videos and images after it.\n`,
  );
}

/** Restores a backup into an empty database and storage. */
export async function restore(context: Context, source: string, options: RestoreOptions): Promise<void> {
  const { config, log, interrupted: signal } = context;
  if (!source.startsWith('s3://') && existsSync(join(source, BASE_BACKUP)))
    return restoreDatabaseFiles(context, source);
  const { repository, backup } = await openBackup(context, source, options);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => repository.close());
  const migrations = await requireKnown(backup);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2, signal, migrations });
  opened.defer(() => database.close());
  const { connection } = database;
  if (await isInUse(connection))
    throw dbProblems.restore_target_exists(
      'The database is in use already. Restore into an empty one: another DATABASE_URL, or an empty data folder (SIGHTLINE_DATA_DIR).',
    );
  if (backup.database.queue !== null) {
    const jobs = createJobs({ database, log, definitions: JOB_DEFINITIONS });
    await jobs.queues().finally(() => jobs.close());
  }
  const storage = await createStorage(config.storage, { dataDir: config.dataDir, removesAbandoned: false });
  opened.defer(() => storage.close());
  const { copied } = await restoreBackup({ backup, repository, storage, connection, signal });
  if (backup.secret) {
    const text = Buffer.concat(await Array.fromAsync(repository.get(backup.secret, { what: 'the root secret' })));
    await writeFile(join(config.dataDir, SECRET), text, { mode: 0o600 });
  }
  process.stdout.write(
    `Restored the backup of ${backup.createdAt}: ${backup.files.count} files, ${copied} of them copied now, and the database.\n${
      backup.secret
        ? ''
        : 'The root secret is not in it: set SIGHTLINE_SECRET to that of the service, or put its file into the data folder.\n'
    }`,
  );
}

/** Reads all content of a backup and compares it with its digests. */
export async function verify(context: Context, source: string, options: RestoreOptions): Promise<void> {
  const { repository, backup } = await openBackup(context, source, options);
  try {
    const faults = await verifyBackup({ backup, repository, signal: context.interrupted });
    if (faults.length > 0) throw dbProblems.backup_invalid(faults.join('\n'));
    process.stdout.write(
      `The backup of ${backup.createdAt} is intact: ${backup.files.count} files and ${backup.database.tables.length} tables.\n`,
    );
  } finally {
    await repository.close();
  }
}

/** Prints a new key pair for encrypted backups. */
export async function printBackupKey(): Promise<void> {
  const { identity, recipient } = await createBackupKey();
  process.stdout.write(`# public key: ${recipient}\n${identity}\n`);
}

async function openRepository(
  { config }: Context,
  target: string,
  encryption: Awaited<ReturnType<typeof createEncryption>>,
  opened: AsyncDisposableStack,
) {
  const { endpoint, region } = config.storage.kind === 's3' ? config.storage : { endpoint: null, region: 'us-east-1' };
  const location = target.startsWith('s3://') ? target : `file:${target}`;
  const place = toStorageConfig({ location, endpoint, region }, config.dataDir);
  const storage = await createStorage(place, { dataDir: config.dataDir, removesAbandoned: false });
  opened.defer(() => storage.close());
  return createRepository(storage, encryption);
}

/** A backup of a repository, the newest by default. Close the repository. */
async function openBackup(context: Context, source: string, { identity: file, backup: named }: RestoreOptions) {
  if (!source.startsWith('s3://') && !existsSync(source))
    throw dbProblems.backup_invalid(`There is no folder ${source}.`);
  await using opened = new AsyncDisposableStack();
  const identity = file === undefined ? undefined : await readIdentity(file);
  const plain = await openRepository(context, source, await createEncryption({}), opened);
  const ids = await plain.list();
  const id = named ?? ids.at(-1);
  if (id === undefined || !ids.includes(id)) {
    throw dbProblems.backup_invalid(
      ids.length === 0 ? `There is no backup in ${source}.` : `There is no backup ${id}; there are ${ids.join(', ')}.`,
    );
  }
  const backup = await plain.read(id);
  if (backup.isEncrypted && identity === undefined)
    throw dbProblems.backup_invalid('The backup is encrypted: name the file of its secret key with --identity.');
  const encryption = await createEncryption(backup.isEncrypted ? { identity } : {});
  const repository = await openRepository(context, source, encryption, opened);
  const closing = opened.move();
  return { backup, repository: { ...repository, close: () => closing.disposeAsync() } };
}

/** The secret key in a file of `backup-key` or `age-keygen`. */
async function readIdentity(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw dbProblems.backup_invalid(`The key file ${file} cannot be read.`, { cause });
  });
  const found = text.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (found === undefined) throw dbProblems.backup_invalid(`${file} has no secret key (AGE-SECRET-KEY-1…).`);
  return found.trim();
}

/** The migrations of a backup, which this version must know in the same form. */
async function requireKnown({ version, database }: Backup): Promise<string[]> {
  const known = new Map((await readMigrations(MIGRATIONS)).map(({ name, digest }) => [name, digest]));
  const other = database.migrations.find(({ name, digest }) => known.get(name) !== digest);
  if (other) {
    throw dbProblems.backup_version_differs(
      `The backup was made by Sightline ${version}, whose migration ${other.name} this version (${VERSION}) does not have in that form. Restore with that version or a later one.`,
    );
  }
  return database.migrations.map(({ name }) => name);
}

/** Restores a copy that `--database-only` made into a data folder that has no database. */
async function restoreDatabaseFiles({ config, log, interrupted }: Context, folder: string): Promise<void> {
  const dir = embeddedFolder(config.dataDir);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { createdAt, bytes } = await restoreEmbedded({ source: folder, dir, log, signal: interrupted });
  await ignoreMissing(copyFile(join(folder, SECRET), join(config.dataDir, SECRET)));
  process.stdout.write(
    `Restored the database of ${createdAt}, ${megabytes(bytes)} MB, into ${config.dataDir}. Copy videos and images with your own tools.\n`,
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);

/** Ignores a missing file: an installation whose root secret comes from the environment has no secret file. */
async function ignoreMissing(copy: Promise<void>): Promise<void> {
  await copy.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
