// Frozen versions of datasets: what they have, that nothing changes them, and what deletion leaves.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PUBLIC_URL } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../../analyses/analyses.fixture.ts';
import { requestsTo } from '../datasets.fixture.ts';

type Json = Record<string, unknown>;
type Event = Json & { event_id: string; label: string; approval: string };
type Version = Json & { number: number; status: string; sha256: string; size_bytes: number };
type File = {
  version: Json;
  dataset_metadata: Json;
  splits?: Json;
  batches: { batch_metadata: Json; results: (Json & { video_id: string; split?: string; events: Event[] })[] }[];
  unanalyzed_videos: { folder_name: string | null; videos: Json[] }[];
  clips?: (Json & { clip_id: string; video_id: string; split?: string })[];
};

const WAIT = { timeout: 60_000, interval: 20 };

let world: AnalysesWorld;
let colleague: string;
beforeAll(async () => {
  world = await openAnalyses({ SIGHTLINE_RESTORE_HOURS: '1' });
  const { library, caller } = world;
  colleague = (await library.keyOf(await library.addUser(caller.orgId), ['read', 'write'])).key;
});
afterAll(() => world?.close());

const { call, done, addBatch, fetchSigned } = requestsTo(() => world);
const addDataset = async (json: object) =>
  String((await done('POST', '/api/data-curation/datasets', { name: 'Crossings', ...json })).id);
const versionsOf = (datasetId: string) => `/api/datasets/${datasetId}/versions`;
const get = (datasetId: string, number = 1) => done<Version>('GET', `${versionsOf(datasetId)}/${number}`);

async function freeze(datasetId: string, json: object = {}): Promise<Version> {
  const { number, status } = await done<Version>('POST', versionsOf(datasetId), json);
  expect(status).toBe('processing');
  await vi.waitFor(async () => expect((await get(datasetId, number)).status).toBe('ready'), WAIT);
  return get(datasetId, number);
}

/** Fetches the signed URL without a key. */
async function download(datasetId: string, number = 1): Promise<{ bytes: Buffer; file: File }> {
  const { download_url } = await done('GET', `${versionsOf(datasetId)}/${number}/download`);
  const bytes = Buffer.from(await (await fetchSigned(download_url)).arrayBuffer());
  return { bytes, file: JSON.parse(bytes.toString()) as File };
}
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const labels = ({ batches }: File) =>
  batches.map(({ results }) => results.map(({ events }) => events.map(({ label }) => label)));

describe('a version', () => {
  test('has what the download of its dataset had, and keeps it, byte for byte', async () => {
    const [first, second, raw] = [await world.addVideo(), await world.addVideo(), await world.addVideo()];
    const [one, empty] = [await addBatch([first, second], 3), await addBatch([first], 0, 'a bus')];
    const datasetId = await addDataset({ batch_ids: [empty, one], video_ids: [raw] });
    const list = async () => (await done<{ events: Event[] }>('GET', `/api/events?batch_id=${one}`)).events;
    const [event] = await list();
    const change = { approval: 'approved', label: 'A "blue" car ü', start_s: 0.5, note: 'seen' };
    await done('PATCH', `/api/events/${event!.event_id}`, change);

    const version = await freeze(datasetId, { name: 'Spring' });
    expect(version).toMatchObject({
      dataset_id: datasetId,
      number: 1,
      name: 'Spring',
      status: 'ready',
      splits: null,
      missing_videos: 0,
      video_count: 3,
      event_count: 6,
      created_by: world.caller.userId,
    });
    const frozen = await download(datasetId);
    expect([digest(frozen.bytes), frozen.bytes.length]).toEqual([version.sha256, version.size_bytes]);
    const live = await done('GET', `/api/data-curation/datasets/${datasetId}/download`);
    const current = (await (await fetch(String(live.download_url).replace(PUBLIC_URL, world.api.base))).json()) as File;
    const { version: facts, ...content } = frozen.file;
    expect(facts).toMatchObject({ number: 1, name: 'Spring', missing_videos: 0 });
    // Incidents may change with later answers and verdicts, so a version has none.
    const changing = ['annotated_thumbnail_url', 'incident_id'];
    const withoutChanging = JSON.parse(
      JSON.stringify(current, (name, value) => (changing.includes(name) ? undefined : value)),
    );
    expect(content).toEqual(withoutChanging);
    expect(JSON.stringify(content)).toContain('A \\"blue\\" car ü');

    await done('PATCH', `/api/events/${event!.event_id}`, { approval: 'rejected', label: 'A bus', end_s: 2 });
    const { analysis_id, video_id } = event as unknown as { analysis_id: string; video_id: string };
    const missed = { label: 'missed', start_s: 1, end_s: 2 };
    await done('POST', `/api/videos/${video_id}/analyses/${analysis_id}/events`, missed);
    const more = await addBatch([second], 2, 'a tram');
    const changed = { name: 'Autumn', add_batch_ids: [more], remove_batch_ids: [empty] };
    await done('PATCH', `/api/data-curation/datasets/${datasetId}`, changed);
    await done('PATCH', `/api/video/${raw}`, { name: 'renamed.mp4' });
    await done('DELETE', `/api/videos/${video_id}/analyses/${analysis_id}`);
    expect((await download(datasetId)).bytes).toEqual(frozen.bytes);
    expect(await get(datasetId)).toEqual(version);

    const next = await freeze(datasetId);
    expect(next).toMatchObject({ number: 2, name: 'Version 2', event_count: 5 });
    expect(next.sha256).not.toBe(version.sha256);
    const { versions } = await done<{ versions: Version[] }>('GET', versionsOf(datasetId));
    expect(versions).toEqual([next, version]);
  });

  test('has the events of its filter, and the splits of its seed', async () => {
    const videoIds = await Promise.all(Array.from({ length: 8 }, () => world.addVideo()));
    const batchId = await addBatch(videoIds, 2);
    const datasetId = await addDataset({ batch_ids: [batchId] });
    const { events } = await done<{ events: Event[] }>('GET', `/api/events?batch_id=${batchId}`);
    await done('POST', '/api/events/review', {
      event_ids: events.filter(({ label }) => label === 'red car 0').map(({ event_id }) => event_id),
      approval: 'approved',
    });
    const request = { approval: 'approved', types: ['object'], val_share: 0.3, test_share: 0.3, seed: 'x' };
    const version = await freeze(datasetId, { ...request, labels: ['red car 0', 'x'], min_confidence: 0.5 });
    expect(version).toMatchObject({ event_count: 8, splits: { val_share: 0.3, test_share: 0.3, seed: 'x' } });
    const { file } = await download(datasetId);
    expect(labels(file)).toEqual([Array(8).fill(['red car 0'])]);
    expect(file.splits).toEqual(version.splits);
    const live = await done(
      'GET',
      `/api/data-curation/datasets/${datasetId}/download?val_share=0.3&test_share=0.3&seed=x`,
    );
    const current = (await (await fetch(String(live.download_url).replace(PUBLIC_URL, world.api.base))).json()) as File;
    const splits = ({ batches }: File) => batches[0]!.results.map(({ video_id, split }) => [video_id, split]);
    expect(splits(file)).toEqual(splits(current));

    // Without these events, the analyses are negatives.
    for (const filter of [{ labels: ['nothing'] }, { types: ['cut'] }, { min_confidence: 0.9 }, { approval: 'unsure' }])
      expect(await freeze(datasetId, filter), JSON.stringify(filter)).toMatchObject({ event_count: 0, video_count: 8 });
    expect(labels((await download(datasetId, 2)).file)).toEqual([Array(8).fill([])]);
  });

  test('lacks deleted videos, has them again when they are restored, and loses them when they are erased', async () => {
    const [stays, goes] = [await world.addVideo(), await world.addVideo()];
    const batchId = await addBatch([goes, stays], 1);
    const datasetId = await addDataset({ batch_ids: [batchId], video_ids: [goes] });
    const version = await freeze(datasetId);
    const frozen = await download(datasetId);

    await done('DELETE', `/api/video/${goes}`);
    expect(await get(datasetId)).toEqual({ ...version, missing_videos: 1 });
    const less = await download(datasetId);
    expect(less.bytes.toString()).not.toContain(`${goes}.mp4`);
    expect(less.file.version.missing_videos).toBe(1);
    expect(less.file.batches[0]!.results.map(({ video_id }) => video_id)).toEqual([stays]);
    await done('POST', `/api/video/${goes}/restore`);
    expect((await download(datasetId)).bytes).toEqual(frozen.bytes);

    await done('DELETE', `/api/video/${goes}?erase=true`);
    const rows = () =>
      world.library.database.db
        .selectFrom('datasetVersionRows')
        .select('videoId')
        .where('videoId', '=', goes)
        .execute();
    await expect.poll(rows, WAIT).toEqual([]);
    expect(await get(datasetId)).toMatchObject({ missing_videos: 1, video_count: 2, sha256: version.sha256 });
    await done('DELETE', `/api/video/${stays}?erase=true`);
    const { file } = await download(datasetId);
    expect([file.batches.length, labels(file), file.unanalyzed_videos]).toEqual([1, [[]], []]);
  });
});

describe('clips of a version', () => {
  const clip = (video_id: string, start_s: number, end_s: number, label?: string) => ({
    video_id,
    start_s,
    end_s,
    label,
  });

  test('stay as they were, byte for byte, with their splits; those of deleted videos leave and return', async () => {
    const [first, second, raw] = [await world.addVideo(), await world.addVideo(), await world.addVideo()];
    const datasetId = await addDataset({
      batch_ids: [await addBatch([first], 2), await addBatch([raw], 0, 'a bus')],
      video_ids: [raw],
      clips: [clip(second, 0, 1.25), clip(first, 2, 3, 'A "blue" car ü'), clip(first, 0.1, 0.2), clip(second, 0, 1)],
    });
    const shares = { val_share: 0.3, test_share: 0.3, seed: 'x' };
    const version = await freeze(datasetId, shares);
    expect(version).toMatchObject({ video_count: 3, event_count: 2, clip_count: 4, missing_videos: 0 });
    const frozen = await download(datasetId);
    expect([digest(frozen.bytes), frozen.bytes.length]).toEqual([version.sha256, version.size_bytes]);
    const live = await done(
      'GET',
      `/api/data-curation/datasets/${datasetId}/download?val_share=0.3&test_share=0.3&seed=x`,
    );
    const current = (await (await fetch(String(live.download_url).replace(PUBLIC_URL, world.api.base))).json()) as File;
    expect(frozen.file.clips).toEqual(current.clips);
    expect(frozen.file.unanalyzed_videos).toEqual(current.unanalyzed_videos);
    expect(frozen.file.batches.map(({ results }) => results.length)).toEqual([1, 1]);
    expect(frozen.file.clips!.map(({ start_s, end_s, label, split }) => [start_s, end_s, label, typeof split])).toEqual(
      [
        [0.1, 0.2, null, 'string'],
        [2, 3, 'A "blue" car ü', 'string'],
        [0, 1, null, 'string'],
        [0, 1.25, null, 'string'],
      ],
    );

    const { clip_id } = frozen.file.clips![0]!;
    const change = { remove_clip_ids: [clip_id], add_clips: [clip(first, 5, 6, 'new')], name: 'Autumn' };
    await done('PATCH', `/api/data-curation/datasets/${datasetId}`, change);
    await done('PATCH', `/api/video/${second}`, { name: 'renamed.mp4' });
    expect((await download(datasetId)).bytes).toEqual(frozen.bytes);
    expect(await get(datasetId)).toEqual(version);

    await done('DELETE', `/api/video/${second}`);
    expect(await get(datasetId)).toMatchObject({ missing_videos: 1, clip_count: 4 });
    expect((await download(datasetId)).file.clips!.map(({ video_id }) => video_id)).toEqual([first, first]);
    await done('POST', `/api/video/${second}/restore`);
    expect((await download(datasetId)).bytes).toEqual(frozen.bytes);
    await done('DELETE', `/api/video/${second}?erase=true`);
    await done('DELETE', `/api/video/${first}?erase=true`);
    const { file } = await download(datasetId);
    expect([file.clips, file.batches.map(({ results }) => results.length)]).toEqual([[], [0, 1]]);
  });

  test('are absent in the file of a version from before datasets had clips, which is still the same', async () => {
    const { db } = world.library.database;
    const video = await world.addVideo();
    const datasetId = await addDataset({ video_ids: [video], clips: [clip(video, 0, 1)] });
    await freeze(datasetId, { name: 'Spring' });
    const current = await download(datasetId);
    // As an earlier version of the service stored the same dataset without the clip.
    const head = JSON.stringify({ dataset: '{"name":"Crossings"}', batches: ['{"batch_id":"b"}'] });
    const versionId = (
      await db.selectFrom('datasetVersions').select('id').where('datasetId', '=', datasetId).execute()
    )[0]!;
    await db.updateTable('datasetVersions').set({ head }).where('id', '=', versionId.id).execute();
    await db
      .deleteFrom('datasetVersionRows')
      .where('versionId', '=', versionId.id)
      .where('isClip', '=', true)
      .execute();
    const { bytes } = await download(datasetId);
    const { version } = current.file;
    const videos = [{ filename: `${video}.mp4`, video_id: video }];
    expect(bytes.toString()).toBe(
      `{"version":${JSON.stringify(version)},"dataset_metadata":{"name":"Crossings"},"batches":[` +
        '{"batch_metadata":{"batch_id":"b"},"results":[]}],' +
        `"unanalyzed_videos":[{"folder_name":null,"videos":${JSON.stringify(videos)}}]}\n`,
    );
  });
});

describe('versions', () => {
  test('follow the access to their dataset, and end with it', async () => {
    const datasetId = await addDataset({ video_ids: [await world.addVideo({ scope: 'org' })], scope: 'org' });
    await freeze(datasetId);
    const path = `${versionsOf(datasetId)}/1`;
    expect(await done('GET', path, undefined, colleague)).toMatchObject({ number: 1 });
    const refused = [
      await call('POST', versionsOf(datasetId), {}, colleague),
      await call('DELETE', path, undefined, colleague),
    ];
    expect(refused.map(({ status, json }) => [status, json.error])).toEqual(Array(2).fill([403, 'dataset_forbidden']));
    const { download_url } = await done('GET', `${path}/download`);
    const url = String(download_url).replace(PUBLIC_URL, world.api.base);
    expect((await fetch(url.replace('/1/file', '/2/file'))).status).toBe(403);
    expect(await done('DELETE', path)).toEqual({ status: 'deleted', dataset_id: datasetId, number: 1 });
    expect((await fetch(url)).status).toBe(403);
    expect((await call('GET', path)).json.error).toBe('dataset_version_not_found');
    expect(await freeze(datasetId)).toMatchObject({ number: 2 });
    await done('DELETE', `/api/data-curation/datasets/${datasetId}`);
    expect((await call('GET', versionsOf(datasetId))).json.error).toBe('dataset_not_found');
    const { db } = world.library.database;
    expect(await db.selectFrom('datasetVersions').select('id').where('datasetId', '=', datasetId).execute()).toEqual(
      [],
    );
  });

  test('wait for their batches, and are limited', async () => {
    const { db } = world.library.database;
    const batchId = await addBatch([await world.addVideo()], 1);
    const datasetId = await addDataset({ batch_ids: [batchId] });
    await db.updateTable('batches').set({ status: 'processing' }).where('id', '=', batchId).execute();
    expect((await call('POST', versionsOf(datasetId), {})).json.error).toBe('dataset_processing');
    await db.updateTable('batches').set({ status: 'completed' }).where('id', '=', batchId).execute();
    const shares = { val_share: 0.5, test_share: 0.5 };
    expect((await call('POST', versionsOf(datasetId), shares)).json.error).toBe('dataset_shares_invalid');
    const rows = Array.from({ length: 100 }, (_, index) => ({
      id: `${datasetId}-${index}`,
      datasetId,
      number: index + 10,
      name: 'x',
      createdBy: 'x',
      filter: '{}',
      status: 'failed',
    }));
    await db.insertInto('datasetVersions').values(rows).execute();
    expect((await call('POST', versionsOf(datasetId), {})).json.error).toBe('dataset_versions_full');
  });

  test('that are frozen at once get different numbers', async () => {
    const datasetId = await addDataset({ video_ids: [await world.addVideo()] });
    const made = await Promise.all(Array.from({ length: 5 }, () => freeze(datasetId)));
    expect(made.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});
