import { expect, test } from 'vitest';
import { PROBE } from '#test/library';
import { statusAndError } from '#test/people';
import { readClocks } from '../jobs.ts';
import {
  add,
  call,
  change,
  folderOf,
  found,
  library,
  me,
  results,
  row,
  stranger,
  useLibrary,
} from '../library.fixture.ts';
import { toReading } from './readings.ts';

useLibrary();

type Clock = { source: string; zone_known: boolean; shift_s: number; conflicts: { source: string }[] };
const shown = async (id: string) => {
  const { json } = await call('GET', `/api/video/${id}/status`);
  return { at: json.recorded_at, zone: json.time_zone, clock: json.clock as Clock | null };
};
/** A stored video whose file states this time. */
async function addRecorded(name: string, createdAt: string | null = null): Promise<string> {
  const id = await library.add(me.caller, { name });
  const facts = { probe: { ...PROBE, createdAt }, sizeBytes: 1_000, sha256: id.padEnd(64, '0') };
  await library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
  return id;
}

test('a video has the time of its file and of its name, which together tell the zone', async () => {
  const id = await addRecorded('gate 20261121_090010.mp4', '2026-11-21T08:00:12.000Z');
  expect(await shown(id)).toEqual({
    at: '2026-11-21T08:00:10.000Z',
    zone: '+01:00',
    clock: { source: 'name', zone_known: true, shift_s: 0, conflicts: [] },
  });
  expect(await shown(await addRecorded('gate.mp4'))).toEqual({ at: null, zone: null, clock: null });
});

test('a person sets it, takes it back, and sets the zone in which a name is read', async () => {
  const id = await addRecorded('20261121_090010.mp4');
  expect((await shown(id)).clock).toMatchObject({ source: 'name', zone_known: false });
  await change(id, { time_zone: 'America/New_York' });
  expect(await shown(id)).toMatchObject({ at: '2026-11-21T14:00:10.000Z', zone: 'America/New_York' });
  const { json } = await change(id, { recorded_at: '2026-11-20T23:00:00+01:00' });
  expect(json).toMatchObject({ recorded_at: '2026-11-20T22:00:00.000Z', clock: { source: 'person' } });
  expect((json.clock as Clock).conflicts).toEqual([{ source: 'name', recorded_at: '2026-11-21T14:00:10.000Z' }]);
  await change(id, { recorded_at: null, time_zone: null });
  expect(await shown(id)).toMatchObject({ at: '2026-11-21T09:00:10.000Z', zone: null, clock: { source: 'name' } });
  for (const zone of ['Mars/Base', '+0100', '+25:00']) {
    expect(statusAndError(await change(id, { time_zone: zone })), zone).toEqual([400, 'time_zone_invalid']);
  }
  for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z']) {
    expect(statusAndError(await change(id, { recorded_at: time })), time).toEqual([400, 'recorded_at_invalid']);
  }
});

test('the clocks of many videos are set at once, and those of a folder', async () => {
  const folderId = await folderOf('Clocks');
  const [a, b] = [await addRecorded('20261121_090010.mp4'), await addRecorded('20261122_090010.mp4')];
  const foreign = await add(stranger);
  const many = await call('POST', '/api/videos/clock', { video_ids: [a, foreign, b], shift_s: 90 });
  expect(results(many.json)).toEqual([
    [a, true],
    [foreign, 'video_forbidden'],
    [b, true],
  ]);
  expect((await shown(a)).at).toBe('2026-11-21T09:01:40.000Z');

  await call('POST', '/api/videos/move', { video_ids: [a, b], folder_id: folderId });
  const path = `/api/folders/${folderId}/clock`;
  // The shift replaces the one before, so that a repeated request changes nothing.
  for (let n = 0; n < 2; n++) {
    const set = await call('POST', path, { shift_s: -10, time_zone: '+01:00' });
    expect([set.status, set.json]).toEqual([200, { changed: 2 }]);
  }
  expect(await shown(b)).toMatchObject({ at: '2026-11-22T08:00:00.000Z', zone: '+01:00', clock: { shift_s: -10 } });
  expect(statusAndError(await call('POST', path, { shift_s: 0 }, stranger))).toEqual([403, 'folder_forbidden']);
});

test('lists are filtered by the calendar, in the zone of the video or of the request', async () => {
  const who = await library.keyOf(await library.addUser(), ['read', 'write']);
  const addAt = async (recordedAt: string, timeZone: string | null) => {
    const id = await add(who);
    await change(id, { recorded_at: recordedAt, time_zone: timeZone }, who);
    return id;
  };
  // A Saturday evening in Berlin, the same instant in Tokyo on a Sunday morning, and a Tuesday.
  const berlin = await addAt('2026-11-21T21:30:00Z', 'Europe/Berlin');
  const tokyo = await addAt('2026-11-21T21:30:00Z', 'Asia/Tokyo');
  const later = await addAt('2026-11-24T12:00:00Z', null);
  await add(who);

  expect(await found('?recorded_after=2026-11-22T00:00:00Z', who)).toEqual([later]);
  expect(await found('?recorded_before=2026-11-22T00:00:00Z', who)).toEqual([tokyo, berlin]);
  // A video counts for all of its length.
  const during = new Date(Date.parse('2026-11-21T21:30:00Z') + (PROBE.durationS * 1_000) / 2).toISOString();
  expect(await found(`?recorded_after=${during}&recorded_before=2026-11-22T00:00:00Z`, who)).toEqual([tokyo, berlin]);
  expect(await found('?weekday=sat', who)).toEqual([berlin]);
  expect(await found('?weekday=sun,tue', who)).toEqual([later, tokyo]);
  expect(await found('?time_of_day=22:00-23:00', who)).toEqual([berlin]);
  expect(await found('?time_of_day=22:00-07:00', who)).toEqual([tokyo, berlin]);
  expect(await found('?time_of_day=21:00-22:00&time_zone=UTC', who)).toEqual([tokyo, berlin]);
  expect(await found('?weekday=sun&time_zone=Asia/Tokyo', who)).toEqual([tokyo, berlin]);
  const { json } = await call('GET', '/api/videos/facets?weekday=sat', undefined, who);
  expect(json.total).toBe(1);
  for (const query of ['?weekday=samstag', '?time_of_day=22:00', '?time_of_day=25:00-26:00', '?time_zone=Mars/Base']) {
    expect((await call('GET', `/api/videos${query}`, undefined, who)).status, query).toBe(400);
  }
});

test('the room that recorded a video knows best, also after a lost connection', async () => {
  const id = await library.add(me.caller, { name: '20261121_090010.mp4' });
  const recording = {
    reading: toReading('live', new Date('2026-11-21T08:00:00.000Z')),
    jumps: [{ atS: 0.5, seconds: 600 }],
  };
  const facts = { probe: PROBE, sizeBytes: 1_000, sha256: id.padEnd(64, '0'), recording };
  await library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
  expect(await shown(id)).toMatchObject({
    at: '2026-11-21T08:00:00.000Z',
    clock: { source: 'live', zone_known: true },
  });
  expect((await row(id))?.recordedUntil).toEqual(
    new Date(Date.parse('2026-11-21T08:10:00.000Z') + PROBE.durationS * 1_000),
  );
});

test('clocks of videos that an earlier version stored are read', async () => {
  const id = await addRecorded('20261121_090010.mp4');
  const unread = { clock: null, recordedAt: null, recordedUntil: null, timeZone: null };
  await library.database.db.updateTable('videos').set(unread).where('id', '=', id).execute();
  expect((await shown(id)).at).toBeNull();
  await library.database.transaction((trx) => library.jobs.send(trx, readClocks, {}));
  await expect.poll(async () => (await shown(id)).at).toBe('2026-11-21T09:00:10.000Z');
});
