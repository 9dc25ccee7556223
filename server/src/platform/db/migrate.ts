import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { recordApplied, verifyApplied } from './migrations/applied.ts';
import { MIGRATIONS, type MigrationFile, readMigrations } from './migrations/files.ts';
import type { ConnectionOptions } from './types.ts';

/**
 * Migrates the database to this version: numbered SQL files, forward only, each run at most once, in one transaction;
 * with `only`, those of an earlier state.
 * Several nodes may call it at the same time (the migrator holds a lock). Returns the names of the migrations that ran.
 * A file with a lower number than an applied one (two branches merged) still runs. Migrations of later versions are
 * accepted, so that nodes of two versions run on one database during an upgrade. Throws `database_too_new` if one of
 * them removed what this version uses, and `database_migrations_differ` if an applied migration differs from its file.
 */
export async function migrate(
  connection: ConnectionOptions,
  migrations: URL = MIGRATIONS,
  only?: readonly string[],
): Promise<string[]> {
  const pool = new pg.Pool({ ...connection, max: 2, application_name: 'sightline migrate' });
  // A lost connection fails the query under way. Without a listener the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const files = (await readMigrations(migrations)).filter(({ name }) => only?.includes(name) ?? true);
    const provider = {
      // Called while the migrator holds its lock, so that no other node migrates between the check and the migrations.
      async getMigrations(): Promise<Record<string, Migration>> {
        const later = await verifyApplied(db, files);
        // The migrator refuses applied migrations that it is not given.
        const applied = later.map((name) => [name, { up: async () => {} }] as const);
        return Object.fromEntries([...applied, ...files.map((file) => [file.name, migration(file)] as const)]);
      },
    };
    const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
  } finally {
    await db.destroy();
  }
}

function migration(file: MigrationFile): Migration {
  return {
    async up(trx: Kysely<unknown>) {
      await sql.raw(file.text).execute(trx);
      await recordApplied(trx, file);
    },
  };
}
