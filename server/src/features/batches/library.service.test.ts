// Questions about a library: which of its videos are chosen, and the first event of all of them.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { SCENE, sceneClip } from '#test/media/clips';
import { ask, askAndFollow, createWorld, last } from './world.fixture.ts';

type Json = Record<string, unknown>;
type Batch = Json & { videos: { video_id: string; status: string }[] };

const DAY_MS = 86_400_000;

const world = createWorld();
let on: Awaited<ReturnType<typeof world.realNode>>;
let folderId: string;
beforeEach(async () => {
  on = await world.realNode();
  folderId = newId();
  const folder = {
    id: folderId,
    orgId: 'o-one',
    ownerId: 'u-alice',
    createdBy: 'u-alice',
    scope: 'user',
    name: folderId,
  };
  await world.database.db.insertInto('folders').values(folder).execute();
});

/** A video of the folder, recorded at an instant; null: it is not known when. */
async function record(name: string, recordedAt: string | Date | null, timeZone = 'Europe/Berlin'): Promise<string> {
  const id = await world.video({ path: await sceneClip() });
  await world.database.db.updateTable('videos').set({ folderId, name }).where('id', '=', id).execute();
  if (recordedAt === null) return id;
  const json = { recorded_at: new Date(recordedAt).toISOString(), time_zone: timeZone };
  expect((await on.api.call('PATCH', `/api/video/${id}`, { key: 'alice', json })).status).toBe(200);
  return id;
}

async function askLibrary(query: string, library: Json = {}, more: Json = {}) {
  const { batchId, events } = await askAndFollow(on, { query, library: { folder_id: folderId, ...library }, ...more });
  const { json } = await on.api.call('GET', `/api/batch/${batchId}/status`, { key: 'alice' });
  const batch = json as Batch;
  return { events, batch, ids: batch.videos.map(({ video_id }) => video_id), selection: batch.selection };
}

test('the prompt chooses among the videos of a folder; the others are counted by the reason', async () => {
  const inside = await record('inside', '2026-11-24T07:05:00Z');
  await record('before', '2026-11-24T05:00:00Z');
  await record('other day', '2026-11-20T07:05:00Z');
  const without = await record('without', null);
  const { ids, selection, events } = await askLibrary('a cut between 8:00 and 8:15 on 2026-11-24');
  expect(ids).toEqual([inside]);
  const counts = {
    considered: 4,
    chosen: 1,
    outside: 2,
    no_clock: 1,
    no_clock_videos: [{ video_id: without, name: 'without' }],
    left_out: 0,
    left_out_from: null,
    left_out_until: null,
  };
  expect(selection).toEqual(counts);
  expect(events[0]!.data).toMatchObject({ selection: counts, total: 1 });
  expect(last(events)).toMatchObject({ status: 'completed', total: 1 });
  const { json: preview } = await on.api.call('POST', '/api/router/v2/query/plan', {
    key: 'alice',
    json: { query: 'a cut between 8:00 and 8:15 on 2026-11-24', library: { folder_id: folderId } },
  });
  expect(preview).toMatchObject({ total_videos: 1, selection: counts });
});

test('filters and the prompt both hold, in the zone of the request', async () => {
  const [first, second] = [await record('a', '2026-11-24T07:05:00Z'), await record('b', '2026-11-25T07:05:00Z')];
  const both = await askLibrary('a cut after 8 am', { recorded_before: '2026-11-25T00:00:00Z' });
  expect([both.ids, both.selection]).toMatchObject([[first], { considered: 2, outside: 1 }]);
  const inLondon = await askLibrary('a cut after 8 am', { weekday: 'wed' }, { time_zone: 'Europe/London' });
  expect([inLondon.ids, inLondon.selection]).toMatchObject([[], { considered: 2, outside: 2 }]);
  const byName = await askLibrary('a cut', { name: 'B' });
  expect([byName.ids, byName.selection]).toMatchObject([[second], { considered: 1, no_clock: 0 }]);
});

test('without videos of that time, the question ends at once with the reason', async () => {
  await record('long ago', '2020-01-01T00:00:00Z');
  await record('unknown', null);
  const { batch, events } = await askLibrary('a cut yesterday');
  const answer =
    'No video was searched: 1 video was recorded at another time, and of 1 video it is not known when it was recorded (unknown).';
  expect(batch).toMatchObject({ status: 'completed', videos: [], answer, aggregated_progress: { total: 0 } });
  expect(events.map(({ event }) => event)).toEqual(['batch_created', 'done']);
  expect(last(events)).toMatchObject({ answer, analysis_ids: [], total: 0 });
});

test('the first event of this week is that of all videos, by their clocks', async () => {
  const at = Date.now();
  // The clip has one cut. Videos of today are of this week.
  await record('second', new Date(at - 60_000), 'UTC');
  const id = await record('first', new Date(at - 3_600_000), 'UTC');
  await record('last year', new Date(at - 400 * DAY_MS), 'UTC');
  await record('unknown', null);
  const { batch, events, ids } = await askLibrary('when was the first cut this year?');
  expect(ids).toHaveLength(2);
  const seconds = Number(SCENE.cutS.toFixed(1));
  expect(batch.answer).toMatch(
    /^First at \d\d:\d\d:\d\d on \w+day \d+ \w+ \d{4} \(UTC\), in first at 0:0\d\.\d: .+\. Not searched: 1 video without a known time of recording \(unknown\)\.$/,
  );
  expect(last(events).answer).toBe(batch.answer);
  const { json: event } = await on.api.call('GET', `/api/events?batch_id=${String(batch.batch_id)}`, { key: 'alice' });
  const found = (event.events as { event_id: string; video_id: string; start_s: number }[]).find(
    ({ event_id }) => event_id === batch.answer_event_id,
  );
  expect(found).toMatchObject({ video_id: id, start_s: expect.closeTo(seconds, 0) });
  const { batch: latest } = await askLibrary('when was the last cut this year?');
  expect(latest.answer).toMatch(/^Last at .* in second at 0:0/);
});

test('of more videos than a question covers, the newest are taken, and the rest is stated', async () => {
  const { db } = world.database;
  await sql`
    insert into videos (id, org_id, owner_id, scope, folder_id, name, source, status, storage_key, duration_s,
      recorded_at, recorded_until, time_zone, clock)
    select ${folderId} || '-' || n, 'o-one', 'u-alice', 'user', ${folderId}, 'n' || n, 'file', 'UPLOADED', 'none/' || n, 60,
      at, at + interval '1 minute', 'UTC', '{"readings": [], "settings": null}'
    from generate_series(1, 10000) as n, lateral (select timestamptz '2026-01-01' + n * interval '1 hour' as at) as t
  `.execute(db);
  const { api } = await world.realNode();
  const start = async (query: string, library: Json = {}) => {
    const body = { query, library: { folder_id: folderId, ...library } };
    const { json } = await api.call('POST', '/api/router/v2/query/plan', { key: 'alice', json: body });
    return json.selection as Json;
  };
  expect(await start('a cut')).toMatchObject({
    considered: 10_000,
    chosen: 1_000,
    outside: 0,
    left_out: 9_000,
    left_out_from: '2026-01-01T01:00:00.000Z',
    left_out_until: '2027-01-11T00:00:00.000Z',
  });
  expect(await start('when was the first cut?')).toMatchObject({ left_out_from: '2026-02-11T17:00:00.000Z' });
  expect(await start('a cut', { recorded_before: '2026-01-02T00:00:00Z' })).toMatchObject({
    chosen: 23,
    outside: 9_977,
    left_out: 0,
  });
  // One day of ten thousand hours.
  expect(await start('a cut on 2026-03-05')).toMatchObject({ chosen: 24, outside: 9_976, left_out: 0 });
});

test('a library is one of several ways to name videos, and the folder must be one that the caller sees', async () => {
  const id = await record('a', null);
  for (const json of [
    { video_id: id, library: {} },
    { video_ids: [id], library: {} },
  ])
    expect((await ask(on.api, json)).json).toMatchObject({ error: 'videos_ambiguous' });
  expect((await ask(on.api, {})).json).toMatchObject({ error: 'videos_missing' });
  expect((await ask(on.api, { library: { folder_id: folderId } }, 'carol')).json).toMatchObject({
    error: 'folder_forbidden',
  });
  expect((await ask(on.api, { library: { recorded_aftr: '2026-11-12T00:00:00Z' } })).status).toBe(400);
  const strange = await ask(on.api, { library: { name: 'a' } }, 'carol');
  expect(strange.json).toMatchObject({ total: 0, status: 'completed' });
});
