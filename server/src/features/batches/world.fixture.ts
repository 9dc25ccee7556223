// A database with people and videos, and nodes of the service on it, for one test file.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import { type Env, NO_MEDIA, startTestApp, type TestApp } from '#test/app';
import type { ApiClient } from '#test/http';
import { createNode, createTestEngine, type TestEngine, type TestNode } from './node.fixture.ts';
import { openStream, readEvents, type SseEvent } from './sse.fixture.ts';

type WorldNodeOptions = { env?: Env; worker?: boolean };

export type BatchesWorld = {
  database: Database;
  env: Env;
  /** Folder of the files. */
  dir: string;
  /** Starts a node; it is closed after the test. */
  node(options?: WorldNodeOptions & { engine?: TestEngine }): Promise<TestNode & { engine: TestEngine }>;
  /** Starts a node with the real engine. */
  realNode(env?: Env): Promise<TestNode>;
  /** Creates a video with a file: a copy of `path`, or a placeholder that the test engine does not read. */
  video(overrides?: { scope?: string; status?: string; org?: string; owner?: string; path?: string }): Promise<string>;
};

/** Registers the hooks that create and close the world; its members are set before the tests run. */
export function createWorld(): BatchesWorld {
  let nodes: TestNode[] = [];
  let app: TestApp;
  const world = { node, realNode, video } as BatchesWorld;

  beforeAll(async () => {
    const env = {
      SIGHTLINE_PUBLIC_URL: 'http://public',
      SIGHTLINE_RESTORE_HOURS: '0',
      SIGHTLINE_MEDIA_PROCESSES: '4',
    };
    app = await startTestApp(env, { roles: { api: false, worker: false }, overrides: { media: NO_MEDIA } });
    world.database = app.sightline.database;
    world.env = app.env;
    world.dir = join(app.sightline.config.dataDir, 'files');
    const { db } = world.database;
    for (const id of ['o-one', 'o-two']) await db.insertInto('organizations').values({ id, name: id }).execute();
    for (const [id, org_id] of [
      ['u-alice', 'o-one'],
      ['u-carol', 'o-one'],
      ['u-bob', 'o-two'],
    ] as const) {
      const email = `${id}@example.com`;
      await db.insertInto('users').values({ id, orgId: org_id, email, name: id, role: 'member' }).execute();
    }
  });
  afterEach(async () => {
    await Promise.all(nodes.map((each) => each.close()));
    nodes = [];
    // Jobs that one test leaves in the queue must not affect the next.
    await world.database.db
      .withSchema('pgboss')
      .deleteFrom('job' as never)
      .execute();
  });
  afterAll(() => app.close());

  async function start(env: Env, options: Parameters<typeof createNode>[1]): Promise<TestNode> {
    const node = await createNode({ ...world.env, ...env }, options);
    nodes.push(node);
    return node;
  }

  async function node({ engine = createTestEngine(), worker, env = {} }: Parameters<BatchesWorld['node']>[0] = {}) {
    return { ...(await start(env, { engine, worker })), engine };
  }

  function realNode(env: Env = {}) {
    return start(env, {});
  }

  async function video({ org = 'o-one', owner = 'u-alice', scope = 'user', status = 'UPLOADED', path = '' } = {}) {
    const id = newId();
    await world.database.db
      .insertInto('videos')
      .values({
        id,
        orgId: org,
        ownerId: owner,
        scope,
        name: 'drive.mp4',
        source: 'file',
        sourceUri: `s3://bucket/${id}.mp4`,
        status,
        storageKey: `videos/${id}/original`,
        durationS: 60,
      })
      .execute();
    const file = join(world.dir, 'videos', id, 'original');
    await mkdir(dirname(file), { recursive: true });
    await (path ? copyFile(path, file) : writeFile(file, 'placeholder'));
    return id;
  }

  return world;
}

const START = '/api/router/v2/query/start';
export const FAST = '/api/router/query';

export const ask = (api: ApiClient, json: object, key = 'alice', path = START) =>
  api.call('POST', path, { key, json: { query: 'find 2 cars', ...json } });

/** Starts a query and reads its stream to the end. */
export async function askAndFollow(on: Pick<TestNode, 'api'>, json: object, path = START) {
  const { json: started } = await ask(on.api, json, 'alice', path);
  const events = await readEvents(await openStream(on.api, String(started.stream_id)));
  return { batchId: String(started.batch_id), streamId: String(started.stream_id), events };
}

export const last = (events: SseEvent[]) => events.at(-1)!.data;
export const completion = (events: SseEvent[]) => events.find((e) => e.event === 'video_completed')!.data;

/** Values of the `progress` events. */
export const progressValues = (events: SseEvent[], videoId?: unknown) =>
  events
    .filter((e) => e.event === 'progress' && (videoId === undefined || e.data.video_id === videoId))
    .map((e) => e.data.progress as number);
