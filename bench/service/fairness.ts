/**
 * Fairness between organizations, users and classes of work: a question of another organization on a new video behind
 * a batch of 40, one's own on an observed video behind a batch of 24, a list of events behind 40 exports with images,
 * each against the same alone, and the batch with these beside it against the batch alone. In one service, alone before
 * and after, since other work of the machine also changes. Objects are not observed.
 *
 * `npm run bench -- fairness`
 */
import { openAsBlob } from 'node:fs';
import { createSightline } from '@sightline/sdk';
import { newId } from '../../server/src/platform/ids.ts';
import { stillClip } from '../../server/test/media/clips.ts';
import { median, timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const LARGE_BATCH = 40;
const SMALL_BATCH = 24;
const EXPORTS = 40;
const ROUNDS = 3;
/** A batch decodes for as long until it lets a question go first: one range, in milliseconds of processor time. */
const RANGE_MS = 1_000;
/** The export that is timed is read often. Those that it waits behind are not, so that their clients are no load. */
const POLL_MS = { csv: 20, zip: 1_000 };
const QUESTION = 'when is the picture dark';

type Client = BenchmarkService['client'];

export async function run(): Promise<BenchmarkRow[]> {
  const service = await startService();
  try {
    const first = service.client;
    const other = await addOrganization(service);
    const clip = await openAsBlob(await stillClip());
    const upload = async (client: Client, count: number) => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) ids.push((await client.upload(clip, { name: `still ${i}.mp4` })).video_id);
      for (const id of ids) await client.ready(id);
      return ids;
    };
    const batches = await upload(first, 3 * LARGE_BATCH + SMALL_BATCH);
    const fresh = await upload(other, 3 * ROUNDS);
    const [observed] = await upload(first, 1);
    const ask = (client: Client, ...videoIds: string[]) => timed(() => answer(client, videoIds));
    await ask(first, observed!);

    const measureAlone = async () => ({
      other: await repeat(() => ask(other, fresh.pop()!)),
      own: await repeat(() => ask(first, observed!)),
      list: await repeat(() => exportEvents(first, 'csv')),
      batch: await ask(first, ...batches.splice(0, LARGE_BATCH)),
    });
    const before = await measureAlone();
    const beside = { other: 0, own: 0, list: 0, batch: 0 };
    const large = ask(first, ...batches.splice(0, LARGE_BATCH));
    beside.other = await repeat(() => ask(other, fresh.pop()!));
    beside.batch = await large;
    const small = ask(first, ...batches.splice(0, SMALL_BATCH));
    beside.own = await repeat(() => ask(first, observed!));
    await small;
    const pages = Promise.all(Array.from({ length: EXPORTS }, () => exportEvents(first, 'zip')));
    beside.list = await repeat(() => exportEvents(first, 'csv'));
    await pages;
    const after = await measureAlone();
    const meanOf = (what: keyof typeof beside) => (before[what] + after[what]) / 2;

    const row = (name: string, what: keyof typeof beside, bar: BenchmarkRow['bar']): BenchmarkRow => ({
      name,
      value: beside[what] / meanOf(what),
      unit: '×',
      ...(bar ? { bar } : {}),
      note: `${(beside[what] / 1000).toFixed(2)} s against ${(before[what] / 1000).toFixed(2)} and ${(after[what] / 1000).toFixed(2)} s alone`,
    });
    return [
      row(`question of another organization behind a batch of ${LARGE_BATCH}, new video`, 'other', {
        max: 2 + RANGE_MS / meanOf('other'),
      }),
      row(`own question behind a batch of ${SMALL_BATCH}, observed video`, 'own', { max: 3 }),
      row(`list of events behind ${EXPORTS} exports with images`, 'list', { max: 2 }),
      row('batch with questions beside it', 'batch', { max: 1 / 0.9 }),
    ];
  } finally {
    await service.stop();
  }
}

const repeat = async (measure: () => Promise<number>) => {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await measure());
  return median(times);
};

/** A client of a user of a further organization. */
async function addOrganization({ sightline, baseUrl }: BenchmarkService): Promise<Client> {
  const [orgId, userId] = [newId(), newId()];
  const { db } = sightline.database;
  await db.insertInto('organizations').values({ id: orgId, name: 'Another' }).execute();
  const email = 'other@localhost';
  await db.insertInto('users').values({ id: userId, orgId, email, name: 'Other', role: 'owner' }).execute();
  const { key } = await sightline.keys.create({ orgId, userId, name: 'benchmark', scopes: ['read', 'write'] });
  return createSightline({ baseUrl, apiKey: key });
}

async function answer(client: Client, videoIds: readonly string[]): Promise<void> {
  for await (const event of client.ask({ query: QUESTION, videoIds: [...videoIds] }))
    if (event.kind === 'error') throw new Error(JSON.stringify(event.data));
}

const exportEvents = (client: Client, format: 'csv' | 'zip') =>
  timed(async () => {
    const started = await client.api.POST('/api/exports', { body: { format } });
    const id = started.data!.export_id;
    for (;;) {
      const { data } = await client.api.GET('/api/exports/{export_id}', { params: { path: { export_id: id } } });
      if (data!.status === 'completed') return;
      if (data!.status === 'failed') throw new Error(data!.message ?? 'the export failed');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS[format]));
    }
  });
