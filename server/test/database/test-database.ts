import { randomBytes } from 'node:crypto';
import pRetry from 'p-retry';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '#platform/db/database';
import type { ConnectionOptions, Database } from '#platform/db/index';
import { createLog } from '#platform/log';

export type TestServer = { host: string; port: number; user: string; password?: string };

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer;
  }
}

/** Name of the migrated database that every test database is a copy of. */
export const TEMPLATE_DATABASE = 'sightline_template';

/** A database of its own, already migrated, for one test file: a copy of the template, made in milliseconds. */
export async function createTestDatabase(): Promise<{ connection: ConnectionOptions; drop: () => Promise<void> }> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  await runAsAdmin(server, `create database ${database} template ${TEMPLATE_DATABASE}`);
  return {
    connection: { ...server, database },
    drop: () => dropDatabase(server, database),
  };
}

/** A test database with an open pool; `close` closes the pool and drops the database. */
export async function openTestDatabase(): Promise<{
  database: Database;
  connection: ConnectionOptions;
  close: () => Promise<void>;
}> {
  const { connection, drop } = await createTestDatabase();
  const database = openDatabase(connection, createLog('silent'));
  return {
    database,
    connection,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** PostgreSQL refuses to drop a database while an autovacuum worker, which belongs to a superuser, is in it. */
const dropDatabase = (server: TestServer, database: string): Promise<void> =>
  pRetry(() => runAsAdmin(server, `drop database if exists ${database} with (force)`), {
    retries: 20,
    minTimeout: 250,
    factor: 1,
    shouldRetry: ({ error }) => (error as { code?: string }).code === '42501',
  });

/** Runs one statement on the maintenance database. */
export async function runAsAdmin(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
