import type pg from 'pg';
import type { DatabaseFolder } from './folder.ts';
import { withClient, withSuperuser } from './postmaster.ts';
import { assertDurable } from './settings.ts';

/** An ordinary role that owns the database, so that the product has the same rights as with DATABASE_URL. */
export const ROLE = 'sightline';
export const DATABASE = 'sightline';

/** Checks the settings of the running server and creates the role and the database if they are missing. */
export async function ensureDatabase(folder: DatabaseFolder, socketDir: string, durable: boolean): Promise<void> {
  await withSuperuser(socketDir, 'postgres', async (client) => {
    if (!(await exists(client, 'select from pg_roles where rolname = $1', ROLE))) {
      await client.query(`create role ${ROLE} login`);
    }
    if (!(await exists(client, 'select from pg_database where datname = $1', DATABASE))) {
      await client.query(`create database ${DATABASE} owner ${ROLE}`);
    }
  });
  // Checked as the product's role: a setting could also be attached to the role or the database.
  if (durable)
    await withClient({ host: socketDir, user: ROLE, database: DATABASE }, (client) =>
      assertDurable(client, folder.cluster),
    );
}

async function exists(client: pg.Client, query: string, name: string): Promise<boolean> {
  return (await client.query(query, [name])).rowCount === 1;
}
