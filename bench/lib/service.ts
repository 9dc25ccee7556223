import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Sightline as Client, createSightline } from '@sightline/sdk';
import { compose, type Roles, type SightlineService } from '../../server/src/compose/index.ts';
import { loadConfig } from '../../server/src/platform/config/index.ts';
import { createLog } from '../../server/src/platform/log.ts';

export type BenchmarkService = {
  sightline: SightlineService;
  baseUrl: string;
  apiKey: string;
  client: Client;
  stop: () => Promise<void>;
};

const PORT = 18_099;

/**
 * Starts the whole service in its own folder for one benchmark. `models`: folder of the detector's weights, if any;
 * `env`: further settings.
 */
export async function startService({
  models,
  port = PORT,
  env: more = {},
  roles = { api: true, worker: true },
}: {
  models?: string;
  port?: number;
  env?: Record<string, string>;
  roles?: Roles;
} = {}): Promise<BenchmarkService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  const env = {
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_PORT: String(port),
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    SIGHTLINE_WRITES_PER_MINUTE: '1000000000',
    SIGHTLINE_WRITES_PER_DAY: '1000000000',
    SIGHTLINE_READS_PER_MINUTE: '1000000000',
    ...(models ? { SIGHTLINE_MODELS_DIR: resolve(models) } : {}),
    ...more,
  };
  const sightline = await compose(loadConfig(env, 2), createLog('error'), { roles });
  const baseUrl = (await sightline.start())!;
  const apiKey = sightline.firstKey!;
  return {
    sightline,
    baseUrl,
    apiKey,
    client: createSightline({ baseUrl, apiKey }),
    async stop() {
      await sightline.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
