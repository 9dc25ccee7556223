// Events by local hour, weekday and day.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvent } from '#test/events';
import { type EventWorld, openEventWorld, type Person } from './event-world.fixture.ts';

type Statistics = {
  total: number;
  is_complete: boolean;
  undated: number;
  hours: number[];
  weekdays: number[];
  days: { day: string; count: number }[];
};

let world: EventWorld;
let ada: Person;
beforeAll(async () => {
  world = await openEventWorld();
});
afterAll(() => world?.close());

const statistics = async (query = '', by = ada) =>
  ((await world.list(`?statistics=true&limit=1${query}`, by)) as unknown as { statistics: Statistics }).statistics;

test('are in the local time of each video', async () => {
  ada = await world.person(['read', 'write']);
  const event = (startS: number) => ({ ...createEvent(0), startS, endS: startS + 1, label: `at ${startS}` });
  for (const [recordedAt, timeZone, starts] of [
    // The clocks change at 01:00 UTC: from 02:00 to 03:00.
    ['2026-03-29T00:59:58Z', 'Europe/Berlin', [0, 1, 4]],
    // Friday in New York, Saturday in Berlin.
    ['2026-11-27T23:30:00Z', 'America/New_York', [0, 2]],
    [null, null, [0]],
  ] as const) {
    const { videoId } = await world.addAnalyzed(ada, starts.map(event));
    if (recordedAt === null) continue;
    const json = { recorded_at: recordedAt, time_zone: timeZone };
    const { status } = await world.api.call('PATCH', `/api/video/${videoId}`, { key: ada.key, json });
    expect(status).toBe(200);
  }
  const found = await statistics();
  expect(found).toMatchObject({ total: 6, is_complete: true, undated: 1 });
  expect(found.hours.flatMap((count, hour) => (count > 0 ? [[hour, count]] : []))).toEqual([
    [1, 2],
    [3, 1],
    [18, 2],
  ]);
  expect(found.weekdays).toEqual([0, 0, 0, 0, 2, 0, 3]);
  expect(found.days).toEqual([
    { day: '2026-03-29', count: 3 },
    { day: '2026-11-27', count: 2 },
  ]);
});

test('are in the zone of the request, and of the events that match its filters', async () => {
  const inBerlin = await statistics('&time_zone=Europe/Berlin&recorded_after=2026-06-01T00:00:00Z');
  expect(inBerlin).toMatchObject({ total: 2, undated: 0, days: [{ day: '2026-11-28', count: 2 }] });
  expect(inBerlin.hours[0]).toBe(2);
  expect(inBerlin.weekdays).toEqual([0, 0, 0, 0, 0, 2, 0]);
  expect(await statistics('&weekday=mon')).toMatchObject({ total: 0, undated: 0, days: [] });
  expect(await world.list('', ada)).toMatchObject({ statistics: null });
});

test('count nothing that the caller may not read', async () => {
  const other = await world.person(['read', 'write']);
  expect(await statistics('', other)).toMatchObject({ total: 0, undated: 0, days: [] });
});
