// A database with people and videos, and nodes of the service on it, for one test file.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Engine } from '#engine/index';
import { openDatabase } from '#platform/db/database';
import type { ConnectionOptions, Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import { createTestDatabase } from '#test/database/test-database';
import type { ApiClient } from '#test/http';
import { createNode, createTestEngine, log, type NodeOptions, type TestEngine, type TestNode } from './node.fixture.ts';
import { openStream, readEvents, type SseEvent } from './sse.fixture.ts';

export type BatchesWorld = {
  database: Database;
  connection: ConnectionOptions;
  /** Folder of the files. */
  dir: string;
  /** Starts a node; it is closed after the test. */
  node(options?: NodeOptions & { engine?: TestEngine }): Promise<TestNode>;
  /** Starts a node with another kind of engine. */
  nodeWith<E extends Engine>(engine: E): Promise<TestNode<E>>;
  /** Creates a video with a file: a copy of `path`, or a placeholder that the test engine does not read. */
  video(overrides?: { scope?: string; status?: string; org?: string; owner?: string; path?: string }): Promise<string>;
};

/** Registers the hooks that create and close the world; its members are set before the tests run. */
export function createWorld(): BatchesWorld {
  let nodes: { close(): Promise<void> }[] = [];
  let drop = async () => {};
  const world = { node, nodeWith, video } as BatchesWorld;

  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    world.connection = made.connection;
    world.database = openDatabase(made.connection, log);
    world.dir = await mkdtemp(join(tmpdir(), 'batches '));
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
  afterAll(async () => {
    await world.database.close();
    await drop();
    await rm(world.dir, { recursive: true });
  });

  async function nodeWith<E extends Engine>(engine: E, options: NodeOptions = {}): Promise<TestNode<E>> {
    const created = await createNode(world.connection, world.dir, { engine, ...options });
    nodes.push(created);
    return created;
  }

  function node({ engine = createTestEngine(), ...options }: NodeOptions & { engine?: TestEngine } = {}) {
    return nodeWith(engine, options);
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

export const ask = (api: ApiClient, json: object, key = 'alice') =>
  api.call('POST', '/api/router/v2/query/start', { key, json: { query: 'find 2 cars', ...json } });

/** Starts a query and reads its stream to the end. */
export async function askAndFollow(on: Pick<TestNode, 'api'>, json: object) {
  const { json: started } = await ask(on.api, json);
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
