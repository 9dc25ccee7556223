// Curated datasets through the API: what they have, who may use them, and that they are never out of date.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '#platform/http/index';
import { PUBLIC_URL } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { requestsTo } from './datasets.fixture.ts';
import { type DownloadedBatch, downloadJson } from './download.ts';

const PATH = '/api/data-curation/datasets';
const _WAIT = { timeout: 60_000, interval: 20 };

type Json = Record<string, unknown>;
type Event = { event_id: string; label: string; approval: string };
type Result = { video_id: string; analysis_id: string; events: Event[]; split?: string };
type Download = {
  dataset_metadata: { id: string };
  splits?: Json;
  batches: { batch_metadata: { batch_id: string }; results: Result[] }[];
  unanalyzed_videos: { videos: { video_id: string; split?: string }[] }[];
};

let world: AnalysesWorld;
let colleague: { key: string; caller: Caller };
let admin: { key: string; caller: Caller };
beforeAll(async () => {
  world = await openAnalyses({ SIGHTLINE_RESTORE_HOURS: '1' });
  const { orgId } = world.caller;
  colleague = await world.library.keyOf(await world.library.addUser(orgId), ['read', 'write']);
  admin = await world.library.keyOf(await world.library.addUser(orgId), ['admin']);
});
afterAll(() => world?.close());

const { call, done, addBatch } = requestsTo(() => world);
const create = (json: object, key?: string) => done('POST', PATH, { name: 'Crossings', ...json }, key);
const get = (id: unknown, key?: string) => done('GET', `${PATH}/${id}`, undefined, key);

/** Fetches the signed URL without a key. */
async function download(id: unknown, { key, query = '' }: { key?: string; query?: string } = {}): Promise<Download> {
  const { download_url } = await done('GET', `${PATH}/${id}/download${query}`, undefined, key);
  const url = String(download_url).replace(PUBLIC_URL, world.api.base);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return (await response.json()) as Download;
}

describe('contents', () => {
  test('a video in two batches is there twice, each time with the events of that batch', async () => {
    const [first, second] = [await world.addVideo(), await world.addVideo()];
    const [one, two] = [await addBatch([first, second], 3), await addBatch([first], 1)];
    await addBatch([second], 2);
    const raw = await world.addVideo();
    const dataset = await create({ batch_ids: [one, two, one], video_ids: [raw, raw], analysis_type: 'agent' });
    expect(dataset).toMatchObject({
      name: 'Crossings',
      status: 'ready',
      scope: 'user',
      analysis_type: 'agent',
      search_description: '',
      batch_ids: [one, two],
      video_ids: [raw],
      failed_batches: [],
      totals: {
        batch_count: 2,
        video_count: 4,
        event_counts: { total: 7, pending: 7, approved: 0, rejected: 0, unsure: 0 },
      },
      processing_progress: { completed: 2, total: 2 },
    });

    const { dataset_metadata, batches, unanalyzed_videos } = await download(dataset.id);
    const { clips, ...withoutClips } = dataset;
    expect([clips, dataset_metadata]).toEqual([[], withoutClips]);
    expect(batches.map(({ batch_metadata }) => batch_metadata.batch_id)).toEqual([one, two]);
    const counts = batches.map(({ results }) => results.map(({ video_id, events }) => [video_id, events.length]));
    expect(counts).toEqual([
      [
        [first, 3],
        [second, 3],
      ],
      [[first, 1]],
    ]);
    expect(batches[0]).toMatchObject({
      batch_metadata: { prompt: 'a car', batch_type: 'ask' },
      results: [{ video_name: `${first}.mp4`, status: 'completed', answer: 'Three red cars.' }, {}],
    });
    const { analysis_id, events } = batches[1]!.results[0]!;
    expect(events).toMatchObject([{ event_id: `${analysis_id}-0`, approval: 'pending', t_start: '00:00' }]);
    expect(unanalyzed_videos).toEqual([{ folder_name: null, videos: [{ video_id: raw, filename: `${raw}.mp4` }] }]);
  });

  test('verdicts and corrections are in counts and downloads at once', async () => {
    const batch = await addBatch([await world.addVideo()], 4);
    const { id } = await create({ batch_ids: [batch] });
    const analysisId = (await download(id)).batches[0]!.results[0]!.analysis_id;
    const review = (index: number, json: object) => done('PATCH', `/api/events/${analysisId}-${index}`, json);
    await review(0, { approval: 'approved', label: 'A blue car' });
    await review(1, { approval: 'rejected' });
    await review(2, { approval: 'unsure' });
    expect((await get(id)).totals).toMatchObject({
      event_counts: { total: 4, approved: 1, rejected: 1, unsure: 1, pending: 1 },
    });
    const { events } = (await download(id)).batches[0]!.results[0]!;
    expect(events.map(({ approval }) => approval)).toEqual(['approved', 'rejected', 'unsure', 'pending']);
    const approved = (await download(id, { query: '?approval=approved' })).batches[0]!.results;
    expect(approved).toMatchObject([{ analysis_id: analysisId, events: [{ label: 'A blue car' }] }]);
    expect(approved[0]!.events).toHaveLength(1);
  });

  test('deleted videos disappear and return; a deleted batch is an error, and the rest stays', async () => {
    const [stays, goes] = [await world.addVideo(), await world.addVideo()];
    const [first, lost] = [await addBatch([stays, goes], 2), await addBatch([goes], 1)];
    const { id } = await create({ batch_ids: [lost, first], video_ids: [goes] });
    const videos = async () =>
      (await download(id)).batches.map(({ results }) => results.map(({ video_id }) => video_id));
    await done('DELETE', `/api/video/${goes}`);
    expect(await videos()).toEqual([[], [stays]]);
    expect(await get(id)).toMatchObject({ status: 'ready', totals: { video_count: 1, event_counts: { total: 2 } } });
    await done('POST', `/api/video/${goes}/restore`);
    expect(await videos()).toEqual([[goes], [stays, goes]]);

    await done('DELETE', `/api/video/${goes}?erase=true`);
    const [{ analysis_id }] = (await done('GET', `/api/batch/${lost}/status`)).videos as [{ analysis_id: string }];
    await done('DELETE', `/api/videos/${goes}/analyses/${analysis_id}`);
    expect(await get(id)).toMatchObject({
      batch_ids: [lost, first],
      totals: { batch_count: 1, video_count: 1 },
      failed_batches: [{ batch_id: lost, error: 'The batch was deleted.' }],
    });
    expect(await videos()).toEqual([[stays]]);
    const changed = await done('PATCH', `${PATH}/${id}`, { remove_batch_ids: [lost], refresh: true });
    expect(changed).toMatchObject({ status: 'ready', batch_ids: [first], failed_batches: [] });
  });

  test('it has no URL while one of its batches is processed', async () => {
    const { db } = world.library.database;
    const [ended, running] = [await addBatch([await world.addVideo()], 1), await addBatch([await world.addVideo()], 1)];
    await db.updateTable('batches').set({ status: 'processing' }).where('id', '=', running).execute();
    const dataset = await create({ batch_ids: [ended, running] });
    expect(dataset).toMatchObject({ status: 'processing', processing_progress: { completed: 1, total: 2 } });
    expect(await done('GET', `${PATH}/${dataset.id}/download`)).toEqual({ download_url: null });
    await db.updateTable('batches').set({ status: 'completed' }).where('id', '=', running).execute();
    expect((await download(dataset.id)).batches).toHaveLength(2);
  });

  test('a download reads the next documents only when the previous ones are consumed', async () => {
    let read = 0;
    async function* documents(): AsyncGenerator<{ videoId: string; analysisId: string; document: string | null }[]> {
      for (; read < 50; read++) {
        const document = JSON.stringify({ video_id: 'v', analysis: { status: 'COMPLETED' }, events: [] });
        yield [{ videoId: 'v', analysisId: 'a', document: read % 5 === 3 ? null : document }];
      }
    }
    async function* batches(): AsyncGenerator<DownloadedBatch> {
      yield { metadata: { batch_id: 'b', created_at: '' }, documents: documents(), splitOf: null };
    }
    let text = '';
    let taken = 0;
    let clipsRead = 0;
    async function* clips(): AsyncGenerator<object[]> {
      for (; clipsRead < 50; clipsRead++) yield [{ clip_id: String(clipsRead) }];
    }
    const input = { metadata: {}, batches: batches(), videos: [], approval: null, splits: null, splitOf: null };
    for await (const chunk of downloadJson({ ...input, clips: clips() })) {
      text += chunk;
      taken++;
      expect(read + clipsRead).toBeLessThan(taken * 2);
      await new Promise(setImmediate);
    }
    expect((JSON.parse(text) as Download).batches[0]!.results).toHaveLength(40);
    expect(JSON.parse(text)).toMatchObject({ clips: Array.from({ length: 50 }, (_, at) => ({ clip_id: String(at) })) });
  });
});

describe('splits', () => {
  const SHARES = '?val_share=0.3&test_share=0.3';
  /** The splits of each video in a download, sorted. */
  const splitsOf = ({ batches, unanalyzed_videos }: Download) => {
    const members = [
      ...batches.flatMap(({ results }) => results),
      ...unanalyzed_videos.flatMap(({ videos }) => videos),
    ];
    const found = [...Map.groupBy(members, ({ video_id }) => video_id)].sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(found.map(([id, each]) => [id, new Set(each.map(({ split }) => split))]));
  };

  test('a video is in one split: in all batches, datasets and downloads, whatever else they have', async () => {
    const videos = await Promise.all(Array.from({ length: 12 }, () => world.addVideo()));
    const [first, second] = [await addBatch(videos.slice(0, 8), 1), await addBatch(videos.slice(4, 8), 1)];
    const { id } = await create({ batch_ids: [first, second], video_ids: videos.slice(6) });
    const file = await download(id, { query: SHARES });
    expect(file.splits).toEqual({ val_share: 0.3, test_share: 0.3, seed: '' });
    const splits = splitsOf(file);
    expect([...splits.keys()]).toEqual([...videos].sort());
    for (const each of splits.values()) expect(each.size).toBe(1);
    for (const each of splits.values()) expect(['train', 'val', 'test']).toContain([...each][0]);
    expect(splitsOf(await download(id, { query: SHARES }))).toEqual(splits);

    const other = await create({ batch_ids: [second] });
    for (const [video, split] of splitsOf(await download(other.id, { query: SHARES })))
      expect(split).toEqual(splits.get(video));
    expect(splitsOf(await download(id, { query: `${SHARES}&seed=again` }))).not.toEqual(splits);
    const plain = await download(id);
    expect('splits' in plain).toBe(false);
    expect([...splitsOf(plain).values()]).toEqual(videos.map(() => new Set([undefined])));
  });

  test('all views of an event are in one split', async () => {
    const sets = await Promise.all(
      Array.from({ length: 8 }, async () => [await world.addVideo(), await world.addVideo()] as const),
    );
    for (const [front, left] of sets)
      await done('POST', '/api/multi-view/stitch', { primary_view_id: front, views: { front, left } });
    const { id } = await create({
      batch_ids: [
        await addBatch(
          sets.map(([, left]) => left),
          1,
        ),
      ],
      video_ids: sets.map(([front]) => front),
    });
    const splits = splitsOf(await download(id, { query: '?test_share=0.5' }));
    for (const [front, left] of sets) expect(splits.get(left)).toEqual(splits.get(front));
  });

  test('shares that leave nothing for training are refused, also in an altered URL', async () => {
    const { id } = await create({ video_ids: [await world.addVideo()] });
    const refused = { status: 400, json: { error: 'dataset_shares_invalid' } };
    expect(await call('GET', `${PATH}/${id}/download?val_share=0.5&test_share=0.5`)).toMatchObject(refused);
    const invalid = await call('GET', `${PATH}/${id}/download?val_share=2`);
    expect(invalid).toMatchObject({ status: 400, json: { errors: [{ param: 'val_share' }] } });
    const { download_url } = await done('GET', `${PATH}/${id}/download`);
    const { pathname, search } = new URL(String(download_url));
    expect(await world.api.call('GET', `${pathname}${search}&test_share=1`)).toMatchObject(refused);
  });
});

describe('changes', () => {
  test('batches and videos are added, removed and renamed; two changes at once are both applied', async () => {
    const [video, other] = [await world.addVideo(), await world.addVideo()];
    const batch = await addBatch([video], 1);
    const { id } = await create({ video_ids: [video] });
    expect(await get(id)).toMatchObject({ analysis_type: 'unanalyzed', status: 'ready' });
    await Promise.all([
      done('PATCH', `${PATH}/${id}`, { add_batch_ids: [batch], refresh: true }),
      done('PATCH', `${PATH}/${id}`, { add_video_ids: [other, video], name: null }),
      done('PATCH', `${PATH}/${id}`, { name: 'Night', search_description: 'at night', refresh: false }),
    ]);
    expect(await get(id)).toMatchObject({
      name: 'Night',
      search_description: 'at night',
      batch_ids: [batch],
      video_ids: [video, other],
    });
    await done('PATCH', `${PATH}/${id}`, { remove_video_ids: [video, other, 'unknown'] });
    const emptied = await call('PATCH', `${PATH}/${id}`, { remove_batch_ids: [batch] });
    expect(emptied).toMatchObject({ status: 400, json: { error: 'dataset_empty' } });
    expect(await get(id)).toMatchObject({ batch_ids: [batch], video_ids: [] });
  });

  test('unknown contents, none and too many are refused', async () => {
    const video = await world.addVideo();
    const { id } = await create({ video_ids: [video] });
    for (const [json, status, error] of [
      [{}, 400, 'dataset_empty'],
      [{ batch_ids: ['0'.repeat(32)] }, 404, 'batch_not_found'],
      [{ video_ids: [video, '0'.repeat(32)] }, 404, 'video_not_found'],
      [{ name: '', video_ids: [video] }, 400, 'request_invalid'],
      [{ batch_ids: Array(201).fill('a') }, 400, 'request_invalid'],
    ] as const) {
      const answer = await call('POST', PATH, { name: 'a', ...json });
      expect([answer.status, answer.json.error]).toEqual([status, error]);
    }
    const added = await call('PATCH', `${PATH}/${id}`, { add_batch_ids: ['0'.repeat(32)] });
    expect(added).toMatchObject({ status: 404, json: { error: 'batch_not_found' } });
    const { db } = world.library.database;
    const batchIds = Array.from({ length: 200 }, (_, i) => String(i));
    await db.updateTable('datasets').set({ batchIds }).where('id', '=', String(id)).execute();
    const batch = await addBatch([video], 1);
    const large = await call('PATCH', `${PATH}/${id}`, { add_batch_ids: [batch] });
    expect(large).toMatchObject({ status: 400, json: { error: 'dataset_too_large' } });
  });
});

describe('access', () => {
  test('a shared dataset has shared contents only, is read by members and changed by its creator and admins', async () => {
    const shared = await addBatch([await world.addVideo({ scope: 'org' })], 2);
    const personalVideo = await world.addVideo();
    const personal = await addBatch([personalVideo], 1);
    for (const contents of [{ batch_ids: [shared, personal] }, { batch_ids: [shared], video_ids: [personalVideo] }]) {
      const refused = await call('POST', PATH, { name: 'a', scope: 'org', ...contents });
      expect(refused).toMatchObject({ status: 400, json: { error: 'dataset_contents_personal' } });
    }
    const { id } = await create({ batch_ids: [shared], scope: 'org' });
    const added = await call('PATCH', `${PATH}/${id}`, { add_batch_ids: [personal] });
    expect(added).toMatchObject({ status: 400, json: { error: 'dataset_contents_personal' } });

    expect((await download(id, { key: colleague.key })).batches[0]!.results[0]!.events).toHaveLength(2);
    const changed = await call('PATCH', `${PATH}/${id}`, { name: 'b' }, colleague.key);
    expect(changed).toMatchObject({ status: 403, json: { error: 'dataset_forbidden' } });
    expect(await done('PATCH', `${PATH}/${id}`, { name: 'b' }, admin.key)).toMatchObject({ name: 'b' });
  });

  test('lists are a bare array of own or of shared datasets, newest first, in pages', async () => {
    const person = await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['read', 'write']);
    const video = await world.addVideo({ scope: 'org' });
    const ids: unknown[] = [];
    for (const scope of ['user', 'org', 'user'])
      ids.unshift((await create({ video_ids: [video], scope }, person.key)).id);
    const list = async (json: object, key = person.key) => {
      const found = (await done('POST', `${PATH}/list`, json, key)) as unknown as Json[];
      expect(Array.isArray(found)).toBe(true);
      return found.map(({ id }) => id);
    };
    expect(await list({})).toEqual(ids);
    expect(await list({ scope: 'user', limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await list({ limit: 2, before: ids[1] })).toEqual(ids.slice(2));
    expect((await list({ scope: 'org' }, colleague.key)).filter((id) => ids.includes(id))).toEqual([ids[1]]);
    expect(await list({ scope: 'user' }, colleague.key)).toEqual([]);
  });

  test('a URL works for its dataset only, and ends with it', async () => {
    const video = await world.addVideo();
    const [{ id }, other] = [await create({ video_ids: [video] }), await create({ video_ids: [video] })];
    const { download_url } = await done('GET', `${PATH}/${id}/download`);
    const { pathname, search } = new URL(String(download_url));
    const open = (path: string) => world.api.call('GET', path + search);
    const answer = await open(pathname);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=Crossings.json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const foreign = await open(pathname.replace(String(id), String(other.id)));
    expect(foreign).toMatchObject({ status: 403, json: { error: 'dataset_token_invalid' } });
    expect(await done('DELETE', `${PATH}/${id}`)).toEqual({ status: 'deleted', id });
    expect(await open(pathname)).toMatchObject({ status: 404, json: { error: 'dataset_not_found' } });
    expect(await call('GET', `${PATH}/${id}`)).toMatchObject({ status: 404, json: { error: 'dataset_not_found' } });
  });
});
