// Exports of selections through the API: files, access to them, and what could not be included.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { McapStreamReader } from '@mcap/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import { createEvent } from '#test/events';
import { PUBLIC_URL } from '#test/library';
import { sceneClip } from '#test/media/clips';
import { type AnalysesWorld, openAnalyses } from '../../analyses/analyses.fixture.ts';
import { buildDatasetExport } from '../jobs.ts';

const PATH = '/api/exports/dataset';
const WAIT = { timeout: 60_000, interval: 50 };
const HOSTILE = '..\\../a:"b"\u202e <night>.mp4';

type Json = Record<string, unknown>;
type File = { path: string; role: string; url: string; bytes: number; sha256: string };
type Manifest = { status: string; files: File[]; gaps: Json[] };
let world: AnalysesWorld;
let recording: Buffer;

/** A video with two events. */
async function analyze(): Promise<[videoId: string, analysisId: string]> {
  world.engine.events = [0, 1].map((index) => {
    const boxes = [{ x: 0.25, y: 0.5, width: 0.1, height: 0.2, label: 'car' }];
    return createEvent(index, { frames: [{ role: 'best', timeS: 2 * index + 1, pts: 0, boxes }] });
  });
  const video = await world.library.addStored(world.caller, recording, { scope: 'org' });
  const analysis = await world.start(video);
  const status = async () => (await world.call(video, analysis, '/status')).json.status;
  await vi.waitFor(async () => expect(await status()).toBe('COMPLETED'), WAIT);
  return [video, analysis];
}

beforeAll(async () => {
  recording = await readFile(await sceneClip());
  world = await openAnalyses({}, { media: true });
});
afterAll(() => world?.close());

const send = (method: string, path: string, json?: object, key = world.key) =>
  world.api.call(method, path, json ? { key, json } : { key });
const local = (url: unknown) => fetch(String(url).replace(PUBLIC_URL, world.api.base));

async function exported(selection: object): Promise<Json> {
  const { status, json, text } = await send('POST', PATH, selection);
  expect(status, text).toBe(200);
  const get = async () => (await send('GET', `${PATH}/${json.export_id}`)).json;
  await vi.waitFor(async () => expect((await get()).status).toMatch(/^(completed|failed)/), WAIT);
  return get();
}
const manifestOf = async (done: Json) => (await (await local(done.manifest_url)).json()) as Manifest;

/** The messages of an MCAP file by topic. */
function messagesOf(file: Buffer): Record<string, Json[]> {
  const reader = new McapStreamReader();
  reader.append(file);
  const topics = new Map<number, string>();
  const found: Record<string, Json[]> = {};
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Channel') topics.set(record.id, record.topic);
    if (record.type !== 'Message') continue;
    const value = JSON.parse(new TextDecoder().decode(record.data));
    const topic = topics.get(record.channelId)!;
    found[topic] = [...(found[topic] ?? []), { ...value, at: Number(record.logTime) / 1e9 }];
  }
  expect(reader.done()).toBe(true);
  return found;
}

test('selected events lie beside their videos, and each file is what the manifest says', async () => {
  const [[first, one], [second, two]] = [await analyze(), await analyze()];
  const { db } = world.library.database;
  await db.updateTable('videos').set({ name: HOSTILE }).where('id', '=', second).execute();
  const event_ids = [`${one}-1`, `${two}-0`, `${two}-1`, `${two}-0`];
  await send('PATCH', `/api/events/${one}-1`, { approval: 'approved' });
  const done = await exported({ video_ids: [first, second], event_ids, dataset_id: 'd1' });
  expect(done).toMatchObject({ status: 'completed', event_count: 3, gaps: [], error: null, dataset_id: 'd1' });
  expect(done.progress).toEqual({ built: 2, sessions_total: 2 });

  const { files, gaps } = await manifestOf(done);
  expect(gaps).toEqual([]);
  const { name } = (await world.library.videos.find(first))!;
  expect(files.map(({ path, role }) => [role, path])).toEqual([
    ['annotations', `sessions/${first}/${first}.annotations.mcap`],
    ['source', `sessions/${first}/${name}`],
    ['annotations', `sessions/${second}/${second}.annotations.mcap`],
    ['source', `sessions/${second}/__.._a__b__ _night_.mp4`],
  ]);
  const downloads = await Promise.all(
    files.map(async ({ url, bytes, sha256 }) => {
      const content = Buffer.from(await (await local(url)).arrayBuffer());
      expect(content.length).toBe(bytes);
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      return content;
    }),
  );
  expect(downloads[1]!.equals(recording)).toBe(true);
  expect(messagesOf(downloads[0]!)).toMatchObject({
    '/events': [{ event_id: `${one}-1`, approval: 'approved', at: 2.34 }],
    '/annotations': [{ at: 3, texts: [{ text: 'car' }] }],
  });
  expect(messagesOf(downloads[2]!)['/events']!.map(({ event_id }) => event_id)).toEqual([`${two}-0`, `${two}-1`]);

  const renewed = (await send('POST', `${PATH}/${done.export_id}/refresh-urls`)).json;
  expect((await manifestOf(renewed)).files).toHaveLength(4);
});

test('without events, all events of the videos are exported', async () => {
  const [video, analysis] = await analyze();
  const done = await exported({ video_ids: [video, video], event_ids: [] });
  expect(done).toMatchObject({ status: 'completed', event_count: 2, progress: { built: 1, sessions_total: 1 } });
  const [{ url }] = (await manifestOf(done)).files as [File];
  const { '/events': events } = messagesOf(Buffer.from(await (await local(url)).arrayBuffer()));
  expect(events!.map(({ event_id }) => event_id)).toEqual([`${analysis}-0`, `${analysis}-1`]);
});

test('what was deleted is a gap with a reason, at the time of the export and after it', async () => {
  const [[present, one], [lost, two]] = [await analyze(), await analyze()];
  const before = await exported({ video_ids: [present, lost], event_ids: [`${one}-0`, `${two}-0`] });
  expect(before.status).toBe('completed');
  await send('DELETE', `/api/video/${lost}`);
  expect(await manifestOf(before)).toMatchObject({
    status: 'completed_with_gaps',
    files: [{ role: 'annotations' }, { role: 'source' }],
    gaps: [{ video_id: lost, event_id: null, reason: 'The video was deleted.' }],
  });

  // As if it was deleted between the request and the job.
  const { db } = world.library.database;
  const id = newId();
  const { orgId, ownerId } = (await world.library.videos.find(present))!;
  await db
    .insertInto('datasetExports')
    .values({
      id,
      orgId,
      ownerId: ownerId!,
      asAdmin: false,
      videoIds: [present, lost],
      eventIds: [`${one}-0`, `${two}-0`],
      status: 'queued',
      expiresAt: new Date(Date.now() + 60_000),
    })
    .execute();
  await world.library.database.transaction((trx) =>
    world.library.jobs.send(trx, buildDatasetExport, { exportId: id }, { orgId: world.library.owner.orgId }),
  );
  const get = async () => (await send('GET', `${PATH}/${id}`)).json;
  await vi.waitFor(async () => expect((await get()).status).toBe('completed_with_gaps'), WAIT);
  expect(await get()).toMatchObject({
    event_count: 1,
    gaps: [
      { video_id: lost, event_id: null, reason: 'The video was deleted.' },
      { video_id: null, event_id: `${two}-0`, reason: 'The event was deleted with its analysis or its video.' },
    ],
  });
});

test('only selections that the caller may read are exported, and only they get the files', async () => {
  const [[video, analysis], [other]] = [await analyze(), await analyze()];
  const refused = async (selection: object, key = world.key) => {
    const { status, json } = await send('POST', PATH, selection, key);
    return [status, json.error];
  };
  const event_ids = [`${analysis}-0`];
  expect(await refused({ video_ids: [other], event_ids })).toEqual([400, 'export_events_elsewhere']);
  expect(await refused({ video_ids: [video], event_ids: [`${analysis}-7`] })).toEqual([404, 'event_not_found']);
  expect(await refused({ video_ids: [video], event_ids: ['snapshot:1'] })).toEqual([404, 'event_not_found']);
  expect(await refused({ video_ids: [newId()] })).toEqual([404, 'video_not_found']);
  expect((await refused({ video_ids: [] }))[0]).toBe(400);

  const done = await exported({ video_ids: [video], event_ids });
  const { files } = await manifestOf(done);
  const manifest = new URL(String(done.manifest_url));
  const token = manifest.searchParams.get('token')!;
  // The token of the manifest is not one of a file, nor one of another export.
  for (const url of [
    `${PUBLIC_URL}${PATH}/${done.export_id}/files/${video}?token=${token}`,
    files[0]!.url.replace(video, other),
    `${PUBLIC_URL}${PATH}/${newId()}/manifest?token=${token}`,
  ])
    expect((await local(url)).status).toBe(403);
  // A colleague's video that is personal again is not in the manifest any more.
  const { db } = world.library.database;
  const { userId } = await world.library.addUser(world.library.owner.orgId);
  await db.updateTable('videos').set({ scope: 'user', ownerId: userId }).where('id', '=', video).execute();
  expect(await manifestOf(done)).toMatchObject({
    files: [],
    gaps: [{ reason: 'The video is no longer shared with you.' }],
  });
});
