import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiClient } from '#test/http';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';
import { setQuota } from '../index.ts';

const LIMITS = { videos: 30, bytes: 10_000 };

let library: TestLibrary;
let api: ApiClient;
let serial = 0;

beforeAll(async () => {
  const limits = { SIGHTLINE_MAX_VIDEOS: String(LIMITS.videos), SIGHTLINE_MAX_STORED_BYTES: String(LIMITS.bytes) };
  library = await openLibrary(limits, { worker: true });
  api = library.api;
});
afterAll(() => library?.close());

/** Someone of an organization of their own, which has nothing yet. */
async function newcomer() {
  const user = await library.addUser();
  return { ...user, key: (await library.keyOf(user, ['read', 'write'])).key };
}
type Someone = Awaited<ReturnType<typeof newcomer>>;

const digest = () => String(++serial).padStart(64, '0');
/** A video whose bytes are there and not yet looked at. */
async function arriving(who: Someone, reserveBytes = 0): Promise<string> {
  const id = await library.add(who, { reserveBytes });
  await library.storage.write(`contents/${id}/source`, Buffer.from('film'));
  return id;
}
const ready = (id: string, sha256: string, sizeBytes = 100) =>
  library.database.transaction((trx) => library.videos.markReady(trx, id, { probe: PROBE, sizeBytes, sha256 }));
async function add(who: Someone, sha256 = digest(), sizeBytes = 100): Promise<string> {
  const id = await arriving(who);
  await ready(id, sha256, sizeBytes);
  return id;
}
const erase = (id: string, { key }: Someone) => api.call('DELETE', `/api/video/${id}?erase=true`, { key });
const usage = async ({ key }: Someone) => {
  const { json } = await api.call('GET', '/api/usage', { key });
  return { videos: json.videos, bytes: json.bytes };
};
const keyOf = async (id: string) => (await library.videos.find(id))!.storageKey;
const isThere = (key: string) =>
  access(join(library.filesDir, key)).then(
    () => true,
    () => false,
  );
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 100 });

describe('the same bytes', () => {
  test('are stored once per organization, until the last video with them is erased', async () => {
    const who = await newcomer();
    const sha256 = digest();
    const [first, second] = [await add(who, sha256), await add(who, sha256)];
    const place = await keyOf(first);
    expect(await keyOf(second)).toBe(place);
    await soon(async () => expect(await isThere(`contents/${second}`)).toBe(false));
    expect(await usage(who)).toEqual({ videos: 2, bytes: 100 });

    expect((await erase(first, who)).status).toBe(200);
    await soon(async () => expect(await usage(who)).toEqual({ videos: 1, bytes: 100 }));
    expect([await isThere(place), await keyOf(second)]).toEqual([true, place]);
    await erase(second, who);
    await soon(async () => expect([await usage(who), await isThere(place)]).toEqual([{ videos: 0, bytes: 0 }, false]));
  });

  test('uploaded and deleted concurrently are one object, then none', async () => {
    const who = await newcomer();
    const sha256 = digest();
    const ids = await Promise.all(Array.from({ length: 12 }, () => arriving(who)));
    await Promise.all(ids.map((id) => ready(id, sha256)));
    const places = new Set(await Promise.all(ids.map(keyOf)));
    expect(places.size).toBe(1);
    const [place] = [...places];
    const others = ids.filter((id) => !place!.includes(id));
    await soon(async () => {
      for (const id of others) expect(await isThere(`contents/${id}`)).toBe(false);
    });
    expect(await isThere(place!)).toBe(true);
    // Some go while others come.
    const late = await Promise.all(Array.from({ length: 4 }, () => arriving(who)));
    await Promise.all([...ids.map((id) => erase(id, who)), ...late.map((id) => ready(id, sha256))]);
    await soon(async () => expect(await usage(who)).toEqual({ videos: 4, bytes: 100 }));
    for (const id of late) expect(await isThere(await keyOf(id))).toBe(true);
    await Promise.all(late.map((id) => erase(id, who)));
    await soon(async () => {
      expect(await usage(who)).toEqual({ videos: 0, bytes: 0 });
      for (const id of [...ids, ...late]) expect(await isThere(`contents/${id}`)).toBe(false);
    });
  });

  test('that are marked ready together are one object; a deleted video is not marked', async () => {
    const who = await newcomer();
    const [same, other] = [digest(), digest()];
    const ids = await Promise.all(Array.from({ length: 4 }, () => arriving(who, 50)));
    const [first, second, third, erased] = ids;
    await erase(erased!, who);
    const arrived = [first, second, third, erased].map((id, i) => ({
      id: id!,
      probe: PROBE,
      sizeBytes: 100,
      sha256: i < 2 ? same : other,
    }));
    const came = await library.database.transaction((trx) => library.videos.markAllReady(trx, arrived));
    expect(came.sort()).toEqual([first, second, third].sort());
    expect(await keyOf(first!)).toBe(await keyOf(second!));
    expect(await keyOf(third!)).toBe(`contents/${third}/source`);
    await soon(async () => {
      const there = await Promise.all([first, second].map((id) => isThere(`contents/${id}/source`)));
      expect(there.filter(Boolean)).toHaveLength(1);
      expect(await usage(who)).toEqual({ videos: 3, bytes: 200 });
    });
    expect(await isThere(await keyOf(first!))).toBe(true);
  });

  test('of two organizations are two objects', async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const sha256 = digest();
    const [a, b] = [await add(one, sha256), await add(other, sha256)];
    expect(await keyOf(a)).not.toBe(await keyOf(b));
    expect([await usage(one), await usage(other)]).toEqual([
      { videos: 1, bytes: 100 },
      { videos: 1, bytes: 100 },
    ]);
  });

  test('survive the second erasure of another video, and are deleted after a crash in between', async () => {
    const who = await newcomer();
    const sha256 = digest();
    const [first, second] = [await add(who, sha256), await add(who, sha256)];
    const place = await keyOf(second);
    await erase(first, who);
    await soon(async () => expect((await usage(who)).videos).toBe(1));
    // A process that still considers the first pending removes its files.
    await library.videos.discard(first);
    expect(await isThere(place)).toBe(true);
    // The process dies after the record was erased: the removal of the file is a job of that transaction.
    const removal = vi.spyOn(library.storage, 'removeAll').mockRejectedValueOnce(new Error('the disk is away'));
    await erase(second, who);
    await soon(async () => expect(await isThere(place)).toBe(false));
    removal.mockRestore();
    expect(await usage(who)).toEqual({ videos: 0, bytes: 0 });
  });
});

describe('a quota', () => {
  test('applies to concurrent uploads, and its error states the numbers', async () => {
    const who = await newcomer();
    const uploads = await Promise.allSettled(Array.from({ length: 15 }, () => arriving(who, 1_000)));
    expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const [refused] = uploads.filter((result) => result.status === 'rejected');
    expect(refused!.reason).toMatchObject({
      status: 403,
      code: 'quota_exceeded',
      message: expect.stringMatching(/1000 more bytes.* may store 10000 bytes, and 10000 are used/),
    });
    expect(await usage(who)).toEqual({ videos: 10, bytes: 10_000 });
  });

  test('is released by failed, discarded and erased videos, and counts stored bytes instead of reserved ones', async () => {
    const who = await newcomer();
    const [failed, discarded, remaining] = await Promise.all([1, 2, 3].map(() => arriving(who, 3_000)));
    await library.videos.fail(failed!, { code: 'media_unreadable', message: 'This is no video.' });
    await library.videos.discard(discarded!);
    expect(await usage(who)).toEqual({ videos: 1, bytes: 3_000 });
    await ready(remaining!, digest(), 2_000);
    expect(await usage(who)).toEqual({ videos: 1, bytes: 2_000 });
    await erase(failed!, who);
    await erase(remaining!, who);
    await soon(async () => expect(await usage(who)).toEqual({ videos: 0, bytes: 0 }));
    const deleted = await arriving(who, 3_000);
    await api.call('DELETE', `/api/video/${deleted}`, { key: who.key });
    await soon(async () => expect(await usage(who)).toEqual({ videos: 0, bytes: 0 }));
  });

  test('applies to uploads without a length and to duplicates', async () => {
    const who = await newcomer();
    const sha256 = digest();
    await add(who, sha256, 9_000);
    const large = await arriving(who);
    await expect(ready(large, digest(), 1_001)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect((await library.videos.find(large))?.status).toBe('PREPARE_IN_PROGRESS');
    // The same bytes again take no more room.
    expect(await ready(large, sha256, 9_000)).toBe(true);
    expect(await usage(who)).toEqual({ videos: 2, bytes: 9_000 });
  });

  test('counts videos, and prefers the limit of the organization', async () => {
    const who = await newcomer();
    const { db } = library.database;
    await setQuota(db, who.orgId, { maxVideos: 2 });
    await Promise.all([add(who), add(who)]);
    await expect(add(who)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringMatching(/may have 2/),
    });
    await setQuota(db, who.orgId, { maxVideos: 3, maxBytes: 250 });
    const third = await arriving(who);
    await expect(ready(third, digest())).rejects.toMatchObject({
      message: expect.stringMatching(/may store 250 bytes, and 200/),
    });
    expect((await api.call('GET', '/api/usage', { key: who.key })).json).toMatchObject({
      max_videos: 3,
      max_bytes: 250,
    });
    expect(await setQuota(db, who.orgId, { maxBytes: null })).toMatchObject({ maxVideos: 3, maxBytes: null });
    expect((await api.call('GET', '/api/usage', { key: who.key })).json).toMatchObject({
      max_videos: 3,
      max_bytes: 10_000,
    });
    expect(await ready(third, digest())).toBe(true);
  });

  test('does not count samples', async () => {
    const who = await newcomer();
    await setQuota(library.database.db, who.orgId, { maxVideos: 0, maxBytes: 0 });
    const sample = () => library.add(who, { scope: 'sample', heartbeat: false });
    const [uploaded, failed] = [await sample(), await sample()];
    expect(await ready(uploaded, digest())).toBe(true);
    await library.videos.fail(failed, { code: 'media_unreadable', message: 'This is no video.' });
    expect(await usage(who)).toEqual({ videos: 0, bytes: 0 });
    await expect(library.add(who)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('organizations without limits of their own', () => {
  const limitsIn = async (env: Record<string, string>) => {
    const other = await openLibrary(env);
    const limitsOf = async (user: typeof other.owner) => {
      const { key } = await other.keyOf(user, ['read']);
      const { json } = await other.api.call('GET', '/api/usage', { key });
      return [json.max_videos, json.max_bytes];
    };
    const limits = [await limitsOf(other.owner), await limitsOf(await other.addUser())];
    await other.close();
    return limits;
  };

  test('have none if they are the first, and those of further ones otherwise', async () => {
    expect(await limitsIn({})).toEqual([
      [null, null],
      [10_000, 100 * 2 ** 30],
    ]);
    expect(await limitsIn({ SIGHTLINE_FURTHER_MAX_VIDEOS: '3', SIGHTLINE_MAX_STORED_BYTES: '9' })).toEqual([
      [null, 9],
      [3, 9],
    ]);
  });

  test('are held to them', async () => {
    const other = await openLibrary({ SIGHTLINE_FURTHER_MAX_VIDEOS: '1' });
    const user = await other.addUser();
    await other.add(user);
    await expect(other.add(user)).rejects.toMatchObject({ code: 'quota_exceeded', status: 403 });
    await other.add(other.owner);
    await other.add(other.owner);
    await other.close();
  });
});
