import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExportsWorld, type Json, openExports } from './exports.fixture.ts';
import { rateOf, timecode, toFrames } from './formats/cuts/frame-rate.ts';

let world: ExportsWorld;
beforeAll(async () => {
  world = await openExports();
});
afterAll(() => world?.close());

test('WebVTT needs one video', async () => {
  const refused = await world.api.call('POST', '/api/exports', { key: world.key, json: { format: 'vtt' } });
  expect(refused).toMatchObject({ status: 400, json: { error: 'export_video_missing' } });
});

test('an export has what lists show with the same filters', async () => {
  const ids = async (filter: object, key = world.key) => {
    const { event_count, bytes } = await world.exportAs('jsonl', filter, key);
    const lines = bytes.toString().split('\n').slice(0, -1);
    expect(lines).toHaveLength(Number(event_count));
    return lines.map((line) => JSON.parse(line).event_id);
  };
  expect(await ids({ approval: 'approved' })).toEqual([`${world.analysisId}-1`]);
  expect(await ids({ q: 'quoted', video_ids: [world.videoId] })).toEqual([`${world.analysisId}-2`]);
  expect(await ids({ created_before: '2026-01-01T00:00:00Z' })).toEqual([]);
  expect(await ids({ created_after: '2026-01-01T00:00:00Z', min_confidence: 0.1 })).toHaveLength(3);
  const stranger = await world.library.keyOf(await world.library.addUser(), ['admin']);
  expect(await ids({}, stranger.key)).toEqual([]);
  // A personal event of somebody else is exported for admins only.
  const other = await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['read']);
  const admin = await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['admin']);
  const { db } = world.library.database;
  await db.updateTable('analysisEvents').set({ scope: 'user' }).where('analysisId', '=', world.analysisId).execute();
  expect(await ids({}, other.key)).toEqual([]);
  expect(await ids({}, admin.key)).toHaveLength(3);
  await db.updateTable('analysisEvents').set({ scope: 'org' }).where('analysisId', '=', world.analysisId).execute();
});

test('the file needs a valid signature, and is deleted with its export or after a week', async () => {
  const { storage, exports, database } = world.library;
  const [deleted, expired] = await Promise.all([world.exportAs('csv'), world.exportAs('csv')]);
  const { pathname, search } = new URL(String(deleted.download_url));
  const altered = await world.api.call('GET', `${pathname}${search}x`, {});
  expect(altered).toMatchObject({ status: 403, json: { error: 'export_token_invalid' } });
  const listed = (await world.request('GET', '/api/exports?limit=500')).exports as Json[];
  expect(listed.map(({ export_id }) => export_id)).toEqual(expect.arrayContaining([deleted.export_id]));
  await world.request('DELETE', `/api/exports/${deleted.export_id}`);
  expect((await world.api.call('GET', pathname + search, {})).status).toBe(404);
  const past = new Date(Date.now() - 1000);
  await database.db
    .updateTable('exports')
    .set({ expiresAt: past })
    .where('id', '=', String(expired.export_id))
    .execute();
  expect(await exports.purge()).toBe(1);
  for (const { export_id } of [deleted, expired]) {
    await expect.poll(() => storage.stat(`exports/${export_id}`)).toBeNull();
  }
});

test('an export that cannot have its format fails with a reason', async () => {
  const { export_id } = await world.request('POST', '/api/exports', { format: 'recap', label: 'nothing' });
  const get = () => world.request('GET', `/api/exports/${export_id}`);
  await expect.poll(async () => (await get()).status).toBe('failed');
  expect(await get()).toMatchObject({
    error: 'export_empty',
    download_url: null,
    message: expect.stringMatching(/^No event/),
  });
});

test.each([
  [25, 25, 1],
  [null, 25, 1],
  [29.97002997, 30_000, 1001],
  [29.97, 30_000, 1001],
  [23.976, 24_000, 1001],
  [59.94, 60_000, 1001],
  [12.345678, 12_346, 1000],
  [0.2, 200, 1000],
])('a measured frame rate of %d is exactly %d in %d s', (frameRate, frames, seconds) => {
  const rate = rateOf({ frameRate });
  expect(rate).toEqual({ frames, seconds });
  // The time of a frame, rounded to microseconds, is in that frame, and an event has at least one.
  for (const frame of [0, 1, 7, 1_000, 123_457]) {
    const startS = Math.floor((frame * seconds * 1e6) / frames) / 1e6;
    expect(toFrames({ startS, endS: startS }, rate)).toEqual({ start: frame, count: 1 });
  }
});

test('timecodes count the whole frames of a second', () => {
  const rate = { frames: 30_000, seconds: 1001 };
  expect(timecode(30 * 3_600 + 29, rate)).toBe('01:00:00:29');
});
