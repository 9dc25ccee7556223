// Clips of datasets through the API: what is accepted, who may add and read them, and what a download has of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvent } from '#test/events';
import { type AnalysesWorld, openAnalyses } from '../../analyses/analyses.fixture.ts';
import { requestsTo } from '../datasets.fixture.ts';
import { clipStore } from './index.ts';

const PATH = '/api/data-curation/datasets';

type Json = Record<string, unknown>;
type Clip = { clip_id: string; video_id: string; start_s: number; end_s: number; label: string | null; split?: string };
type Dataset = { id: string; totals: { clip_count: number; video_count: number }; clips: Clip[] };

let world: AnalysesWorld;
let colleague: string;
beforeAll(async () => {
  world = await openAnalyses({ SIGHTLINE_RESTORE_HOURS: '1' });
  const { library, caller } = world;
  colleague = (await library.keyOf(await library.addUser(caller.orgId), ['read', 'write'])).key;
});
afterAll(() => world?.close());

const { call, done, fetchSigned } = requestsTo(() => world);
const create = (json: object) => done<Dataset>('POST', PATH, { name: 'Crossings', ...json });
const change = (id: string, json: object) => done<Dataset>('PATCH', `${PATH}/${id}`, json);
const get = (id: string, key?: string) => done<Dataset>('GET', `${PATH}/${id}`, undefined, key);
const clip = (video_id: string, start_s: number, end_s: number, label?: string) => ({
  video_id,
  start_s,
  end_s,
  ...(label !== undefined && { label }),
});
const ranges = (clips: readonly Clip[]) => clips.map(({ start_s, end_s, label }) => [start_s, end_s, label]);

async function download(id: string, query = ''): Promise<{ dataset_metadata: Json; splits?: Json; clips: Clip[] }> {
  const { download_url } = await done('GET', `${PATH}/${id}/download${query}`);
  return (await (await fetchSigned(download_url)).json()) as Awaited<ReturnType<typeof download>>;
}

test('clips are in the dataset and its download by video and time, equal ones once', async () => {
  const [first, second] = [await world.addVideo(), await world.addVideo()];
  const made = await create({
    clips: [
      clip(second, 3, 4.5),
      clip(first, 2, 5, 'a car'),
      clip(first, 0, 1),
      clip(first, 0, 0.25),
      clip(first, 2, 5, 'a bus'),
      clip(first, 2, 5, 'a car'),
      { ...clip(first, 0, 1), label: null },
    ],
  });
  expect(made).toMatchObject({
    status: 'ready',
    analysis_type: 'unanalyzed',
    batch_ids: [],
    video_ids: [],
    totals: { clip_count: 5, video_count: 0 },
  });
  expect(made.clips.map(({ video_id }) => video_id)).toEqual([first, first, first, first, second]);
  expect(ranges(made.clips).slice(0, 2)).toEqual([
    [0, 0.25, null],
    [0, 1, null],
  ]);
  expect(ranges(made.clips).slice(2, 4)).toEqual(
    expect.arrayContaining([
      [2, 5, 'a car'],
      [2, 5, 'a bus'],
    ]),
  );
  expect(made.clips[4]).toEqual({
    clip_id: expect.stringMatching(/^\w{32}$/),
    video_id: second,
    video_name: `${second}.mp4`,
    start_s: 3,
    end_s: 4.5,
    label: null,
  });
  expect(await get(made.id)).toEqual(made);
  const { dataset_metadata, clips } = await download(made.id);
  expect(clips).toEqual(made.clips);
  const { clips: _, ...withoutClips } = made;
  expect(dataset_metadata).toEqual(withoutClips);
  const listed = (await done<Dataset[]>('POST', `${PATH}/list`, {})).find(({ id }) => id === made.id);
  expect(listed).toEqual(withoutClips);
});

test('clips are added and removed; two changes at once are both applied', async () => {
  const video = await world.addVideo();
  const made = await create({ clips: [clip(video, 0, 1)] });
  const [{ clip_id }] = made.clips as [Clip];
  await Promise.all([
    change(made.id, { add_clips: [clip(video, 0, 1), clip(video, 1, 2)] }),
    change(made.id, { add_clips: [clip(video, 2, 3, 'a tram')] }),
    change(made.id, { name: 'Night', add_clips: null }),
  ]);
  expect(ranges((await get(made.id)).clips)).toEqual([
    [0, 1, null],
    [1, 2, null],
    [2, 3, 'a tram'],
  ]);
  const other = await create({ clips: [clip(video, 4, 5)] });
  const changed = await change(made.id, { remove_clip_ids: [clip_id, other.clips[0]!.clip_id, 'unknown'] });
  expect(ranges(changed.clips)).toEqual([
    [1, 2, null],
    [2, 3, 'a tram'],
  ]);
  expect((await get(other.id)).clips).toHaveLength(1);
  const removed = { remove_clip_ids: changed.clips.map((each) => each.clip_id) };
  const emptied = await call('PATCH', `${PATH}/${made.id}`, removed);
  expect(emptied).toMatchObject({ status: 400, json: { error: 'dataset_empty' } });
  expect((await get(made.id)).clips).toHaveLength(2);
  // Replaced in one change.
  expect(ranges((await change(made.id, { ...removed, add_clips: [clip(video, 1, 2)] })).clips)).toEqual([[1, 2, null]]);
});

test('ranges outside of the video, videos that are not ready or unknown, and too many clips are refused', async () => {
  const [video, unready] = [await world.addVideo(), await world.addVideo({}, false)];
  const { durationS } = (await world.library.videos.find(video))!;
  const { id } = await create({ clips: [clip(video, 0, durationS!)] });
  for (const [clips, status, error] of [
    [[clip(video, 0, durationS! + 0.001)], 400, 'dataset_clip_invalid'],
    [[clip(video, 1, 1)], 400, 'dataset_clip_invalid'],
    [[clip(video, 0, 1), clip(video, 2, 1)], 400, 'dataset_clip_invalid'],
    [[clip(unready, 0, 1)], 400, 'dataset_clip_invalid'],
    [[clip('0'.repeat(32), 0, 1)], 404, 'video_not_found'],
    [[clip(video, -1, 1)], 400, 'request_invalid'],
    [[clip(video, 0, 1, 'x'.repeat(201))], 400, 'request_invalid'],
    [Array(1_001).fill(clip(video, 0, 1)), 400, 'request_invalid'],
  ] as const) {
    const answers = [
      await call('POST', PATH, { name: 'a', clips }),
      await call('PATCH', `${PATH}/${id}`, { add_clips: clips }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual(Array(2).fill([status, error]));
  }
  const many = Array.from({ length: 9_999 }, (_, at) => ({
    videoId: video,
    startS: 0,
    endS: 1,
    label: String(at),
  }));
  await world.library.database.transaction((trx) => clipStore.insertClips(trx, id, many));
  const full = await call('PATCH', `${PATH}/${id}`, { add_clips: [clip(video, 0, 2)] });
  expect(full).toMatchObject({ status: 400, json: { error: 'dataset_too_large' } });
  const { totals, clips } = await get(id);
  expect([totals.clip_count, clips.length, new Set(clips.map(({ clip_id }) => clip_id)).size]).toEqual(
    Array(3).fill(10_000),
  );
  expect((await download(id)).clips).toEqual(clips);
});

test('nobody adds clips of videos of others, and a shared dataset has clips of shared videos only', async () => {
  const [personal, shared] = [await world.addVideo(), await world.addVideo({ scope: 'org' })];
  const foreign = await call('POST', PATH, { name: 'a', clips: [clip(personal, 0, 1)] }, colleague);
  expect(foreign).toMatchObject({ status: 403, json: { error: 'video_forbidden' } });
  const refused = { status: 400, json: { error: 'dataset_contents_personal' } };
  expect(await call('POST', PATH, { name: 'a', scope: 'org', clips: [clip(personal, 0, 1)] })).toMatchObject(refused);
  const { id } = await create({ scope: 'org', clips: [clip(shared, 0, 1)] });
  expect(await call('PATCH', `${PATH}/${id}`, { add_clips: [clip(personal, 0, 1)] })).toMatchObject(refused);
  const { clips } = await get(id, colleague);
  expect(ranges(clips)).toEqual([[0, 1, null]]);
  for (const json of [{ add_clips: [clip(shared, 1, 2)] }, { remove_clip_ids: [clips[0]!.clip_id] }])
    expect(await call('PATCH', `${PATH}/${id}`, json, colleague)).toMatchObject({
      json: { error: 'dataset_forbidden' },
    });
  const own = await create({ clips: [clip(personal, 0, 1)] });
  expect(await call('GET', `${PATH}/${own.id}`, undefined, colleague)).toMatchObject({ status: 403 });
});

test('clips of a deleted video leave and return, and end with the erased video and with the dataset', async () => {
  const [stays, goes] = [await world.addVideo(), await world.addVideo()];
  const { id } = await create({ clips: [clip(stays, 0, 1), clip(goes, 0, 1)] });
  const contents = async () => {
    const { totals, clips } = await get(id);
    expect((await download(id)).clips).toEqual(clips);
    return [totals.clip_count, clips.map(({ video_id }) => video_id)];
  };
  await done('DELETE', `/api/video/${goes}`);
  expect(await contents()).toEqual([1, [stays]]);
  await done('POST', `/api/video/${goes}/restore`);
  expect(await contents()).toEqual([2, [stays, goes]]);
  const rows = (column: 'videoId' | 'datasetId', value: string) =>
    world.library.database.db.selectFrom('datasetClips').select('id').where(column, '=', value).execute();
  await done('DELETE', `/api/video/${goes}?erase=true`);
  await expect.poll(() => rows('videoId', goes), { timeout: 60_000 }).toEqual([]);
  expect(await contents()).toEqual([1, [stays]]);
  await done('DELETE', `${PATH}/${id}`);
  expect(await rows('datasetId', id)).toEqual([]);
});

test('the ranges of events that match a filter are clips with their labels', async () => {
  world.engine.events = [createEvent(0), createEvent(1), createEvent(2)];
  const video = await world.addVideo();
  const query = { query: 'a car', video_ids: [video] };
  const { batch_id } = await done<{ batch_id: string }>('POST', '/api/router/v2/query/start', query);
  const status = async () => (await done('GET', `/api/batch/${batch_id}/status`)).status;
  await expect.poll(status, { timeout: 60_000, interval: 20 }).toBe('completed');
  type Event = { event_id: string; label: string; start_s: number; end_s: number };
  const listed = await done<{ events: Event[] }>('GET', `/api/events?batch_id=${batch_id}`);
  const events = listed.events.toSorted((a, b) => a.start_s - b.start_s);
  expect(events).toHaveLength(3);
  const label = '🚗'.repeat(300);
  await done<Dataset>('PATCH', `/api/events/${events[1]!.event_id}`, { approval: 'approved', label });
  await done<Dataset>('PATCH', `/api/events/${events[2]!.event_id}`, { approval: 'approved' });

  const made = await create({ clips_of_events: { batch_id } });
  const rangeOf = ({ start_s, end_s }: Event, text: string) => [start_s, end_s, text];
  const all = [
    rangeOf(events[0]!, events[0]!.label),
    rangeOf(events[1]!, '🚗'.repeat(200)),
    rangeOf(events[2]!, events[2]!.label),
  ];
  expect(ranges(made.clips)).toEqual(all);
  const other = await create({ clips: [clip(video, 0, 0.5)] });
  const selected = { add_clips_of_events: { batch_id, approval: 'approved', created_after: '2020-01-01T00:00:00Z' } };
  for (const count of [3, 3]) {
    const { clips } = await change(other.id, selected);
    expect(clips).toHaveLength(count);
    expect(ranges(clips)).toEqual(expect.arrayContaining(all.slice(1)));
  }
  const none = await call('POST', PATH, { name: 'a', clips_of_events: { batch_id, label: 'nothing' } });
  expect(none).toMatchObject({ status: 400, json: { error: 'dataset_empty' } });
  const shared = await call('POST', PATH, { name: 'a', scope: 'org', clips_of_events: { batch_id } });
  expect(shared).toMatchObject({ status: 400, json: { error: 'dataset_contents_personal' } });
  // Events of others do not match; their videos are refused.
  const foreign = await call('POST', PATH, { name: 'a', clips_of_events: { batch_id } }, colleague);
  expect(foreign).toMatchObject({ status: 400, json: { error: 'dataset_empty' } });
  const unreadable = await call('POST', PATH, { name: 'a', clips_of_events: { video_id: video } }, colleague);
  expect(unreadable).toMatchObject({ status: 403, json: { error: 'video_forbidden' } });
});

test('a clip is in the split of its video', async () => {
  const videos = await Promise.all(Array.from({ length: 12 }, () => world.addVideo()));
  const { id } = await create({
    video_ids: videos,
    clips: videos.flatMap((video) => [clip(video, 0, 1), clip(video, 1, 2)]),
  });
  const file = (await download(id, '?val_share=0.3&test_share=0.3')) as unknown as {
    unanalyzed_videos: { videos: { video_id: string; split: string }[] }[];
    clips: Clip[];
  };
  const splits = new Map(file.unanalyzed_videos[0]!.videos.map(({ video_id, split }) => [video_id, split]));
  expect(file.clips).toHaveLength(24);
  for (const { video_id, split } of file.clips) expect(split).toBe(splits.get(video_id));
  expect(new Set(splits.values()).size).toBeGreaterThan(1);
  expect((await download(id)).clips.filter((each) => 'split' in each)).toEqual([]);
});
