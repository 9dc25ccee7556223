import { appendFileSync, existsSync, openAsBlob } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createSightline, type Sightline } from '@sightline/sdk';
import { inject } from 'vitest';
import { freePort } from '../../server/src/platform/net/index.ts';
import { copyFolder } from '../../server/test/database/data-template.ts';
import { SERVICE_MODELS } from '../../server/test/footage.ts';
import { type ApiResponse, type CallOptions, createApiClient } from '../../server/test/http.ts';
import { OBSERVATIONS } from '../../server/test/shared-observations.ts';
import { begin, type CommandOptions, launch, type RunningCommand } from './command.ts';
import { STARTED_SERVICES } from './end-services.ts';
import { endTree, killTree } from './processes.ts';
import { REPOSITORY } from './repository.ts';

const SHARING_NODE = join(REPOSITORY, 'acceptance/harness/sharing-node.ts');

/** The operator's key of every service that the tests start. */
export const KEY = `sk_${'acceptance0test0key'.repeat(3)}`;

export type Service = {
  url: string;
  /** The operator's key. */
  key: string;
  dataDir: string;
  pid: number;
  command: RunningCommand;
  /** The environment of the service, for commands beside it. */
  env: Record<string, string>;
  sdk: Sightline;
  /** Sends one request with the operator's key, unless another key (or `null` for none) is given. */
  call(
    method: string,
    path: string,
    options?: Omit<CallOptions, 'key'> & { key?: string | null },
  ): Promise<ApiResponse>;
  /** Uploads a file from disk. Returns the id of the video. */
  upload(path: string, name?: string): Promise<string>;
  /** Ends the service as a service manager does, without removing anything. */
  stop(): Promise<number | NodeJS.Signals>;
  /** Kills all processes of the service, including the database. */
  kill(): Promise<void>;
};

/** A new folder for all files of a test file; its path contains a space. Remove it with `remove`. */
export async function makeFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sightline acceptance '));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/**
 * Makes a data folder with an empty, migrated database, if there is none yet, so that a start does not create it.
 * The tests of first starts (`lifecycle`, `commands`, `console/first-run`) do without it.
 */
export async function prepareData(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) await copyFolder(inject('dataTemplate'), dataDir);
}

/** Environment of a service: a free port, a data folder, a key, and model weights from disk or none. */
export async function environment(dataDir: string): Promise<Record<string, string>> {
  return {
    SIGHTLINE_PORT: String(await freePort()),
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_BOOTSTRAP_KEY: KEY,
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    // Without its weights nothing is detected: the detector of the installation would examine the videos of all tests.
    SIGHTLINE_DETECTOR: 'yolox_nano',
    SIGHTLINE_WRITES_PER_MINUTE: '1000000000',
    SIGHTLINE_WRITES_PER_DAY: '1000000000',
    SIGHTLINE_READS_PER_MINUTE: '1000000000',
    ...(SERVICE_MODELS ? { SIGHTLINE_MODELS_DIR: SERVICE_MODELS } : {}),
  };
}

/**
 * Starts the whole product as users do and waits until it is ready. Unless `fresh`, a missing data folder is one that
 * `prepareData` makes. With `sharesObservations`, it does not observe clips that another node of the run observed.
 * With SIGHTLINE_TEST_URL and SIGHTLINE_TEST_KEY (an admin's), that running service is used: for tests that do
 * nothing to its processes and files.
 */
export async function startService(
  dataDir: string,
  {
    env: more,
    fresh = false,
    sharesObservations = false,
    ...options
  }: CommandOptions & { fresh?: boolean; sharesObservations?: boolean } = {},
): Promise<Service> {
  const { SIGHTLINE_TEST_URL: given, SIGHTLINE_TEST_KEY: key } = process.env;
  if (given && key) return runningService(given.replace(/\/+$/, ''), key);
  const env = { ...(await environment(dataDir)), ...more };
  if (!fresh) await prepareData(dataDir);
  const command = sharesObservations
    ? launch(process.execPath, [SHARING_NODE, join(inject('folder'), OBSERVATIONS)], { ...options, env })
    : begin(['start'], { ...options, env });
  appendFileSync(join(inject('folder'), STARTED_SERVICES), `${command.pid}\n`);
  await command.says('is ready');
  const url = `http://localhost:${env.SIGHTLINE_PORT}`;
  return {
    ...clientsOf(url, env.SIGHTLINE_BOOTSTRAP_KEY!),
    dataDir,
    pid: command.pid,
    command,
    env,
    async stop() {
      await endTree(command.pid);
      return command.ended;
    },
    kill: () => killTree(command.pid),
  };
}

/** Clients of a service. */
function clientsOf(url: string, operatorsKey: string) {
  const sdk = createSightline({ baseUrl: url, apiKey: operatorsKey });
  const { call } = createApiClient(url);
  return {
    url,
    key: operatorsKey,
    sdk,
    call: (method, path, { key = operatorsKey, ...options } = {}) =>
      call(method, path, { ...options, ...(key === null ? {} : { key }) }),
    async upload(path, name = basename(path)) {
      const { video_id } = await sdk.upload(await openAsBlob(path), { name });
      await sdk.ready(video_id, { signal: AbortSignal.timeout(60_000) });
      return video_id;
    },
  } satisfies Partial<Service>;
}

function runningService(url: string, key: string): Service {
  const nothing = () => {
    throw new Error('This test needs a service of its own: run it without SIGHTLINE_TEST_URL.');
  };
  return {
    ...clientsOf(url, key),
    env: { SIGHTLINE_BOOTSTRAP_KEY: key },
    kill: nothing,
    stop: async () => 0,
    get dataDir() {
      return nothing();
    },
    get pid() {
      return nothing();
    },
    get command() {
      return nothing();
    },
  };
}

/** Files in a service's storage as relative paths. Incomplete files are in `.partial`. */
export async function storedFiles({ dataDir }: Pick<Service, 'dataDir'>): Promise<string[]> {
  return (await filesBelow(join(dataDir, 'files'), '')).sort();
}

/** One folder at a time: a recursive `readdir` fails if the service removes a folder meanwhile. */
async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const below = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    }),
  );
  return below.flat();
}
