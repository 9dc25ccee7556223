// Which recordings of cameras are deleted, through the API and the job that deletes them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request as requestJson } from '#test/http';
import { PROBE } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';

const DAY_MS = 86_400_000;
const BYTES = Buffer.alloc(1_000);

type Json = Record<string, unknown>;
let world: AnalysesWorld;
beforeAll(async () => {
  world = await openAnalyses({ SIGHTLINE_RESTORE_HOURS: '24' });
});
afterAll(() => world?.close());

const request = (method: string, path: string, json?: object) => requestJson(world, method, path, json);
async function addCamera(settings: object): Promise<string> {
  const camera = { name: 'Gate', source_url: 'rtsp://camera.example/ch1', enabled: false, ...settings };
  return String((await request('POST', '/api/cameras', camera)).camera_id);
}

/** Adds a recording of half a day that started so many days ago. `approved`: one of its events is. */
async function record(cameraId: string | null, days: number, { approved = false } = {}): Promise<string> {
  const { library, caller } = world;
  const probe = { ...PROBE, durationS: 43_200 };
  const id = await library.addStored(caller, BYTES, { cameraId, source: 'live', probe });
  if (approved) await approveEvent(id);
  const createdAt = new Date(Date.now() - days * DAY_MS);
  await library.database.db.updateTable('videos').set({ createdAt }).where('id', '=', id).execute();
  return id;
}
async function approveEvent(videoId: string): Promise<void> {
  const analysisId = await world.start(videoId);
  await expect.poll(async () => (await world.call(videoId, analysisId, '/status')).json.status).toBe('COMPLETED');
  await request('PATCH', `/api/events/${analysisId}-0`, { approval: 'approved' });
}
const remaining = async (cameraId: string) =>
  ((await request('GET', `/api/videos?camera_id=${cameraId}`)).videos as Json[]).map(({ video_id }) => video_id);
const removeExpired = () => world.library.cameras.removeExpired();

test('recordings are deleted days after their end, and those of other cameras stay', async () => {
  const camera = await addCamera({ retention: { days: 2 } });
  const [endless, other] = [await addCamera({}), await record(null, 90)];
  const unlimited = await record(endless, 90);
  await record(camera, 3);
  // It ended less than two days ago.
  const recent = await record(camera, 2.2);
  await removeExpired();
  expect(await remaining(camera)).toEqual([recent]);
  expect(await remaining(endless)).toEqual([unlimited]);
  expect(await world.library.videos.find(other)).toMatchObject({ id: other });
  expect(await request('PATCH', `/api/cameras/${camera}`, { retention: null })).toMatchObject({ retention: null });
});

test('the oldest are deleted above a size', async () => {
  const camera = await addCamera({ retention: { bytes: 2_500 } });
  const ids = [await record(camera, 0), await record(camera, 0), await record(camera, 0)];
  await removeExpired();
  expect(await remaining(camera)).toEqual([ids[2], ids[1]]);
});

test('recordings with an approved event stay, unless the camera deletes them, too', async () => {
  const camera = await addCamera({ retention: { days: 1, keep_approved: true } });
  const approved = await record(camera, 9, { approved: true });
  await record(camera, 9);
  await removeExpired();
  expect(await remaining(camera)).toEqual([approved]);
  await request('PATCH', `/api/cameras/${camera}`, { retention: { days: 1, keep_approved: false } });
  await removeExpired();
  expect(await remaining(camera)).toEqual([]);
});

test('a recording that is restored stays', async () => {
  const camera = await addCamera({ retention: { days: 1 } });
  const video = await record(camera, 9);
  await removeExpired();
  expect(await remaining(camera)).toEqual([]);
  await request('POST', `/api/video/${video}/restore`);
  await removeExpired();
  expect(await remaining(camera)).toEqual([video]);
});

test('a retention has at least a day and a byte', async () => {
  for (const retention of [{ days: 0 }, { bytes: 0 }, { days: 1.5 }]) {
    const json = { name: 'Gate', source_url: 'rtsp://camera.example/ch1', retention };
    expect((await world.api.call('POST', '/api/cameras', { key: world.key, json })).status).toBe(400);
  }
});
