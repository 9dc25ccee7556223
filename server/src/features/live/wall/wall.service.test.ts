import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { openStudio, type Studio } from '../live.fixture.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({}, { worker: false });
});
afterAll(async () => studio?.close());

const WALL = '/api/live/wall';
const get = (path: string, key = studio.key) => studio.api.call('GET', path, { key });
const save = (json: object, key = studio.key) => studio.api.call('PUT', WALL, { key, json });
const colleagueKey = async () => {
  const { orgId } = studio.library.owner;
  return (await studio.library.keyOf(await studio.library.addUser(orgId), ['read', 'write'])).key;
};

test('a layout is that of its user, on all devices', async () => {
  const colleague = await colleagueKey();
  expect((await get(WALL)).json).toEqual({ size: 4, stream_ids: [] });
  const layout = { size: 9, stream_ids: ['gate-4', 'dock'] };
  expect((await save(layout)).json).toEqual(layout);
  const other = { size: 16, stream_ids: ['dock', 'gate-4'] };
  await save(other);
  const { key } = await studio.library.keyOf(studio.library.owner, ['read']);
  expect((await get(WALL, key)).json).toEqual(other);
  expect((await get(WALL, colleague)).json).toEqual({ size: 4, stream_ids: [] });
});

test.each([
  { size: 5, stream_ids: [] },
  { size: 4, stream_ids: ['a', 'a'] },
  { size: 4, stream_ids: ['a\0'] },
  { size: 4, stream_ids: Array.from({ length: 501 }, (_, i) => `s${i}`) },
  { size: 4 },
])('%j is no layout', async (layout) => {
  const before = (await get(WALL)).json;
  expect((await save(layout)).status).toBe(400);
  expect((await get(WALL)).json).toEqual(before);
});

/** Events of a session, as the analysis stores them. */
async function addEvents(sessionId: string, events: { label: string; createdAt: Date }[]): Promise<void> {
  const evidence = { frames: [{ role: 'best', time_s: 1, boxes: [], chunk_index: 0, chunk_relative_time: 1 }] };
  const rows = events.map(({ label, createdAt }, position) => ({
    id: newId(),
    sessionId,
    position,
    chunkIndex: 0,
    streamS: position,
    capturedAt: createdAt,
    createdAt,
    data: JSON.stringify({ label, severity: 'low', confidence: 0.8, ongoing: position === 0, evidence }),
  }));
  await studio.library.database.db.insertInto('liveEvents').values(rows).execute();
}

test('the latest events are those of running sessions that the caller may read', async () => {
  const colleague = await colleagueKey();
  const start = (name: string, scope: string) => studio.start('rtsp://camera.example/1', { name, scope });
  const [shared, mine, ended] = [await start('Shared', 'org'), await start('Mine', 'user'), await start('Old', 'org')];
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 9, 30, second));
  await addEvents(shared.session_id, [
    { label: 'first', createdAt: at(1) },
    { label: 'third', createdAt: at(3) },
  ]);
  await addEvents(mine.session_id, [{ label: 'second', createdAt: at(2) }]);
  await addEvents(ended.session_id, [{ label: 'fourth', createdAt: at(4) }]);
  const { db } = studio.library.database;
  await db.updateTable('liveSessions').set({ status: 'FINISHED' }).where('id', '=', ended.session_id).execute();

  const list = async (query = '', key = studio.key) =>
    (await get(`/api/live/events${query}`, key)).json.events as { label: string }[];
  const labels = (events: { label: string }[]) => events.map(({ label }) => label);
  expect(labels(await list())).toEqual(['third', 'second', 'first']);
  expect(labels(await list('?limit=2'))).toEqual(['third', 'second']);
  expect(labels(await list('', colleague))).toEqual(['third', 'first']);
  expect((await list())[2]).toMatchObject({
    session_id: shared.session_id,
    stream_id: shared.stream_id,
    video_id: shared.video_id,
    session_name: 'Shared',
    confidence: 0.8,
    ongoing: true,
    stream_time: 0,
    created_at: at(1).toISOString(),
    image_url: expect.stringContaining(`/api/live/media/${shared.session_id}/evidence/`),
  });
});
