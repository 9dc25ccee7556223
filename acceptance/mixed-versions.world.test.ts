import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSightline } from '@sightline/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { MIGRATIONS } from '../server/src/platform/db/migrations/files.ts';
import { embeddedConnection, withEmbeddedDatabase } from '../server/test/database/embedded.ts';
import { createApiClient } from '../server/test/http.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { DARK } from './harness/answers.ts';
import { begin, type RunningCommand, sightline } from './harness/command.ts';
import { checkOut, findPreviousVersion } from './harness/previous-version.ts';
import { killAll, send, treeOf, until } from './harness/processes.ts';
import { REPOSITORY } from './harness/repository.ts';
import { environment, KEY, makeFolder, prepareData } from './harness/service.ts';

/**
 * Upgrades a running service node by node: nodes of the previous version, with its own code, and nodes of this version
 * serve one database and one storage after this version migrated them.
 */
const found = await findPreviousVersion();
const previous = 'commit' in found ? found : null;
if ('missing' in found) {
  if (process.env.CI === 'true')
    throw new Error(`CI skips no tests, and the previous version is missing: ${found.missing}.`);
  console.warn(`\nSKIPPED: tests with nodes of the previous version: ${found.missing}.\n`);
}

type Role = 'api' | 'worker';
type Node = { url: string; command: RunningCommand };

let folder: Awaited<ReturnType<typeof makeFolder>>;
const started: RunningCommand[] = [];

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(async () => {
  for (const { pid } of started) await killAll(treeOf(pid));
  await folder.remove();
});

/** Environment of a node with the data folder of this name; its port is free. */
const nodeEnvironment = async (data: string): Promise<Record<string, string>> => ({
  ...(await environment(join(folder.path, data))),
  SIGHTLINE_CONSOLE: 'false',
  SIGHTLINE_MEDIA_PROCESSES: '1',
  SIGHTLINE_MODELS_DIR: join(folder.path, 'no models'),
});

/** Starts a node of this version, or of the one whose files are in `cwd`. */
async function startNode(data: string, role: Role, cwd?: string): Promise<Node> {
  const env = await nodeEnvironment(data);
  const command = begin(['start', '--only', role], { env, cwd });
  started.push(command);
  await command.says('is ready');
  return { url: `http://localhost:${env.SIGHTLINE_PORT}`, command };
}

/** Ends a node alone. The database belongs to all nodes, though one of them started it. */
async function stop({ command }: Node): Promise<void> {
  send(command.pid, 'SIGTERM');
  expect(await command.ended).toBe(0);
}

/** Uses a service as a client of one API node, which reads on another one what the first has written. */
async function useService(writer: Node, reader: Node): Promise<void> {
  const operator = createApiClient(writer.url);
  const created = await operator.call('POST', '/api/keys', {
    key: KEY,
    json: { name: 'mixed', scopes: ['read', 'write'] },
  });
  expect(created.status, created.text).toBe(200);
  const key = String(created.json.key);
  const call = async ({ url, command }: Node, method: string, path: string, json?: unknown) => {
    const response = await createApiClient(url).call(method, path, { key, json });
    // The log has the statement that failed.
    const log = () => `${command.stdout()}\n${command.stderr()}`.slice(-2_000);
    expect(response.status, `${method} ${path}: ${response.text}\n${log()}`).toBeLessThan(300);
    return response.json as Record<string, never>;
  };
  const sdk = createSightline({ baseUrl: writer.url, apiKey: key });
  const other = createSightline({ baseUrl: reader.url, apiKey: key });

  const name = randomUUID();
  const { id: folderId } = await call(writer, 'POST', '/api/folders', { name });
  const { video_id } = await sdk.upload(await openAsBlob(await sceneClip()), { name: 'mixed.mp4', folderId });
  await other.ready(video_id, { signal: AbortSignal.timeout(60_000) });
  const { stream_id } = await sdk.start({ query: DARK, videoIds: [video_id] });
  const events = await Array.fromAsync(other.follow(stream_id, { signal: AbortSignal.timeout(90_000) }));
  expect(events.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed', completed: 1, failed: 0 } });
  const analysisId = String(events.find(({ kind }) => kind === 'video_completed')!.data.analysis_id);
  for (const client of [sdk, other]) {
    expect((await client.document(video_id, analysisId)).analysis.events).toHaveLength(1);
  }
  for (const node of [writer, reader]) {
    const { videos } = await call(node, 'GET', `/api/my-videos?folder=${name}`);
    expect(videos).toMatchObject([{ video_id, video_name: 'mixed.mp4' }]);
    expect((await call(node, 'GET', `/api/events?folder_id=${folderId}`)).events).toHaveLength(1);
  }

  await call(reader, 'DELETE', `/api/video/${video_id}?erase=true`);
  expect((await call(writer, 'GET', `/api/my-videos?folder=${name}`)).videos).toEqual([]);
  await call(reader, 'DELETE', `/api/folders/${folderId}`);
  const revoked = await createApiClient(reader.url).call('DELETE', `/api/keys/${created.json.key_id}`, { key: KEY });
  expect(revoked.status, revoked.text).toBeLessThan(300);
  // Nodes cache keys, and tell each other when one is revoked.
  const refused = async () => (await createApiClient(writer.url).call('GET', '/api/folders', { key })).status === 401;
  await until(refused, 'the revoked key to be refused');
}

describe.runIf(previous)(`nodes of ${previous?.name} and of this version`, { timeout: 300_000 }, () => {
  let checkout: string;
  let startsOnLater: boolean;
  const api = {} as { previous: Node; present: Node };
  const worker = {} as { previous: Node; present: Node };

  beforeAll(async () => {
    checkout = join(folder.path, 'previous');
    await checkOut(previous!.commit, checkout);
    api.previous = await startNode('mixed', 'api', checkout);
    worker.previous = await startNode('mixed', 'worker', checkout);
    startsOnLater = await withEmbeddedDatabase(join(folder.path, 'mixed'), recordsContracts);
    const { code, stdout, stderr } = await sightline(['migrate'], { env: await nodeEnvironment('mixed') });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Ran ');
    api.present = await startNode('mixed', 'api');
  });

  test('jobs run on the previous version', async () => {
    await useService(api.previous, api.present);
    await useService(api.present, api.previous);
  });

  test('jobs run on either', async () => {
    worker.present = await startNode('mixed', 'worker');
    for (const { url } of Object.values(api)) {
      const { json } = await createApiClient(url).call('GET', '/api/system/workers', { key: KEY });
      expect(json.workers).toMatchObject([{ status: 'running' }, { status: 'running' }]);
    }
    const pairs = [
      [api.previous, api.present],
      [api.present, api.previous],
    ] as const;
    await Promise.all(pairs.map(([writer, reader]) => useService(writer, reader)));
  });

  test('jobs run on this version', async () => {
    await stop(worker.previous);
    await useService(api.previous, api.present);
    await useService(api.present, api.previous);
  });

  test('the previous version starts again, or states that it cannot', async () => {
    await stop(api.previous);
    if (startsOnLater) {
      api.previous = await startNode('mixed', 'api', checkout);
      await useService(api.previous, api.present);
    } else {
      // Versions that do not record what migrations contract refuse all that they do not know.
      const { code, stderr } = await sightline(['start', '--only', 'api'], {
        env: await nodeEnvironment('mixed'),
        cwd: checkout,
      });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*newer version[^\n]*\.\n$/)]);
    }
    await Promise.all([api.present, worker.present].map(stop));
  });
});

/** True if the version that made the database records what its migrations contract. */
async function recordsContracts(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client
    .query(`select contracts from kysely_migration_digest`)
    .catch(() => ({ rowCount: 0 }));
  return rowCount !== 0;
}

test('this version starts on the schema of a later version, until that removes what it uses', {
  timeout: 300_000,
}, async () => {
  const later = join(folder.path, 'later migrations');
  await cp(MIGRATIONS, later, { recursive: true });
  const migrateLater = (name: string, text: string) =>
    writeFile(join(later, `${name}.sql`), text).then(() =>
      migrate(embeddedConnection(join(folder.path, 'later')), pathToFileURL(`${later}/`)),
    );
  await prepareData(join(folder.path, 'later'));
  const [api, worker] = [await startNode('later', 'api'), await startNode('later', 'worker')];
  expect(await migrateLater('9997_color', 'alter table folders add column color text')).toEqual(['9997_color']);
  await stop(worker);
  const again = [await startNode('later', 'worker'), await startNode('later', 'api')] as const;
  await useService(api, again[1]);

  await migrateLater('9998_no_description', '-- contracts: 9997_color\nalter table folders drop column description');
  for (const command of [['migrate'], ['start', '--only', 'worker']]) {
    const refused = await sightline(command, { env: await nodeEnvironment('later') });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^[^\n]*cannot run on the result of 9998_no_description:[^\n]*\.\n$/);
  }
  await Promise.all([api, ...again].map(stop));
});

test('without the history of the previous version, the reason is known', async () => {
  const shallow = join(folder.path, 'shallow');
  execFileSync('git', ['clone', '-q', '--depth', '1', pathToFileURL(REPOSITORY).href, shallow]);
  expect(await findPreviousVersion(shallow)).toEqual({ missing: expect.stringContaining('git fetch --unshallow') });
  expect(await findPreviousVersion(folder.path)).toEqual({ missing: expect.stringContaining('is not a clone') });
});
