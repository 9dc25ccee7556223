import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvent } from '#test/events';
import { type EventWorld, openEventWorld } from './event-index/event-world.fixture.ts';

let world: EventWorld;
let person: Awaited<ReturnType<EventWorld['person']>>;

beforeAll(async () => {
  world = await openEventWorld();
  person = await world.person(['read', 'write']);
});
afterAll(() => world?.close());

const get = async (path: string) => (await world.api.call('GET', path, { key: person.key })).json;
const setClock = (videoId: string, json: object) =>
  world.api.call('PATCH', `/api/video/${videoId}`, { key: person.key, json });
const finding = (startS: number, endS: number) => ({ ...createEvent(0), startS, endS });
type Times = { start_at?: string | null; end_at?: string | null };

test('events have the time of the clock that their video has, in lists, documents and statuses', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(person, [finding(2, 3.5)], {}, 'a "start_s":1,"end_s":2 car');
  const timesOf = async () => {
    const document = await get(`/api/videos/${videoId}/analyses/${analysisId}`);
    const { events } = document.analysis as { events: Times[] };
    const status = await get(`/api/videos/${videoId}/analyses/${analysisId}/status`);
    const all = [
      (await world.list(`?video_id=${videoId}`, person)).events[0] as Times,
      events[0]!,
      (document.events as Times[])[0]!,
      (status.events as Times[])[0]!,
    ];
    return { query: (document.analysis as { query: string }).query, times: all.map((e) => [e.start_at, e.end_at]) };
  };
  const before = await timesOf();
  expect(before.times).toEqual([[null, null], ...Array(3).fill([undefined, undefined])]);

  await setClock(videoId, { recorded_at: '2026-11-21T08:00:00Z', time_zone: 'Europe/Berlin' });
  const after = await timesOf();
  expect(after.times).toEqual(Array(4).fill(['2026-11-21T08:00:02.000Z', '2026-11-21T08:00:03.500Z']));
  // Similar words in a prompt stay as they are.
  expect(after.query).toBe(before.query);
  expect((await world.list(`?video_id=${videoId}`, person)).events[0]).toMatchObject({ time_zone: 'Europe/Berlin' });
});

test('lists of events are filtered by when the event was recorded, not its video', async () => {
  const { videoId } = await world.addAnalyzed(person, [finding(0, 1), finding(6, 7)]);
  await setClock(videoId, { recorded_at: '2026-11-22T22:59:55Z', time_zone: 'Europe/Berlin' });
  const found = async (query: string) =>
    (await world.list(`?video_id=${videoId}&${query}`, person)).events.map((event) => event.start_s).toSorted();
  expect(await found('recorded_after=2026-11-22T23:00:00Z')).toEqual([6]);
  expect(await found('recorded_before=2026-11-22T23:00:00Z')).toEqual([0]);
  // In Berlin it is Sunday, then Monday.
  expect(await found('weekday=sun')).toEqual([0]);
  expect(await found('weekday=mon')).toEqual([6]);
  expect(await found('time_of_day=00:00-00:01')).toEqual([6]);
  expect(await found('time_of_day=22:00-23:00&time_zone=UTC')).toEqual([0]);
  expect(await found('weekday=sat')).toEqual([]);
});
