import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createSightline, type Sightline } from '@sightline/sdk';
import { MODELS } from '../../server/test/footage.ts';
import { type Answer, type CallOptions, client } from '../../server/test/http.ts';
import { begin, type CommandOptions, type Running } from './command.ts';
import { killAll, running, send, treeOf, until } from './processes.ts';

/** The operator's key of every service the tests start. */
export const KEY = `sk_${'acceptance0test0key'.repeat(3)}`;

export type Service = {
  url: string;
  /** The operator's key. */
  key: string;
  dataDir: string;
  pid: number;
  command: Running;
  /** The environment it was started with: for commands beside it. */
  env: Record<string, string>;
  sdk: Sightline;
  /** One request with the operator's key, unless another key (or `null` for none) is given. */
  call(method: string, path: string, options?: Omit<CallOptions, 'key'> & { key?: string | null }): Promise<Answer>;
  /** Sends a file of the disk and returns the id of the video. */
  upload(path: string, name?: string): Promise<string>;
  /** Asks it to end, as a service manager does, and removes nothing. */
  stop(): Promise<number | NodeJS.Signals>;
  /** Ends all its processes at once, the database's too. */
  kill(): Promise<void>;
};

/** A new folder for all that a test file leaves on the disk; its path has a space. Remove it with `remove`. */
export async function makeFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sightline acceptance '));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** What a service is told through its environment: a free port, a data folder, a key, and weights from the disk or none. */
export async function environment(dataDir: string): Promise<Record<string, string>> {
  return {
    SIGHTLINE_PORT: String(await freePort()),
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_BOOTSTRAP_KEY: KEY,
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    SIGHTLINE_WRITES_PER_MINUTE: '1000000000',
    SIGHTLINE_WRITES_PER_DAY: '1000000000',
    SIGHTLINE_READS_PER_MINUTE: '1000000000',
    ...(MODELS ? { SIGHTLINE_MODELS_DIR: MODELS } : {}),
  };
}

/**
 * Starts the whole product as its users do and waits until it says that it is ready. With SIGHTLINE_TEST_URL and SIGHTLINE_TEST_KEY (an admin's)
 * that service is taken as it runs: for tests that do nothing to its processes and files.
 */
export async function startService(dataDir: string, { env: more, ...options }: CommandOptions = {}): Promise<Service> {
  const { SIGHTLINE_TEST_URL: given, SIGHTLINE_TEST_KEY: key } = process.env;
  if (given && key) return runningService(given.replace(/\/+$/, ''), key);
  const env = { ...(await environment(dataDir)), ...more };
  const command = begin(['start'], { ...options, env });
  await command.says('is ready');
  const url = `http://localhost:${env.SIGHTLINE_PORT}`;
  return {
    ...clientsOf(url, env.SIGHTLINE_BOOTSTRAP_KEY!),
    dataDir,
    pid: command.pid,
    command,
    env,
    async stop() {
      const tree = treeOf(command.pid);
      send(command.pid, 'SIGTERM');
      const late = setTimeout(() => void killAll(tree), 30_000);
      const code = await command.ended;
      clearTimeout(late);
      await until(() => running(tree).length === 0, 'its processes to end');
      return code;
    },
    kill: () => killAll(treeOf(command.pid)),
  };
}

/** What speaks to a service, whoever started it. */
function clientsOf(url: string, operatorsKey: string) {
  const sdk = createSightline({ baseUrl: url, apiKey: operatorsKey });
  const { call } = client(url);
  return {
    url,
    key: operatorsKey,
    sdk,
    call: (method, path, { key = operatorsKey, ...options } = {}) =>
      call(method, path, { ...options, ...(key === null ? {} : { key }) }),
    async upload(path, name = basename(path)) {
      const { video_id } = await sdk.upload(await openAsBlob(path), { name });
      await sdk.ready(video_id, { signal: AbortSignal.timeout(20_000) });
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
    ...{ kill: nothing, stop: async () => 0 },
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

/** Files in a service's storage, as paths below it. Half-written ones are in `.partial`. */
export async function storedFiles({ dataDir }: Pick<Service, 'dataDir'>): Promise<string[]> {
  return (await filesBelow(join(dataDir, 'files'), '')).sort();
}

/** One folder at a time, for the service may take one away while it is read: a recursive `readdir` fails then. */
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
