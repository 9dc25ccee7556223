import type { TestProject } from 'vitest/node';
import { migrate } from '#platform/db/migrate';
import { admin, TEMPLATE, type TestServer } from './database.ts';

// One PostgreSQL for the whole run; each test file copies the migrated template (see `database.ts`).
export default async function setup(project: TestProject) {
  const server: TestServer = { host: '/tmp/devpg', port: 5432, user: 'app' };
  await admin(server, `drop database if exists ${TEMPLATE} with (force)`);
  await admin(server, `create database ${TEMPLATE}`);
  await migrate({ ...server, database: TEMPLATE });
  project.provide('postgres', server);
}
