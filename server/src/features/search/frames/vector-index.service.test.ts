// Searches by an index of pgvector, held against the exact scan of another node on the same database.
import { randomInt } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { CATALOG, DIMENSIONS, type FrameVectors, quantize } from '#engine/index';
import type { Owner } from '#features/accounts/index';
import { insertObjectVectors, insertVectors } from '#features/analyses/frame-vectors/index';
import { searchIndex } from '#features/analyses/frame-vectors/pgvector/search';
import { findUsableIndex } from '#features/analyses/frame-vectors/pgvector/server-store';
import { selectSources } from '#features/analyses/frame-vectors/store';
import { exportDatabase } from '#platform/db/transfer/index';
import { startTestNode, type TestNode, urlOf } from '#test/app';
import { hasFootage, MODELS } from '#test/footage';
import { openLibrary, type TestLibrary } from '#test/library';
import { type PgvectorServer, startPgvectorServer } from '#test/servers/pgvector-server';
import { temporaryFolder } from '#test/temporary-folder';

const { pgvectorServer } = inject('programs');
const DATABASE = 'library';
const ROLE = 'sightline';
const FRAMES = 40;
/** Views of objects of a quarter of the videos, three of each. */
const VIEWS = 9;
const VIDEOS = 24;
const STORED = VIDEOS * FRAMES + (VIDEOS / 4) * VIEWS;
const SEARCHES = ['red', 'green', 'blue'];

describe.skipIf(!hasFootage || pgvectorServer === null)('search by an index of pgvector', () => {
  const catalog = CATALOG.filter(({ task, name }) => task === 'embeddings' || name === 'yolox_nano');
  let server: PgvectorServer;
  /** A node that uses the index. */
  let library: TestLibrary;
  /** A node that does not. */
  let exact: TestNode;
  let versions: { frames: string; objects: string };
  let colleague: Owner;
  const keys: string[] = [];
  const folders: string[] = [];
  const videos: string[] = [];

  const connection = () => ({ host: server.host, port: server.port, user: ROLE, database: DATABASE });
  const admin = (...statements: string[]) => server.run(DATABASE, ...statements);

  beforeAll(async () => {
    server = await startPgvectorServer(pgvectorServer!);
    await server.run('postgres', `create role ${ROLE} login`, `create database ${DATABASE} owner ${ROLE}`);
    const models = await temporaryFolder();
    const files = catalog.find(({ task }) => task === 'embeddings')!.files.map(({ name }) => join(models, name));
    await mkdir(dirname(files[0]!), { recursive: true });
    for (const [at, name] of ['vision_model.onnx', 'text_model.onnx', 'bpe_simple_vocab_16e6.txt.gz'].entries())
      await copyFile(join(MODELS!, 'clip-toy', name), files[at]!);
    await copyFile(join(MODELS!, 'yolox_nano.onnx'), join(models, 'yolox_nano.onnx'));
    const env = {
      DATABASE_URL: urlOf(connection()),
      SIGHTLINE_MODELS_DIR: models,
      SIGHTLINE_RESTORE_HOURS: '1',
    };
    library = await openLibrary(env, { worker: true, overrides: { catalog } });
    exact = await startTestNode(
      { ...library.env, SIGHTLINE_VECTOR_INDEX: 'off' },
      { roles: { api: true, worker: false }, overrides: { catalog } },
    );
    versions = await readVersions();
    colleague = await library.addUser(library.owner.orgId);
    for (const user of [library.owner, colleague]) keys.push((await library.keyOf(user, ['read', 'write'])).key);
    for (const name of ['A', 'B']) {
      const made = await library.api.call('POST', '/api/folders', { key: keys[0]!, json: { name, scope: 'org' } });
      folders.push(made.json.id as string);
    }
    for (let at = 0; at < VIDEOS; at++) videos.push(await addVideo(at));
  }, 240_000);
  afterAll(async () => {
    await exact?.close();
    await library?.close();
    await server?.stop();
  });

  async function readVersions() {
    const observers = await library.engine.observers();
    const versionOf = (kind: string) => {
      const found = observers.find((each) => each.kind === kind)!;
      if (!('version' in found)) throw new Error(found.unavailable);
      return found.version;
    };
    return { frames: versionOf('embeddings'), objects: versionOf('object_embeddings') };
  }

  const randomVector = () => Float32Array.from({ length: DIMENSIONS }, () => randomInt(-1_000, 1_000) / 10_000);

  /** Vectors of which every other one is like the one before. */
  function randomVectors(count: number, stepS: number): FrameVectors {
    let view = randomVector();
    const rows = Array.from({ length: count }, (_, at) => {
      if (at % 2 === 0) view = randomVector();
      return quantize(view.map((value) => value + randomInt(-100, 100) / 10_000));
    });
    const vectors = new Int8Array(count * DIMENSIONS);
    for (const [at, { bytes }] of rows.entries()) vectors.set(bytes, at * DIMENSIONS);
    return {
      timeS: Float64Array.from({ length: count }, (_, at) => at * stepS),
      scales: Float32Array.from(rows, ({ scale }) => scale),
      vectors,
    };
  }

  /** A video whose frames are observed, one every four seconds: a third is personal, of two users. */
  async function addVideo(at: number): Promise<string> {
    const id = await library.addStored(at % 2 ? library.owner : colleague, Buffer.from(`video ${at}`), {
      folderId: at % 3 === 0 ? null : folders[at % 3 === 1 ? 0 : 1]!,
      scope: at % 3 === 0 ? 'user' : 'org',
    });
    await observe(id, randomVectors(FRAMES, 4));
    if (at % 4 === 0) await observeObjects(id, randomVectors(VIEWS, 1));
    return id;
  }

  /** Stores vectors as the observer's transaction does. */
  const observe = (id: string, frames: FrameVectors) =>
    library.database.transaction(async (trx) => {
      const row = { kind: 'embeddings', version: versions.frames, status: 'ready', storageKey: id };
      await trx
        .insertInto('observations')
        .values({ videoId: id, ...row })
        .execute();
      await insertVectors(trx, id, versions.frames, frames);
    });

  const observeObjects = (id: string, { timeS, scales, vectors }: FrameVectors) =>
    library.database.transaction(async (trx) => {
      const row = { kind: 'object_embeddings', version: versions.objects, status: 'ready', storageKey: id };
      await trx
        .insertInto('observations')
        .values({ videoId: id, ...row })
        .execute();
      await insertObjectVectors(trx, id, versions.objects, {
        model: 'm',
        detector: 'd',
        pts: timeS,
        spans: new Float64Array(4 * timeS.length),
        track: Int32Array.from(timeS, (_, view) => Math.floor(view / 3)),
        boxes: new Float32Array(4 * timeS.length).fill(0.25),
        classNames: Array.from(timeS, () => 'car'),
        timeS,
        scales,
        vectors,
      });
    });

  type Body = Record<string, unknown>;
  type Match = { video_id: string; time_s: number; score: number; image_url: string };
  type State = { method: string; stored: number; indexed: number };
  const search = async (node: { api: TestLibrary['api'] }, key: string, body: Body) => {
    const { status, json } = await node.api.call('POST', '/api/search/frames', { key, json: body });
    expect(status).toBe(200);
    const { matches, ...rest } = json as { matches: Match[] };
    return { ...rest, matches: matches.map(({ image_url: _, ...match }) => match) };
  };
  /** The matches, which are the same by the index and by the exact scan. */
  async function compare(body: Body, key = keys[0]!) {
    const [found, expected] = await Promise.all([search(library, key, body), search(exact, key, body)]);
    expect(found).toEqual(expected);
    return found.matches;
  }
  const state = async (node: { api: TestLibrary['api'] } = library) =>
    (await node.api.call('GET', '/api/system', { key: keys[0]! })).json.vector_search as State;
  const picture = async (color: string) => {
    const canvas = createCanvas(64, 64);
    const context = canvas.getContext('2d');
    context.fillStyle = color;
    context.fillRect(0, 0, 64, 64);
    return (await canvas.encode('png')).toString('base64');
  };
  /** Runs the scheduled check, and waits for the build that it starts. */
  async function tend(): Promise<void> {
    await library.analyses.frameVectors.tend();
    await vi.waitFor(async () => {
      const { queues } = await library.system.workload.queues({ orgId: library.owner.orgId } as never);
      const build = queues.find(({ name }) => name === 'analyses.build-vector-index')!;
      expect(build.waiting + build.running + build.delayed).toBe(0);
    }, WAIT);
  }
  const WAIT = { timeout: 120_000, interval: 50 };
  const sourceCount = async () => {
    const { stored, indexed } = await state();
    return [stored, indexed];
  };

  test('a role that may not create the extension gets a sentence, and the exact scan', async () => {
    await tend();
    expect(await state()).toMatchObject({
      method: 'exact',
      version: null,
      stored: STORED,
      indexed: 0,
      reason: `The database server has pgvector ${await defaultVersion()}, but the role ${ROLE} may not create it: run "create extension vector" in the database ${DATABASE} as a superuser.`,
    });
    expect(await compare({ text: 'red' })).toHaveLength(50);
  });

  async function defaultVersion(): Promise<string> {
    const client = new pg.Client(connection());
    await client.connect();
    const { rows } = await client.query(`select default_version from pg_available_extensions where name = 'vector'`);
    await client.end();
    return rows[0].default_version;
  }

  test('an extension that appears later is used once the index is complete; until then the scan is exact', async () => {
    await admin('create schema extensions', 'grant usage on schema extensions to public');
    await admin('create extension vector schema extensions');
    // A snapshot that the build has to wait for.
    const holder = new pg.Client(connection());
    await holder.connect();
    await holder.query('begin isolation level repeatable read');
    await holder.query('select count(*) from videos');
    await library.analyses.frameVectors.tend();
    await vi.waitFor(async () => expect(await graphStates()).toEqual([false]), WAIT);
    expect(await state()).toMatchObject({
      method: 'exact',
      indexed: STORED,
      reason: expect.stringContaining('is being built'),
    });
    expect(await compare({ text: 'red' })).toHaveLength(50);
    // A second build does not wait for the first.
    await library.analyses.frameVectors.build(new AbortController().signal);
    expect(await graphStates()).toEqual([false]);
    await holder.query('commit');
    await holder.end();
    await tend();
    expect(await graphStates()).toEqual([true]);
    const all = { stored: STORED, indexed: STORED };
    expect(await state()).toEqual({
      method: 'pgvector',
      version: await defaultVersion(),
      ...all,
      memory: 2_097_152,
      reason: null,
    });
    expect(await state(exact)).toMatchObject({ method: 'exact', ...all, reason: null });
  });

  async function graphStates(): Promise<boolean[]> {
    const client = new pg.Client(connection());
    await client.connect();
    const { rows } = await client.query(
      `select indisvalid from pg_index where indexrelid = to_regclass('vector_index.representatives_by_direction')`,
    );
    await client.end();
    return rows.map(({ indisvalid }) => indisvalid);
  }

  test('it finds the same as the exact scan, whatever the filter and the caller', async () => {
    const { db } = library.database;
    const { createdAt } = await db
      .selectFrom('videos')
      .select('createdAt')
      .where('id', '=', videos[VIDEOS / 2]!)
      .executeTakeFirstOrThrow();
    const halfway = createdAt.toISOString();
    const filters: Body[] = [
      {},
      { limit: 200 },
      { limit: 1 },
      { folder_id: folders[0] },
      { video_ids: videos.filter((_, at) => at % 3 === 1) },
      { created_after: halfway },
      { created_before: halfway, folder_id: folders[1] },
      { min_score: 0.05 },
      { min_score: 0.99 },
      { of: 'frames' },
      { of: 'objects' },
    ];
    for (const key of keys) {
      for (const filter of filters) await compare({ text: SEARCHES[0], ...filter }, key);
      for (const text of SEARCHES) await compare({ text }, key);
      await compare({ picture: await picture('#3a6b90'), folder_id: folders[1], limit: 20 }, key);
    }
    const [own, theirs] = await Promise.all(keys.map((key) => compare({ text: 'red', limit: 200 }, key)));
    expect(own).not.toEqual(theirs);
  });

  test('the graph and its representatives find the same, with exact scores', async () => {
    const { database } = library;
    const caller = { orgId: library.owner.orgId, userId: library.owner.userId };
    const sources = selectSources(caller, { folderId: folders[0]! }, versions);
    const extension = (await findUsableIndex(database.db))!;
    for (let round = 0; round < 5; round++) {
      const query = randomVector();
      const request = { query, limit: 20, minScore: -1 };
      const scanned = await searchIndex(database, { extension, sources, covered: 1, size: STORED }, request);
      expect(scanned).toHaveLength(20);
      const walked = await searchIndex(database, { extension, sources, covered: 1e9, size: 1e9 }, request);
      expect(walked).toEqual(scanned);
      const compared = await searchIndex(database, { extension, sources, covered: 1e5, size: 1e9 }, request);
      expect(compared).toEqual(scanned);
    }
  });

  test('deleted videos are hidden, restored ones are found, and new ones before they are in the index', async () => {
    const [first] = await compare({ text: 'red' });
    const video_id = first!.video_id;
    await library.api.call('DELETE', `/api/video/${video_id}`, { key: keys[0]! });
    expect((await compare({ text: 'red' })).map((match) => match.video_id)).not.toContain(video_id);
    await tend();
    await library.api.call('POST', `/api/video/${video_id}/restore`, { key: keys[0]! });
    expect((await compare({ text: 'red' }))[0]).toEqual(first);

    const { db } = library.database;
    await db.deleteFrom('observations').where('videoId', '=', video_id).execute();
    expect((await compare({ text: 'red' })).map((match) => match.video_id)).not.toContain(video_id);
    const before = await sourceCount();
    expect(before[0]).toBe(before[1]);

    const added = await addVideo(1);
    expect(await sourceCount()).toEqual([before[0]! + FRAMES, before[1]]);
    // The vectors of the best match, which may be any of the videos, were deleted. Both of these are shared.
    const other = [videos[1]!, videos[2]!].find((id) => id !== video_id)!;
    const some = { text: 'green', video_ids: [added, other], limit: 30 };
    const found = await compare(some);
    expect(new Set(found.map((match) => match.video_id)).size).toBe(2);
    await tend();
    expect(await sourceCount()).toEqual([before[0]! + FRAMES, before[1]! + FRAMES]);
    expect(await compare(some)).toEqual(found);
  });

  test('an index of an earlier version, of all vectors, is replaced', async () => {
    await admin(
      'alter table vector_index.vectors drop column represented cascade',
      `create index vectors_by_direction on vector_index.vectors using hnsw (vector extensions.halfvec_cosine_ops)`,
    );
    expect(await state()).toMatchObject({ method: 'exact' });
    const expected = await compare({ text: 'red' });
    await tend();
    expect(await graphStates()).toEqual([true]);
    const [stored, indexed] = await sourceCount();
    expect(indexed).toBe(stored);
    expect(await compare({ text: 'red' })).toEqual(expected);
    const { rows } = await sql<{ earlier: string | null; alike: boolean }>`
      select to_regclass('vector_index.vectors_by_direction') as earlier,
        exists (select from vector_index.vectors where represented = 0) as alike`.execute(library.database.db);
    expect(rows).toEqual([{ earlier: null, alike: true }]);
  });

  test('searches continue while the index is made again', async () => {
    const rebuilt = admin('reindex index concurrently vector_index.representatives_by_direction');
    let searches = 0;
    let isDone = false;
    void rebuilt.finally(() => (isDone = true)).catch(() => {});
    do {
      await compare({ text: SEARCHES[searches++ % 3] });
    } while (!isDone);
    await rebuilt;
    expect(await graphStates()).toEqual([true]);
  });

  test('an interrupted build is completed by the next one, also of a video that was half copied', async () => {
    await admin('drop index vector_index.representatives_by_direction');
    await admin('update vector_index.sources set vectors = null where id = (select max(id) from vector_index.sources)');
    const holder = new pg.Client(connection());
    await holder.connect();
    await holder.query('begin isolation level repeatable read');
    await holder.query('select count(*) from videos');
    const stop = new AbortController();
    const interrupted = library.analyses.frameVectors.build(stop.signal);
    await vi.waitFor(async () => expect(await graphStates()).toEqual([false]), WAIT);
    stop.abort(new Error('stopped'));
    await expect(interrupted).rejects.toThrow('canceling statement');
    expect(await graphStates()).toEqual([false]);
    await holder.query('commit');
    await holder.end();
    expect(await compare({ text: 'red' })).toHaveLength(50);
    await tend();
    expect(await graphStates()).toEqual([true]);
    const [stored, indexed] = await sourceCount();
    expect(indexed).toBe(stored);
    await compare({ text: 'blue' });
  });

  test('a backup does not contain the index', async () => {
    const tables: string[] = [];
    await exportDatabase(connection(), async ({ name }, text) => {
      tables.push(name);
      for await (const _ of text);
    });
    expect(tables).toContain('frame_vectors');
    expect(tables).not.toContain('sources');
    expect(tables).not.toContain('vectors');
  });

  test('without its extension, the index is not missed', async () => {
    await admin('drop extension vector cascade');
    expect(await compare({ text: 'red' })).toHaveLength(50);
    expect(await state()).toMatchObject({ method: 'exact', version: null });
  });
});
