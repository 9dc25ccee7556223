/**
 * Search among the vectors of 1,000,000 frames over HTTP, by words that were searched before, with and without filters:
 * the 95th percentile of each kind of request, its CPU time in the service, and the time to read all vectors from the
 * database. Vectors are random, and the weights are those of the tests: this says nothing about how good matches are.
 * `npm run bench -- vectors [COUNT]`
 */
import { randomFillSync } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CATALOG, DIMENSIONS } from '../../server/src/engine/index.ts';
import { insertVectors } from '../../server/src/features/analyses/frame-vectors/store.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 40;
const MAX_MS = 150;
const FRAMES_PER_VIDEO = 500;
const FOLDERS = 100;
const WEIGHTS = fileURLToPath(new URL('../../../shared/models/clip-toy/', import.meta.url));
/** Files of the weights of the tests, in the order of the catalog. */
const WEIGHT_FILES = ['vision_model.onnx', 'text_model.onnx', 'bpe_simple_vocab_16e6.txt.gz'];

export async function run([count = '1000000']: string[]): Promise<BenchmarkRow[]> {
  const models = await mkdtemp(join(tmpdir(), 'vectors-models-'));
  const { files } = CATALOG.find(({ task }) => task === 'embeddings')!;
  await mkdir(join(models, dirname(files[0].name)));
  for (const [at, { name }] of files.entries()) await copyFile(join(WEIGHTS, WEIGHT_FILES[at]!), join(models, name));
  const service = await startService({ port: 18_104, models });
  try {
    const { folderId, halfway } = await seed(service, Number(count));
    const search = async (filter: object) => {
      const { data } = await service.client.api.POST('/api/search/frames', { body: { text: 'red', ...filter } });
      if (data!.matches.length === 0) throw new Error('nothing was found');
      return data!.searched_frames;
    };
    const rows: BenchmarkRow[] = [
      { name: 'first search: all vectors are read', value: (await timed(() => search({}))) / 1_000, unit: 's' },
    ];
    const filters = {
      'all videos': {},
      'the videos of a folder (1 of 100)': { folder_id: folderId },
      'the videos of half of the time': { created_after: halfway },
      'all videos, 200 frames': { limit: 200 },
    };
    for (const [name, filter] of Object.entries(filters)) {
      const frames = await search(filter);
      const times: number[] = [];
      const before = process.cpuUsage();
      for (let i = 0; i < ROUNDS; i++) times.push(await timed(() => search(filter)));
      const { user, system } = process.cpuUsage(before);
      times.sort((a, b) => a - b);
      const note = `median ${times[ROUNDS / 2]!.toFixed(1)} ms, ${frames} frames`;
      const latency = { value: times[Math.ceil(ROUNDS * 0.95) - 1]!, unit: 'ms', bar: { max: MAX_MS }, note };
      rows.push({ name, ...latency }, { name: `${name}: CPU`, value: (user + system) / 1_000 / ROUNDS, unit: 'ms' });
    }
    return rows;
  } finally {
    await service.stop();
    await rm(models, { recursive: true, force: true });
  }
}

/** Videos with random vectors in folders, a minute apart. Returns a folder, and the time of the middle one. */
async function seed({ sightline }: BenchmarkService, count: number) {
  const { accounts, database, engine } = sightline;
  const { orgId, userId } = (await accounts.owner())!;
  const status = (await engine.observers()).find(({ kind }) => kind === 'embeddings')!;
  if (!('version' in status)) throw new Error(status.unavailable);
  const folders = Array.from({ length: FOLDERS }, (_, at) => ({
    id: newId(),
    orgId,
    createdBy: userId,
    scope: 'org',
    name: `Folder ${at}`,
  }));
  await database.db.insertInto('folders').values(folders).execute();
  const videos = Math.ceil(count / FRAMES_PER_VIDEO);
  const now = Date.now();
  for (let at = 0; at < videos; at++) {
    const id = newId();
    const { id: folderId } = folders[at % FOLDERS]!;
    const vectors = randomFillSync(new Int8Array(FRAMES_PER_VIDEO * DIMENSIONS));
    await database.transaction(async (trx) => {
      const video = { id, orgId, ownerId: userId, scope: 'org', folderId, name: `${at}.mp4`, source: 'file' };
      const stored = { storageKey: id, status: 'UPLOADED', sizeBytes: 1, durationS: FRAMES_PER_VIDEO };
      await trx
        .insertInto('videos')
        .values({ ...video, ...stored })
        .execute();
      const observation = { kind: status.kind, version: status.version, status: 'ready', storageKey: id };
      await trx
        .insertInto('observations')
        .values({ videoId: id, ...observation })
        .execute();
      await insertVectors(trx, id, status.version, {
        timeS: Float64Array.from({ length: FRAMES_PER_VIDEO }, (_, second) => second),
        scales: new Float32Array(FRAMES_PER_VIDEO).fill(6e-4),
        vectors,
      });
    });
  }
  return { folderId: folders[0]!.id, halfway: new Date((now + Date.now()) / 2).toISOString() };
}
