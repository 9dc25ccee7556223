// Questions by the calendar, about videos with and without a clock.
import { beforeEach, expect, test, vi } from 'vitest';
import { SCENE, sceneClip } from '#test/media/clips';
import { askAndFollow, createWorld, last } from './world.fixture.ts';

type Json = Record<string, unknown>;

const world = createWorld();
let on: Awaited<ReturnType<typeof world.realNode>>;
beforeEach(async () => {
  on = await world.realNode();
});

async function record(recordedAt: string | null, timeZone: string | null = 'Europe/Berlin'): Promise<string> {
  const id = await world.video({ path: await sceneClip() });
  if (recordedAt === null) return id;
  const json = { recorded_at: recordedAt, time_zone: timeZone };
  expect((await on.api.call('PATCH', `/api/video/${id}`, { key: 'alice', json })).status).toBe(200);
  return id;
}

async function ask(body: Json) {
  const { batchId, events } = await askAndFollow(on, body);
  expect(last(events)).toMatchObject({ event: 'done', status: 'completed' });
  const batch = (await on.api.call('GET', `/api/batch/${batchId}/status`, { key: 'alice' })).json as Json & {
    videos: { video_id: string; analysis_id: string; missed: string | null }[];
  };
  const documents = new Map<string, Json>();
  for (const { video_id: id, analysis_id: analysisId } of batch.videos) {
    const { json } = await on.api.call('GET', `/api/videos/${id}/analyses/${analysisId}`, { key: 'alice' });
    documents.set(id, (json as { analysis: Json }).analysis);
  }
  return { events, batchId, batch, missed: batch.videos.map(({ missed }) => missed), documents };
}

test('times of the calendar choose videos and parts of them; the others are not decoded', async () => {
  // The cut is at 1.5 s or so.
  const start = Date.UTC(2026, 10, 24, 7, 0, 0);
  const inside = await record(new Date(start).toISOString());
  const outside = await record('2026-11-23T07:00:00Z');
  const without = await record(null);
  const passes = vi.spyOn(on.engine, 'observe');
  const requested = await ask({
    query: 'a cut between 8:00 and 8:15 on 2026-11-24',
    video_ids: [outside, inside, without],
  });
  expect(requested.missed).toEqual(['outside', null, 'no_clock']);
  expect(passes).toHaveBeenCalledTimes(1);
  expect(requested.events[0]!.data).toMatchObject({
    interpretation:
      'Understood as: cut to another shot; only between 08:00 and 08:15 on Tuesday 24 November 2026 (local time of each video).',
  });
  const found = requested.documents.get(inside)!;
  expect(found.interpretation).toBe(
    'Understood as: cut to another shot; only between 08:00 and 08:15 on Tuesday 24 November 2026 (Europe/Berlin).',
  );
  expect(found.summary).toMatch(
    /By the recording clock, it covers 08:00:00 to 08:0[01]:\d\d on Tuesday 24 November 2026 \(set by a person, Europe\/Berlin\)\.$/,
  );
  const [event] = found.events as { start_s: number; start_at: string }[];
  expect(event!.start_s).toBeCloseTo(SCENE.cutS, 1);
  expect(requested.documents.get(outside)!.summary).toMatch(
    /^Not looked for: between 08:00 and 08:15 on Tuesday 24 November 2026 \(Europe\/Berlin\): recorded at another time, since it covers 08:00:00 to 08:0[01]:\d\d on Monday 23 November 2026/,
  );
  expect(requested.documents.get(without)).toMatchObject({
    events: [],
    coverage: [{ text: 'cut', status: 'not_looked_for', reason: expect.stringContaining('it is not known when') }],
  });
  passes.mockRestore();
});

test('only the part of a video at the time asked for is searched, in the zone of the person', async () => {
  // The cut is before, the darkness after 08:00:00 in Berlin.
  const between = (SCENE.cutS + SCENE.dark.startS) / 2;
  const start = new Date(Date.UTC(2026, 10, 24, 7, 0, 0) - between * 1_000).toISOString();
  const id = await record(start);
  const eventsOf = async (query: string, more: Json = {}) =>
    ((await ask({ query, video_id: id, ...more })).documents.get(id)!.events as Json[]).length;
  expect(await eventsOf('a cut after 8 am')).toBe(0);
  expect(await eventsOf('a cut before 8 am')).toBe(1);
  expect(await eventsOf('the picture is dark after 8 am')).toBe(1);
  expect(await eventsOf('the picture is dark after 7 am', { time_zone: 'Europe/London' })).toBe(1);
  expect(await eventsOf('a cut before 7 am', { time_zone: 'Europe/London' })).toBe(1);
  expect(await eventsOf('a cut before 7 am')).toBe(0);
  const unknown = await on.api.call('POST', '/api/router/v2/query/start', {
    key: 'alice',
    json: { query: 'a cut', video_id: id, time_zone: 'Mars/Olympus' },
  });
  expect([unknown.status, unknown.json.error]).toEqual([400, 'time_zone_invalid']);
});

test('"yesterday" is that of the moment of asking, and a preview states it', async () => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const [yesterday, earlier] = [await record(day(1), 'UTC'), await record(day(4), 'UTC')];
  const requested = await ask({ query: 'a cut yesterday', video_ids: [yesterday, earlier] });
  expect(requested.missed).toEqual([null, 'outside']);
  const { json } = await on.api.call('POST', '/api/router/v2/query/plan', {
    key: 'alice',
    json: { query: 'a cut yesterday', video_id: yesterday },
  });
  const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
  expect(json.interpretation).toContain(`${date.format(new Date(day(1)))} (UTC).`);
  // A plan that is sent again counts from then.
  const { plan } = requested.documents.get(yesterday) as { plan: object };
  expect((await ask({ query: 'a cut yesterday', plan, video_ids: [yesterday, earlier] })).missed).toEqual([
    null,
    'outside',
  ]);
});

test('a time that may be of the video or of the day is what the video has', async () => {
  const id = await record('2026-11-24T07:00:00Z');
  const { documents, missed } = await ask({ query: 'a cut between 08:00:00 and 08:00:30', video_id: id });
  expect(missed).toEqual([null]);
  expect((documents.get(id)!.events as Json[]).length).toBe(1);
  const other = await ask({ query: 'is there a cut at 14:05', video_id: id });
  expect(other.missed).toEqual(['outside']);
  expect(last(other.events)).toMatchObject({
    answer: expect.stringMatching(/^Not known: between 14:05 and 14:06 \(Europe\/Berlin\): not in the video, which is/),
  });
});
