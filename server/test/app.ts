import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#platform/config/index';
import { createLog } from '#platform/log';
import { compose, type Roles, type SightlineService } from '../src/compose/index.ts';
import { createTestDatabase } from './database/test-database.ts';
import { type ApiClient, createApiClient } from './http.ts';

export type TestApp = {
  sightline: SightlineService;
  api: ApiClient;
  /** Its configuration; another node with the same values belongs to the same service. */
  env: Record<string, string>;
  close: () => Promise<void>;
};

/** Starts the whole service in this process, with its own database, folder and port. Close it. */
export async function startTestApp(
  env: Record<string, string> = {},
  {
    roles = { api: true, worker: true },
    through,
  }: {
    roles?: Roles;
    /** A proxy to the database server of the tests. */
    through?: { host: string; port: number };
  } = {},
): Promise<TestApp> {
  const { connection, drop } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'sightline app '));
  const given = {
    SIGHTLINE_PORT: '0',
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    SIGHTLINE_WRITES_PER_MINUTE: '1000000000',
    SIGHTLINE_WRITES_PER_DAY: '1000000000',
    SIGHTLINE_READS_PER_MINUTE: '1000000000',
    DATABASE_URL: urlOf({ ...connection, ...through }),
    ...env,
  };
  const config = loadConfig(given, availableParallelism());
  const sightline = await compose(config, createLog('silent'), { roles });
  const url = await sightline.start();
  return {
    sightline,
    api: createApiClient(url!),
    env: given,
    async close() {
      await sightline.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function urlOf(connection: Awaited<ReturnType<typeof createTestDatabase>>['connection']): string {
  const { host, port, user, password, database } = connection as Record<string, string>;
  const url = new URL(`postgres://localhost/${database}`);
  url.username = user ?? '';
  url.password = password ?? '';
  for (const [name, value] of Object.entries({ host, port })) if (value) url.searchParams.set(name, String(value));
  return url.href;
}
