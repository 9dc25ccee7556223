import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { CATALOG, createModelConverter, createModelFolder } from '#engine/index';
import { buildConsole } from '#features/console/build';
import { embeddedFolder } from '#platform/db/connect';
import { openDatabase } from '#platform/db/database';
import { startEmbedded } from '#platform/db/embedded/index';
import { DATABASE } from '#platform/db/embedded/prepare';
import { migrate } from '#platform/db/migrate';
import type { ConnectionOptions } from '#platform/db/types';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { JOB_DEFINITIONS } from '../src/compose/infrastructure.ts';
import { copyFolder, modelsFolder } from './database/data-template.ts';
import { runAsAdmin, TEMPLATE_DATABASE, type TestServer } from './database/test-database.ts';
import { findFootage, modelsBeside, serviceModels } from './find-footage.ts';
import { findPrograms, type Tier } from './programs.ts';

const BUILD_MS = 300_000;

/** Resources of a run that all tiers except `unit` share. */
type Resources = Pick<ProvidedContext, 'folder' | 'postgres' | 'dataTemplate'>;
type Shared = { users: number; resources: Promise<{ provided: Resources; close: () => Promise<void> }> };

// Each project of Vitest loads this module, so that its variables are not shared.
const SHARED = Symbol.for('sightline.test-resources');
const run = globalThis as { [SHARED]?: Shared };

/**
 * One PostgreSQL for the whole run: the one DATABASE_URL names (its role may create databases), or an embedded one in a
 * temporary folder. Each test file copies the template (see `test-database.ts`), which is migrated and has queues.
 * Started services always use the embedded one: each copies the data folder that `data-template.ts` describes. So a run
 * with DATABASE_URL tests both.
 */
export default async function setup(project: TestProject) {
  const ci = process.env.CI === 'true';
  project.provide('programs', findPrograms({ ci, tier: project.name as Tier }));
  const footage = findFootage({ ci, given: process.env.SIGHTLINE_TEST_FOOTAGE });
  project.provide('footage', footage);
  const { mode } = project.vite.config;
  // `vitest --mode crash` is `npm run crash`.
  project.provide('crashRounds', mode === 'crash' ? 30 : 3);
  project.provide('webhookKills', mode === 'crash' ? 100 : 6);
  // `vitest --mode chaos` is `npm run chaos`: rounds of each topology.
  project.provide('chaosRounds', mode === 'chaos' ? 15 : 1);
  // And `vitest --mode fuzz` is `npm run fuzz`.
  project.provide('fuzzMinutes', mode === 'fuzz' ? 20 : 0);
  // And `vitest --mode recipes` runs what contributing.world.test adds, which shows no console.
  run[SHARED] ??= { users: 0, resources: open({ footage, needsConsole: mode !== 'recipes' }) };
  const shared = run[SHARED];
  shared.users++;
  const { provided, close } = await shared.resources;
  for (const name of ['folder', 'postgres', 'dataTemplate'] as const) project.provide(name, provided[name]);
  return async () => {
    if (--shared.users === 0) await close();
  };
}

async function open({ footage, needsConsole }: { footage: string | null; needsConsole: boolean }): Shared['resources'] {
  // Once for all services that tests start.
  if (needsConsole) await buildConsole(AbortSignal.timeout(BUILD_MS));
  const folder = await mkdtemp(join(tmpdir(), 'sightline test '));
  if (footage !== null) await linkServiceModels(footage, serviceModels(folder));
  const dataTemplate = await createDataTemplate(folder);
  const { server, migrated, stop } = process.env.DATABASE_URL
    ? given(process.env.DATABASE_URL)
    : await embedded(folder, dataTemplate);
  const close = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await runAsAdmin(server, `drop database if exists ${TEMPLATE_DATABASE} with (force)`);
    await runAsAdmin(server, `create database ${TEMPLATE_DATABASE} ${migrated ? `template ${migrated}` : ''}`);
    if (!migrated) await prepare({ ...server, database: TEMPLATE_DATABASE });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    provided: { folder, postgres: server, dataTemplate },
    close: async () => {
      await runAsAdmin(server, `drop database if exists ${TEMPLATE_DATABASE} with (force)`);
      await close();
    },
  };
}

/** Migrates a database, and creates the tables of its queue. */
async function prepare(connection: ConnectionOptions): Promise<void> {
  await migrate(connection);
  const log = createLog('warn');
  const database = openDatabase(connection, log);
  const jobs = createJobs({ database, log, definitions: JOB_DEFINITIONS });
  try {
    await jobs.queues();
  } finally {
    await jobs.close();
    await database.close();
  }
}

/** `migrated` is the name of a migrated database, if the server has one. */
type Started = { server: TestServer; migrated?: string; stop: () => Promise<void> };

function given(url: string): Started {
  const { host, port, user, password } = new pg.Client(url);
  return { server: { host, port, user: user ?? 'postgres', password: password ?? undefined }, stop: async () => {} };
}

async function embedded(folder: string, dataTemplate: string): Promise<Started> {
  await copyFolder(embeddedFolder(dataTemplate), embeddedFolder(folder));
  const postgres = await startEmbedded(embeddedOptions(folder));
  const { host, port, user } = postgres.administration;
  // Tests run as the product does, as an ordinary role; this one may also make databases.
  await runAsAdmin({ host, port, user }, 'alter role sightline createdb');
  return {
    server: { host, port, user: postgres.connection.user },
    migrated: DATABASE,
    stop: async () => {
      await postgres.stop();
    },
  };
}

/** Makes a data folder with a migrated database and converted models. Returns its path. */
async function createDataTemplate(folder: string): Promise<string> {
  const dataTemplate = join(folder, 'template');
  await mkdir(dataTemplate);
  await convertModels(modelsFolder(dataTemplate));
  const { connection, stop } = await startEmbedded(embeddedOptions(dataTemplate));
  try {
    await prepare(connection);
  } finally {
    await stop();
  }
  return dataTemplate;
}

/**
 * Links the weights in a folder for services, except those of the speech recognizer: no test of a service has speech,
 * and each one would try them, which costs 3 s of CPU.
 */
async function linkServiceModels(footage: string, folder: string): Promise<void> {
  const weights = modelsBeside(footage);
  await mkdir(folder);
  for (const name of await readdir(weights))
    if (!name.startsWith('whisper')) await symlink(join(weights, name), join(folder, name));
}

/** Converts the models of packages, except detectors, which tests choose: each service would convert them again. */
async function convertModels(folder: string): Promise<void> {
  const models = createModelFolder(folder, createModelConverter({ log: createLog('warn') }));
  for (const model of CATALOG.filter(({ task }) => task !== 'objects'))
    for (const file of model.files) if (file.packaged) await models.locate(model, file);
}

const embeddedOptions = (folder: string) =>
  ({ dir: embeddedFolder(folder), log: createLog('warn'), mode: 'own', durable: false }) as const;
