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
    clock: { source: 'name', zone_known: true, shift_s: 0, rate: 1, conflicts: [] },
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
    readings: [toReading('live', new Date('2026-11-21T08:00:00.000Z'))],
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

/** A stored video of a folder, imported from an address. */
async function addImported(folderId: string, sourceUri: string): Promise<string> {
  const id = await library.add(me.caller, { name: 'clip.mp4', folderId, sourceUri });
  const facts = {
    probe: { ...PROBE, createdAt: '2026-11-21T08:00:12.000Z' },
    sizeBytes: 1_000,
    sha256: id.padEnd(64, '0'),
  };
  await library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
  return id;
}

test('the rule of a folder reads dates in paths, and sets the clocks of its new videos', async () => {
  const folderId = await folderOf('Rules');
  const path = `/api/folders/${folderId}/clock`;
  const first = await addImported(folderId, 's3://footage/2026-11-21/09.20.10-09.35.10.mp4');
  expect(await shown(first)).toMatchObject({ at: '2026-11-21T08:00:12.000Z', clock: { source: 'container' } });
  const rule = { path_pattern: '{yyyy}-{mm}-{dd}/{HH}.{MM}.{SS}', time_zone: 'Europe/Berlin', shift_s: 20 };
  expect((await call('POST', path, { ...rule, new_videos: true })).json).toEqual({ changed: 1 });
  const expected = { zone: 'Europe/Berlin', clock: { source: 'rule', zone_known: true, shift_s: 20 } };
  expect(await shown(first)).toMatchObject({ at: '2026-11-21T08:20:30.000Z', ...expected });
  expect((await shown(first)).clock!.conflicts.map(({ source }) => source)).toEqual(['container']);
  const second = await addImported(folderId, 's3://footage/2026-11-21/10.00.00-10.15.00.mp4');
  expect(await shown(second)).toMatchObject({ at: '2026-11-21T09:00:20.000Z', ...expected });
  const folder = (await call('GET', `/api/folders/${folderId}`)).json;
  expect(folder.clock_rule).toEqual({ ...rule, local_header: false });

  // The time that a person set for one video stays.
  await change(second, { recorded_at: '2026-11-20T00:00:00Z' });
  expect((await call('POST', path, { path_pattern: '', new_videos: false })).json).toEqual({ changed: 2 });
  expect(await shown(second)).toMatchObject({ at: '2026-11-20T00:00:00.000Z' });
  expect(await shown(first)).toMatchObject({ clock: { source: 'container' } });
  expect((await call('GET', `/api/folders/${folderId}`)).json.clock_rule).toBeNull();
  const third = await addImported(folderId, 's3://footage/2026-11-21/11.00.00-10.15.00.mp4');
  expect(await shown(third)).toMatchObject({ at: '2026-11-21T08:00:12.000Z', zone: null, clock: { shift_s: 0 } });
  expect(statusAndError(await call('POST', path, { path_pattern: '{yyyy}' }))).toEqual([400, 'path_pattern_invalid']);
});

test('a video that is moved or renamed is read again: by the rule of its folder, and by its name', async () => {
  const ruled = await folderOf('Ruled');
  const plain = await folderOf('Plain');
  await call('POST', `/api/folders/${ruled}/clock`, { path_pattern: '{yyyy}-{mm}-{dd}/{HH}.{MM}.{SS}' });
  const ids = [
    await addImported(plain, 's3://footage/2026-11-21/09.20.10.mp4'),
    await addImported(plain, 's3://footage/2026-11-21/09.30.10.mp4'),
  ] as const;
  const sources = () => Promise.all(ids.map(async (id) => (await shown(id)).clock?.source));
  expect(await sources()).toEqual(['container', 'container']);
  await change(ids[0], { folder_id: ruled, time_zone: 'Europe/Berlin' });
  await change(ids[1], { time_zone: 'Europe/Berlin' });
  expect(results((await call('POST', '/api/videos/move', { video_ids: [ids[1]], folder_id: ruled })).json)).toEqual([
    [ids[1], true],
  ]);
  expect(await sources()).toEqual(['rule', 'rule']);
  expect(await shown(ids[0])).toMatchObject({ at: '2026-11-21T08:20:10.000Z' });
  await change(ids[0], { folder_id: plain });
  expect(await sources()).toEqual(['container', 'rule']);

  const named = await addRecorded('20261121_090010Z.mp4');
  expect(await shown(named)).toMatchObject({ at: '2026-11-21T09:00:10.000Z', clock: { source: 'name' } });
  await change(named, { name: 'gate.mp4' });
  expect((await shown(named)).at).toBeNull();
});

test('a camera that writes local time as UTC is read in its zone', async () => {
  const id = await addRecorded('gate.mp4', '2026-11-21T08:00:12.000Z');
  const local = { video_ids: [id], time_zone: 'Europe/Berlin', local_header: true };
  expect(results((await call('POST', '/api/videos/clock', local)).json)).toEqual([[id, true]]);
  expect(await shown(id)).toMatchObject({
    at: '2026-11-21T07:00:12.000Z',
    clock: { source: 'container', zone_known: true },
  });
});

test('two points correct a clock that drifts, of a video and of a camera', async () => {
  const id = await addRecorded('20261121_090010Z.mp4');
  const points = [
    { at_s: 1, recorded_at: '2026-11-21T10:00:01.100Z' },
    { at_s: 0, recorded_at: '2026-11-21T10:00:00Z' },
  ];
  await change(id, { reference_points: points });
  const { at, clock } = await shown(id);
  expect([at, clock]).toMatchObject(['2026-11-21T10:00:00.000Z', { source: 'person', rate: expect.closeTo(1.1, 9) }]);
  expect((await row(id))!.recordedUntil!.getTime()).toBeCloseTo(Date.parse(String(at)) + PROBE.durationS * 1_100, -1);
  const same = [points[0], { ...points[0], recorded_at: points[1]!.recorded_at }];
  expect(statusAndError(await change(id, { reference_points: same }))).toEqual([400, 'clock_points_invalid']);
  await change(id, { reference_points: null });
  expect(await shown(id)).toMatchObject({ at: '2026-11-21T09:00:10.000Z', clock: { source: 'name', rate: 1 } });

  // It loses a minute in ten hours.
  const comparisons = [
    { shown_at: '2026-11-21T00:00:00Z', recorded_at: '2026-11-21T00:00:00Z' },
    { shown_at: '2026-11-21T10:00:00Z', recorded_at: '2026-11-21T10:01:00Z' },
  ];
  await call('POST', '/api/videos/clock', { video_ids: [id], reference_points: comparisons });
  expect(await shown(id)).toMatchObject({
    at: expect.stringMatching(/^2026-11-21T09:01:04\.01/),
    clock: { source: 'name' },
  });
});

test('a file beside the video states when it was recorded', async () => {
  const id = await addRecorded('gate.mp4', '2026-11-21T08:00:12.000Z');
  const set = (summary: object) =>
    library.database.transaction((trx) => library.videos.setSidecar(trx, id, summary as Record<string, unknown>));
  await set({ recorded: { time: '2026-11-21T09:30:00.000', offset_min: 60 } });
  expect(await shown(id)).toMatchObject({
    at: '2026-11-21T08:30:00.000Z',
    zone: '+01:00',
    clock: { source: 'sidecar' },
  });
  await set({ recorded: { time: '2026-11-21T09:30:00.000', offset_min: null, rate: 30 } });
  await change(id, { time_zone: 'Europe/Berlin' });
  expect(await shown(id)).toMatchObject({ at: '2026-11-21T08:30:00.000Z', clock: { source: 'sidecar', rate: 30 } });
  await set({});
  expect(await shown(id)).toMatchObject({ at: '2026-11-21T08:00:12.000Z', clock: { source: 'container', rate: 1 } });
});

test('a clock in the picture is the last source', async () => {
  const id = await addRecorded('gate.mp4');
  const picture = { source: 'picture', time: '2026-11-21T09:00:00.250', offsetMin: null } as const;
  const set = (reading: typeof picture | null) =>
    library.database.transaction((trx) => library.videos.setClockReading(trx, id, 'picture', reading));
  await set(picture);
  expect(await shown(id)).toMatchObject({
    at: '2026-11-21T09:00:00.250Z',
    clock: { source: 'picture', zone_known: false },
  });
  await change(id, { time_zone: 'Europe/Berlin' });
  expect(await shown(id)).toMatchObject({ at: '2026-11-21T08:00:00.250Z', clock: { zone_known: true } });
  await set(null);
  expect((await shown(id)).at).toBeNull();
});
