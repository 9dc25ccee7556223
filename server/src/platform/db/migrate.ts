import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { recordDigest, verifyApplied } from './migrations/applied.ts';
import { MIGRATIONS, type MigrationFile, readMigrations } from './migrations/files.ts';
import type { ConnectionOptions } from './types.ts';

/**
 * Migrates the database to this version: numbered SQL files, forward only, each run at most once, in one transaction.
 * Several nodes may call it at the same time (the migrator holds a lock). Returns the names of the migrations that ran.
 * A file with a lower number than an applied one (two branches merged) still runs. Throws `database_too_new` if the
 * database has migrations that this version lacks, and `database_migrations_differ` if an applied migration differs
 * from its file.
 */
export async function migrate(connection: ConnectionOptions, migrations: URL = MIGRATIONS): Promise<string[]> {
  const pool = new pg.Pool({ ...connection, max: 2, application_name: 'sightline migrate' });
  // A lost connection fails the query under way. Without a listener the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const files = await readMigrations(migrations);
    await verifyApplied(db, files);
    const provider = {
      getMigrations: async () => Object.fromEntries(files.map((file) => [file.name, migration(file)])),
    };
    const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
  } finally {
    await db.destroy();
  }
}

function migration(file: MigrationFile) {
  return {
    async up(trx: Kysely<unknown>) {
      await sql.raw(file.text).execute(trx);
      await recordDigest(trx, file);
    },
  };
}
