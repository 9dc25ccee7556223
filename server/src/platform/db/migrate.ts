import { readdir, readFile } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import type { ConnectionOptions } from './index.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

/**
 * Brings the database to this version: numbered SQL files, forward only, each run at most once, all in one transaction.
 * Any number of nodes may call it at once (the migrator holds a lock). Returns the names that ran now.
 */
export async function migrate(connection: ConnectionOptions): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: 2 }) }) });
  try {
    const { error, results } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
    if (error) throw error;
    return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
  } finally {
    await db.destroy();
  }
}

async function getMigrations() {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const load = async (name: string) => {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
    return [
      name.replace(/\.sql$/, ''),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) },
    ] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(load)));
}
