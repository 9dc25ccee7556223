import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#platform/config/index';
import type { ConnectionOptions } from '#platform/db/index';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { compose, type Overrides, type Roles, type SightlineService } from '../src/compose/index.ts';
import { copyModels } from './database/data-template.ts';
import { createTestDatabase } from './database/test-database.ts';
import { type ApiClient, createApiClient } from './http.ts';
import { noteNode } from './running-nodes.ts';

/** Variables of a configuration. */
export type Env = Record<string, string>;

export type TestNode = {
  sightline: SightlineService;
  api: ApiClient;
  /** Stops the node, and closes the connections that clients keep. */
  close: () => Promise<void>;
};

export type TestApp = TestNode & {
  /** Its configuration; another node with the same values belongs to the same service. */
  env: Env;
};

/** For services whose tests decode nothing: starts no process. */
export const NO_MEDIA = { close: async () => {} } as unknown as Media;

type NodeOptions = {
  roles?: Roles;
  overrides?: Overrides;
  /** Messages of this level and above are printed; none by default. */
  logLevel?: Parameters<typeof createLog>[0];
};

const UNLIMITED = '1000000000';

/** Starts a node of a service in this process. */
export async function startTestNode(
  env: Env,
  { roles = { api: true, worker: true }, overrides, logLevel = 'silent' }: NodeOptions = {},
): Promise<TestNode> {
  const config = loadConfig(env, availableParallelism());
  const sightline = await compose(config, createLog(logLevel), { roles, overrides });
  const url = await sightline.start();
  const removeNote = roles.worker ? noteNode(sightline.database) : () => {};
  return {
    sightline,
    api: createApiClient(url ?? 'http://no-api.invalid'),
    async close() {
      removeNote();
      sightline.api.server.closeAllConnections();
      await sightline.close();
    },
  };
}

/** Starts the whole service in this process, with its own database, folder and port. Close it. */
export async function startTestApp(
  env: Env = {},
  {
    through,
    ...options
  }: NodeOptions & {
    /** A proxy to the database server of the tests. */
    through?: { host: string; port: number };
  } = {},
): Promise<TestApp> {
  const { connection, drop } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'sightline app '));
  await copyModels(folder);
  const given = {
    SIGHTLINE_PORT: '0',
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    // Without its weights nothing is detected: the detector of the installation would examine the videos of all tests.
    SIGHTLINE_DETECTOR: 'yolox_nano',
    SIGHTLINE_CONSOLE: 'false',
    SIGHTLINE_WRITES_PER_MINUTE: UNLIMITED,
    SIGHTLINE_WRITES_PER_DAY: UNLIMITED,
    SIGHTLINE_READS_PER_MINUTE: UNLIMITED,
    DATABASE_URL: urlOf({ ...connection, ...through }),
    ...env,
  };
  const node = await startTestNode(given, options);
  return {
    ...node,
    env: given,
    async close() {
      await node.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** URL of a test database. */
export function urlOf(connection: ConnectionOptions): string {
  const { host, port, user, password, database } = connection as Record<string, string>;
  const url = new URL(`postgres://localhost/${database}`);
  url.username = user ?? '';
  url.password = password ?? '';
  for (const [name, value] of Object.entries({ host, port })) if (value) url.searchParams.set(name, String(value));
  return url.href;
}
