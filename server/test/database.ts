import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionOptions } from '#platform/db/index';

export type TestServer = { host: string; port: number; user: string; password?: string };

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer;
  }
}

/** Name of the migrated database that every test database is a copy of. */
export const TEMPLATE = 'sightline_template';

/** A database of its own, already migrated, for one test file: a copy of the template, made in milliseconds. */
export async function createTestDatabase(): Promise<{ connection: ConnectionOptions; drop: () => Promise<void> }> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  await admin(server, `create database ${database} template ${TEMPLATE}`);
  return {
    connection: { ...server, database },
    drop: () => admin(server, `drop database if exists ${database} with (force)`),
  };
}

/** Runs one statement on the maintenance database. */
export async function admin(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
