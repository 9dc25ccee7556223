// A database with people and videos, and nodes of the service on it, for one test file.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Engine } from '#engine/index';
import { type ConnectionOptions, type Database, openDatabase } from '#platform/db/index';
import { newId } from '#platform/ids';
import { createTestDatabase } from '#test/database';
import type { Client } from '#test/http';
import { createNode, createTestEngine, log, type NodeOptions, type TestEngine, type TestNode } from './node.fixture.ts';
import { readEvents, type SseEvent, streamOf } from './sse.fixture.ts';

export type World = {
  database: Database;
  connection: ConnectionOptions;
  /** Where the files are. */
  dir: string;
  /** Starts a node; it ends with the test. */
  node(options?: NodeOptions & { engine?: TestEngine }): Promise<TestNode>;
  /** The same with an engine of any kind. */
  nodeWith<E extends Engine>(engine: E): Promise<TestNode<E>>;
  /** A video's record and file: a copy of `path`, or something that the test engine does not look at. */
  video(overrides?: { scope?: string; status?: string; org?: string; owner?: string; path?: string }): Promise<string>;
};

/** Registers the hooks that make the world and end it; its parts are there once tests run. */
export function createWorld(): World {
  let nodes: { close(): Promise<void> }[] = [];
  let drop = async () => {};
  const world = { node, nodeWith, video } as World;

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
      await db.insertInto('users').values({ id, org_id, email, name: id, role: 'member' }).execute();
    }
  });
  afterEach(async () => {
    await Promise.all(nodes.map((each) => each.close()));
    nodes = [];
    // What one test leaves in the queue is no business of the next.
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
        org_id: org,
        owner_id: owner,
        scope,
        name: 'drive.mp4',
        source: 'file',
        source_uri: `s3://bucket/${id}.mp4`,
        status,
        storage_key: `videos/${id}/original`,
        duration_s: 60,
      })
      .execute();
    const file = join(world.dir, 'videos', id, 'original');
    await mkdir(dirname(file), { recursive: true });
    await (path ? copyFile(path, file) : writeFile(file, 'not looked at'));
    return id;
  }

  return world;
}

export const ask = (api: Client, json: object, key = 'alice') =>
  api.call('POST', '/api/router/v2/query/start', { key, json: { query: 'find 2 cars', ...json } });

/** Asks, and follows the stream to its end. */
export async function answer(on: Pick<TestNode, 'api'>, json: object) {
  const { json: started } = await ask(on.api, json);
  const events = await readEvents(await streamOf(on.api, String(started.stream_id)));
  return { batchId: String(started.batch_id), streamId: String(started.stream_id), events };
}

export const last = (events: SseEvent[]) => events.at(-1)!.data;
export const ended = (events: SseEvent[]) => events.find((e) => e.event === 'video_completed')!.data;

/** How far the stream said it was, event by event. */
export const progressOf = (events: SseEvent[], videoId?: unknown) =>
  events
    .filter((e) => e.event === 'progress' && (videoId === undefined || e.data.video_id === videoId))
    .map((e) => e.data.progress as number);
