import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Client } from '#test/http';
import { type Library, openLibrary, PROBE } from '#test/library';
import type { NewVideo } from './types.ts';

const HOUR_S = 3600;

let library: Library;
let api: Client;
/** The owner, a colleague, an administrator's key of the same organisation, and someone of another one. */
let me: { key: string; caller: Caller };
let colleague: typeof me;
let admin: typeof me;
let stranger: typeof me;
const buried: string[] = [];

beforeAll(async () => {
  library = await openLibrary({ restoreS: HOUR_S });
  const { owner } = library;
  me = await library.keyOf(owner, ['read', 'write']);
  colleague = await library.keyOf(await library.addUser(owner.orgId), ['read', 'write']);
  admin = await library.keyOf(await library.addUser(owner.orgId), ['admin']);
  stranger = await library.keyOf(await library.addUser(), ['read', 'write']);
  library.events.subscribe('video.deleted', async (_trx, { videoId }) => void buried.push(videoId));
  library.videos.work();
  await library.jobs.start();
  api = await library.serve();
});
afterAll(() => library?.close());

/** A stored video, with a file. */
async function add(who = me, more: Partial<NewVideo> = {}): Promise<string> {
  const id = await library.add(who.caller, more);
  await library.storage.write(`contents/${id}/source`, Buffer.from('film'));
  const facts = { probe: PROBE, sizeBytes: 1000, sha256: id.padEnd(64, '0') };
  await library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
  return id;
}
const call = (method: string, path: string, json?: unknown, { key } = me) => api.call(method, path, { key, json });
const folderOf = async (name: string, scope: 'user' | 'org' = 'user', who = me) =>
  (await library.folders.create(who.caller, { name, scope })).id;
const count = async (id: string) => (await library.folders.require(me.caller, id)).videoCount;
const found = async (query: string, who = me) => {
  const { status, json } = await call('GET', `/api/videos${query}`, undefined, who);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json.videos as { video_id: string }[]).map((video) => video.video_id);
};
const results = (json: Record<string, unknown>) =>
  (json.results as { video_id: string; ok: boolean; error?: string }[]).map((r) => [r.video_id, r.error ?? r.ok]);
const change = (id: string, json: unknown, who = me) => call('PATCH', `/api/video/${id}`, json, who);
const row = (id: string) =>
  library.database.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst();
const hasFile = (id: string) =>
  access(join(library.filesDir, 'contents', id, 'source')).then(
    () => true,
    () => false,
  );
const age = (id: string, days: number) =>
  library.database.db
    .updateTable('videos')
    .set({ created_at: sql<Date>`now() - make_interval(days => ${days}::int)` })
    .where('id', '=', id)
    .execute();

describe('the library', () => {
  test('is filtered by each of its filters, and by all at once', async () => {
    const who = await library.keyOf(await library.addUser(), ['read', 'write']);
    const folder = await folderOf('Filters', 'user', who);
    const a = await add(who, { name: 'Night 100%_drive.mp4', folderId: folder, source: 'video_url' });
    const b = await add(who, { name: 'day drive.mp4' });
    const c = await library.add(who.caller, { name: 'coming.mp4', scope: 'org' });
    await change(a, { tags: ['rain', 'night'] }, who);
    await change(b, { tags: ['rain'] }, who);
    await age(a, 3);
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR_S * 1000).toISOString();

    expect(await found('', who)).toEqual([c, b, a]);
    expect(await found('?status=uploaded', who)).toEqual([b, a]);
    expect(await found('?status=processing', who)).toEqual([c]);
    expect(await found(`?folder_id=${folder}`, who)).toEqual([a]);
    expect(await found('?folder=Filters', who)).toEqual([a]);
    expect(await found(`?folder_id=${folder}&scope=org`, who)).toEqual([]);
    expect(await found('?scope=org', who)).toEqual([c]);
    expect(await found('?name=DRIVE', who)).toEqual([b, a]);
    expect(await found(`?name=${encodeURIComponent('0%_')}`, who)).toEqual([a]);
    expect(await found('?name=%25', who)).toEqual([a]);
    expect(await found('?tag=rain', who)).toEqual([b, a]);
    expect(await found('?tag=night', who)).toEqual([a]);
    expect(await found('?source=video_url', who)).toEqual([a]);
    expect(await found(`?created_after=${daysAgo(1)}`, who)).toEqual([c, b]);
    expect(await found(`?status=uploaded&folder=Filters&name=night&tag=rain&source=video_url`, who)).toEqual([a]);
    expect(await found(`?created_before=${daysAgo(-1)}&created_after=${daysAgo(1)}`, who)).toEqual([c, b]);
    expect(await found('?created_before=2016-12-31T23:59:60Z', who)).toEqual([]);
    expect(await found('?created_after=2016-12-31T23:59:60Z', who)).toEqual([c, b, a]);
    for (const query of ['?status=x', '?sort=size', '?created_after=yesterday', '?limit=1001', '?deleted=x']) {
      expect((await call('GET', `/api/videos${query}`)).status, query).toBe(400);
    }
    expect((await call('GET', `/api/videos?folder_id=${folder}`)).json.error).toBe('folder_forbidden');
  });

  test.each(['-created_at', 'created_at', 'name', '-name'] as const)('is read page by page by %s', async (sort) => {
    const who = await library.addUser();
    const [member, chief] = [await library.keyOf(who, ['read', 'write']), await library.keyOf(who, ['admin'])];
    const names = ['b', 'a', 'c', 'a', 'd', 'a'];
    const added: { id: string; name: string }[] = [];
    for (const [i, name] of names.entries()) {
      added.push({ id: await library.add(member.caller, { name, scope: i % 2 ? 'org' : 'user' }), name });
    }
    const foreign = await library.add(await library.addUser(who.orgId), { name: 'b' });
    const expected = added.toSorted((a, b) =>
      sort.endsWith('name') ? `${a.name}${a.id}`.localeCompare(`${b.name}${b.id}`) : a.id.localeCompare(b.id),
    );
    if (sort.startsWith('-')) expected.reverse();

    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page++) {
      const { json } = await call('GET', `/api/videos?sort=${sort}&limit=2${cursor}`, undefined, member);
      seen.push(...(json.videos as { video_id: string }[]).map((video) => video.video_id));
      if (!json.has_more) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual(expected.map(({ id }) => id));
    const all = await found(`?sort=${sort}`, chief);
    expect(all).toContain(foreign);
    expect(all.filter((id) => id !== foreign)).toEqual(seen);
    const other = sort === 'name' ? '-name' : 'name';
    expect((await call('GET', `/api/videos?sort=${other}${cursor}`, undefined, member)).json.error).toBe(
      'cursor_invalid',
    );
  });
});

describe('a change', () => {
  test('renames, tags and describes, and leaves the rest', async () => {
    const id = await add(me, { name: 'old.mp4', metadata: { sidecar: { fields: ['speed'] } } });
    const json = {
      name: ' new.mp4 ',
      tags: [' rain ', 'night', 'rain'],
      metadata: { vehicle: 'A7', lap: 3, wet: true },
    };
    expect((await change(id, json)).json).toMatchObject({
      video_id: id,
      video_name: 'new.mp4',
      filename: 'new.mp4',
      tags: ['rain', 'night'],
      metadata: { vehicle: 'A7', lap: 3, wet: true },
      restorable_until: null,
    });
    expect((await change(id, { metadata: { lap: null, route: 'N1' }, name: null, tags: null })).json).toMatchObject({
      video_name: 'new.mp4',
      tags: ['rain', 'night'],
      metadata: { vehicle: 'A7', wet: true, route: 'N1' },
    });
    const status = (await call('GET', `/api/video/${id}/status`)).json;
    expect(status).toMatchObject({
      tags: ['rain', 'night'],
      metadata: { vehicle: 'A7', size_bytes: 1000, sidecar: { fields: ['speed'] } },
    });
    expect(status.metadata as object).not.toHaveProperty('lap');
    expect((await change(id, { tags: [] })).json.tags).toEqual([]);
  });

  test.each([
    [{ name: '   ' }, 'video_name_invalid'],
    [{ tags: ['a', ' '] }, 'video_tag_invalid'],
    [{ tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'request_invalid'],
    [{ metadata: { size_bytes: 1 } }, 'video_metadata_invalid'],
    [{ metadata: { visual_analysis: 'x' } }, 'video_metadata_invalid'],
    [{ metadata: { deep: { er: 1 } } }, 'request_invalid'],
    [{ metadata: { 'a\u0000': 'x' } }, 'request_invalid'],
    [{ metadata: { a: 'x\ud800' } }, 'request_invalid'],
    [{ folder_id: newId() }, 'folder_not_found'],
  ])('%j is refused', async (json, error) => {
    const id = await add(me, { name: 'stays.mp4' });
    const answer = await change(id, { name: 'other.mp4', ...json });
    expect([400, 404]).toContain(answer.status);
    if (error) expect(answer.json.error).toBe(error);
    expect(await library.videos.find(id)).toMatchObject({ name: 'stays.mp4', tags: [], userMetadata: {} });
  });

  test('holds 64 names at most, however they come', async () => {
    const id = await add();
    const names = (from: number) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`n${from + i}`, i]));
    expect((await change(id, { metadata: names(0) })).status).toBe(200);
    expect((await change(id, { metadata: names(40) })).json.error).toBe('video_metadata_invalid');
  });

  test('is for those who see the video, and whose key may write', async () => {
    const [personal, shared] = [await add(), await add(me, { scope: 'org' })];
    const reader = await library.keyOf(library.owner, ['read']);
    const name = { name: 'x' };
    const statuses = async (id: string) =>
      Promise.all([colleague, stranger, reader, admin].map(async (who) => (await change(id, name, who)).status));
    expect(await statuses(personal)).toEqual([403, 403, 403, 200]);
    expect(await statuses(shared)).toEqual([200, 403, 403, 200]);
    expect((await change(newId(), name)).status).toBe(404);
  });

  test('by many at once loses none of the names', async () => {
    const id = await add();
    await Promise.all(Array.from({ length: 12 }, (_, i) => change(id, { metadata: { [`n${i}`]: i } })));
    expect(Object.keys((await library.videos.find(id))!.userMetadata)).toHaveLength(12);
  });
});

describe('moving', () => {
  test('counts, gives the folder’s scope, and takes out again', async () => {
    const [personal, shared] = [await folderOf('From'), await folderOf('To', 'org')];
    const id = await add(me, { folderId: personal });
    const answer = await change(id, { folder_id: shared });
    expect(answer.json).toMatchObject({ folder_id: shared, folder_name: 'To', scope: 'org' });
    expect([await count(personal), await count(shared)]).toEqual([0, 1]);
    expect((await change(id, { folder_id: personal })).json).toMatchObject({ error: 'video_shared' });
    expect((await change(id, { folder_id: null })).json).toMatchObject({ folder_id: null, scope: 'org' });
    expect([await count(personal), await count(shared)]).toEqual([0, 0]);
  });

  test('of many says what became of each', async () => {
    const folder = await folderOf('Many');
    const [a, b] = [await add(), await add(me, { folderId: folder })];
    const [foreign, gone, others] = [await add(stranger), newId(), await add(colleague)];
    const ids = [a, gone, foreign, b, a, others];
    const answer = await call('POST', '/api/videos/move', { video_ids: ids, folder_id: folder });
    expect(results(answer.json)).toEqual([
      [a, true],
      [gone, 'video_not_found'],
      [foreign, 'video_forbidden'],
      [b, true],
      [others, 'video_forbidden'],
    ]);
    expect(await count(folder)).toBe(2);
    expect((await found(`?folder_id=${folder}`)).sort()).toEqual([a, b].sort());
    const theirs = await folderOf('Theirs', 'user', colleague);
    expect((await call('POST', '/api/videos/move', { video_ids: [a], folder_id: theirs })).json.error).toBe(
      'folder_forbidden',
    );
    // An administrator sees the colleague's video and may not make it vanish from under them.
    const chiefs = await folderOf('Chief', 'user', admin);
    const taken = await call('POST', '/api/videos/move', { video_ids: [others], folder_id: chiefs }, admin);
    expect(results(taken.json)).toEqual([[others, 'video_shared']]);
    for (const json of [
      { video_ids: [], folder_id: null },
      { video_ids: [a] },
      { video_ids: Array(501).fill(a), folder_id: null },
    ]) {
      expect((await call('POST', '/api/videos/move', json)).status).toBe(400);
    }
  });

  test('to and fro by many at once leaves counts that are true', async () => {
    const folders = [await folderOf('Fro 1'), await folderOf('Fro 2'), await folderOf('Fro 3')];
    const ids = await Promise.all(Array.from({ length: 4 }, () => add()));
    const answers = await Promise.all(
      Array.from({ length: 36 }, (_, i) =>
        change(ids[i % 4]!, { folder_id: [...folders, null][(i * 7 + (i >> 2)) % 4] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(36).fill(200));
    for (const folder of folders) expect(await count(folder)).toBe((await found(`?folder_id=${folder}`)).length);
  });
});

describe('restoring', () => {
  test('brings back what was deleted, with its file, name, tags and folder', async () => {
    const folder = await folderOf('Bin');
    const id = await add(me, { folderId: folder, name: 'kept.mp4' });
    await change(id, { tags: ['rain'] });
    const deleted = await call('DELETE', `/api/video/${id}`);
    const until = Date.parse(String(deleted.json.restorable_until));
    expect(until - Date.now()).toBeGreaterThan((HOUR_S - 60) * 1000);
    expect(until - Date.now()).toBeLessThan((HOUR_S + 60) * 1000);
    for (const path of [`/api/video/${id}/status`, '/api/my-videos']) {
      expect((await call('GET', path)).text).not.toContain(`"video_id":"${id}"`);
    }
    expect(await count(folder)).toBe(0);
    expect(await found('?deleted=true&folder=Bin')).toEqual([id]);
    expect(await found('?deleted=true', stranger)).not.toContain(id);
    expect((await change(id, { name: 'x' })).json.error).toBe('video_not_found');
    expect((await call('POST', `/api/video/${id}/restore`, undefined, colleague)).status).toBe(403);

    const back = await call('POST', `/api/video/${id}/restore`);
    expect(back.json).toMatchObject({
      video_id: id,
      video_name: 'kept.mp4',
      tags: ['rain'],
      folder_id: folder,
      restorable_until: null,
    });
    expect(await count(folder)).toBe(1);
    expect(await found('?folder=Bin')).toEqual([id]);
    expect(await hasFile(id)).toBe(true);
    expect((await call('POST', `/api/video/${id}/restore`)).json.error).toBe('video_not_restorable');
  });

  test('by many at once counts once', async () => {
    const folder = await folderOf('Bin race');
    const id = await add(me, { folderId: folder });
    await call('DELETE', `/api/video/${id}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', `/api/video/${id}/restore`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await count(folder)).toBe(1);
  });

  test('a restored video outlives the job that was to erase it, and one whose time is over does not come back', async () => {
    const [restored, over] = [await add(), await add()];
    await call('POST', '/api/videos/delete', { video_ids: [restored, over] });
    await call('POST', `/api/video/${restored}/restore`);
    const past = sql<Date>`now() - interval '7 hours'`;
    await library.database.db.updateTable('videos').set({ erase_after: past }).where('id', '=', over).execute();
    expect((await call('POST', `/api/video/${over}/restore`)).json.error).toBe('video_not_restorable');
    expect(await found('?deleted=true')).not.toContain(over);
    // Both jobs come now, as they will when the hour is over.
    await sql`update pgboss.job set start_after = now() where name = 'videos.erase'
      and data->>'videoId' = any(${[restored, over]}::text[])`.execute(library.database.db);
    await vi.waitFor(async () => expect(await row(over)).toBeUndefined(), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await hasFile(over)).toBe(false), { timeout: 10_000 });
    expect([await hasFile(restored), (await row(restored))?.deleted_at]).toEqual([true, null]);
  });

  test('is not for what never arrived, nor for what is to be erased at once', async () => {
    const [coming, erased] = [await library.add(me.caller), await add()];
    expect((await call('DELETE', `/api/video/${coming}`)).json.restorable_until).toBeNull();
    expect((await call('DELETE', `/api/video/${erased}?erase=true`)).json.restorable_until).toBeNull();
    await vi.waitFor(async () => expect([await row(coming), await row(erased)]).toEqual([undefined, undefined]), {
      timeout: 20_000,
    });
    await vi.waitFor(async () => expect(await hasFile(erased)).toBe(false), { timeout: 10_000 });
  });

  test('of many, like deleting many, says what became of each', async () => {
    const [a, b, foreign, gone] = [await add(), await add(), await add(stranger), newId()];
    const ids = { video_ids: [a, foreign, gone, b] };
    const outcomes = (word: string | boolean) => [
      [a, true],
      [foreign, 'video_forbidden'],
      [gone, 'video_not_found'],
      [b, word],
    ];
    expect(results((await call('POST', '/api/videos/delete', ids)).json)).toEqual(outcomes(true));
    await call('POST', `/api/video/${b}/restore`);
    expect(results((await call('POST', '/api/videos/restore', ids)).json)).toEqual(outcomes('video_not_restorable'));
    expect((await found('')).filter((id) => id === a || id === b)).toEqual([b, a]);
  });
});

describe('a folder that goes', () => {
  test('asks what becomes of its videos', async () => {
    const folder = await folderOf('Asks');
    await add(me, { folderId: folder });
    const answer = await call('DELETE', `/api/folders/${folder}`);
    expect(answer).toMatchObject({ status: 409, json: { error: 'folder_not_empty' } });
    expect(answer.json.detail).toContain('videos=move_to_root');
    expect((await call('DELETE', `/api/folders/${folder}?videos=burn`)).status).toBe(400);
    expect(await count(folder)).toBe(1);
  });

  test('leaves its videos, those that are deleted too', async () => {
    const folder = await folderOf('Leaves');
    const [stays, gone] = [await add(me, { folderId: folder }), await add(me, { folderId: folder })];
    await call('DELETE', `/api/video/${gone}`);
    const answer = await call('DELETE', `/api/folders/${folder}?videos=move_to_root`);
    expect(answer.json).toEqual({ status: 'deleted', folder_id: folder, video_count: 1 });
    expect((await library.videos.find(stays))?.folderId).toBeNull();
    expect((await call('POST', `/api/video/${gone}/restore`)).json).toMatchObject({ video_id: gone, folder_id: null });
  });

  test('takes its videos along: hidden at once, told to the other rooms, restorable, then erased', async () => {
    const folder = await folderOf('Takes');
    const ids = await Promise.all(Array.from({ length: 5 }, () => add(me, { folderId: folder })));
    const answer = await call('DELETE', `/api/folders/${folder}?videos=delete`);
    expect(answer.json).toMatchObject({ status: 'deleted', video_count: 5 });
    expect((await found('')).filter((id) => ids.includes(id))).toEqual([]);
    await vi.waitFor(() => expect(buried.filter((id) => ids.includes(id)).sort()).toEqual(ids.toSorted()), {
      timeout: 20_000,
    });
    await vi.waitFor(
      async () => {
        const jobs = await sql<{ n: number }>`select count(*)::int as n from pgboss.job where name = 'videos.erase'
      and data->>'videoId' = any(${ids}::text[])`.execute(library.database.db);
        expect(jobs.rows[0]!.n).toBe(5);
      },
      { timeout: 20_000 },
    );
    expect((await call('POST', `/api/video/${ids[0]}/restore`)).json).toMatchObject({ folder_id: null });
  });

  test('while videos come and go loses none and counts none twice', async () => {
    for (let round = 0; round < 3; round++) {
      const folder = await folderOf(`Going ${round}`);
      const [inside, outside] = [
        await Promise.all(Array.from({ length: 4 }, () => add(me, { folderId: folder }))),
        await Promise.all(Array.from({ length: 4 }, () => add())),
      ];
      const [gone, ...moves] = await Promise.all([
        call('DELETE', `/api/folders/${folder}?videos=move_to_root`),
        ...inside.map((id) => change(id, { folder_id: null })),
        ...outside.map((id) => change(id, { folder_id: folder })),
      ]);
      expect(gone!.status).toBe(200);
      for (const { status, json } of moves)
        expect([200, 'folder_not_found']).toContain(status === 200 ? 200 : json.error);
      for (const id of [...inside, ...outside]) expect((await library.videos.find(id))?.folderId).toBeNull();
    }
  });
});

describe('retention', () => {
  test('deletes what its folder keeps no longer, and nothing else', async () => {
    const week = (await library.folders.create(me.caller, { name: 'Week', retention_days: 7 })).id;
    const ever = await folderOf('Ever');
    const [old, young, elsewhere] = [
      await add(me, { folderId: week }),
      await add(me, { folderId: week }),
      await add(me, { folderId: ever }),
    ];
    await age(old, 8);
    await age(young, 6);
    await age(elsewhere, 800);
    await library.videos.sweep();
    expect(await library.videos.find(old)).toBeNull();
    expect(buried).toContain(old);
    expect([await count(week), await count(ever)]).toEqual([1, 1]);
    expect([await found('?folder=Week'), await found('?folder=Ever')]).toEqual([[young], [elsewhere]]);
    expect(await found('?folder=Week&deleted=true')).toEqual([old]);
    await call('PATCH', `/api/folders/${week}`, { retention_days: 5 });
    await library.videos.sweep();
    expect(await count(week)).toBe(0);
    // Who wants one back gets it back: the folder would only delete it again.
    const limited = { ...me.caller, folderId: week };
    await expect(library.videos.restore(limited, old)).rejects.toMatchObject({ code: 'key_limited' });
    expect((await call('POST', `/api/video/${old}/restore`)).json).toMatchObject({ folder_id: null });
    await library.videos.sweep();
    expect(await library.videos.find(old)).toMatchObject({ folderId: null });
    expect(await count(week)).toBe(0);
  });
});
