import { readdir, readFile } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import type { ConnectionOptions } from './index.ts';
import { dbProblems } from './problems.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

/**
 * Brings the database to this version: numbered SQL files, forward only, each run at most once, all in one transaction.
 * Any number of nodes may call it at once (the migrator holds a lock). Returns the names that ran now.
 * Throws a Problem `database_too_new` when the database knows migrations that this version does not.
 */
export async function migrate(connection: ConnectionOptions, migrations: URL = MIGRATIONS): Promise<string[]> {
  const pool = new pg.Pool({ ...connection, max: 2, application_name: 'sightline migrate' });
  // The query under way fails; unheard, the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const known = await readMigrations(migrations);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
    await assertNotNewer(db, Object.keys(known));
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
  } finally {
    await db.destroy();
  }
}

async function readMigrations(folder: URL) {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const load = async (name: string) => {
    const text = await readFile(new URL(name, folder), 'utf8');
    const up = async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db));
    return [name.replace(/\.sql$/, ''), { up }] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(load)));
}

async function assertNotNewer(db: Kysely<unknown>, known: string[]): Promise<void> {
  const { rows: found } = await sql`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (!(found[0] as { found: boolean }).found) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const strange = rows.map(({ name }) => name).filter((name) => !known.includes(name));
  if (strange.length === 0) return;
  throw dbProblems.database_too_new(
    `The database has been brought to a newer version (${strange.join(', ')}) than this Sightline knows. Start that newer version, or restore a backup made before it.`,
  );
}
