import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import {
  add,
  admin,
  age,
  call,
  change,
  colleague,
  count,
  folderOf,
  found,
  HOUR_S,
  library,
  me,
  results,
  stranger,
  useLibrary,
} from './library.fixture.ts';

useLibrary();

describe('the library', () => {
  test('supports each filter, and all combined', async () => {
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

  test.each([
    '-created_at',
    'created_at',
    'name',
    '-name',
    'duration_s',
    '-duration_s',
    'recorded_at',
    '-recorded_at',
  ] as const)('is read page by page by %s', async (sort) => {
    const who = await library.addUser();
    const [member, chief] = [await library.keyOf(who, ['read', 'write']), await library.keyOf(who, ['admin'])];
    const names = ['b', 'a', 'c', 'a', 'd', 'a'];
    const added: { id: string; name: string; durationS: number | null; recorded: string | null }[] = [];
    for (const [i, name] of names.entries()) {
      const id = await library.add(member.caller, { name, scope: i % 2 ? 'org' : 'user' });
      const durationS = [0.1 + 0.2, null, 1e9, 0.1 + 0.2, 12.5, null][i]!;
      const recorded = [
        null,
        '2026-11-01T10:00:00.1239Z',
        '1969-12-31T23:59:59.9995Z',
        null,
        '2026-11-01T10:00:00.1231Z',
        '2020-02-29T00:00:00Z',
      ][i]!;
      const changes = { durationS, recordedAt: recorded === null ? null : sql<Date>`${recorded}::timestamptz` };
      await library.database.db.updateTable('videos').set(changes).where('id', '=', id).execute();
      added.push({ id, name, durationS, recorded });
    }
    const foreign = await library.add(await library.addUser(who.orgId), { name: 'b' });
    const timeOf = (time: string | null) => (time === null ? Number.NEGATIVE_INFINITY : Date.parse(time));
    const expected = added.toSorted((a, b) => {
      if (sort.endsWith('name')) return `${a.name}${a.id}`.localeCompare(`${b.name}${b.id}`);
      const longer = sort.endsWith('duration_s') ? (a.durationS ?? 0) - (b.durationS ?? 0) : 0;
      // To the millisecond, which is what clients see.
      const later = sort.endsWith('recorded_at') ? timeOf(a.recorded) - timeOf(b.recorded) || 0 : 0;
      return longer || later || a.id.localeCompare(b.id);
    });
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
  test('renames, tags and describes, and leaves other fields', async () => {
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

  test('is limited to 64 names', async () => {
    const id = await add();
    const names = (from: number) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`n${from + i}`, i]));
    expect((await change(id, { metadata: names(0) })).status).toBe(200);
    expect((await change(id, { metadata: names(40) })).json.error).toBe('video_metadata_invalid');
  });

  test('requires access and a key with the write scope', async () => {
    const [personal, shared] = [await add(), await add(me, { scope: 'org' })];
    const reader = await library.keyOf(library.owner, ['read']);
    const name = { name: 'x' };
    const statuses = async (id: string) =>
      Promise.all([colleague, stranger, reader, admin].map(async (who) => (await change(id, name, who)).status));
    expect(await statuses(personal)).toEqual([403, 403, 403, 200]);
    expect(await statuses(shared)).toEqual([200, 403, 403, 200]);
    expect((await change(newId(), name)).status).toBe(404);
  });

  test('loses no names in concurrent requests', async () => {
    const id = await add();
    await Promise.all(Array.from({ length: 12 }, (_, i) => change(id, { metadata: { [`n${i}`]: i } })));
    expect(Object.keys((await library.videos.find(id))!.userMetadata)).toHaveLength(12);
  });
});

describe('moving', () => {
  test('updates counts and scope, and removes from the folder again', async () => {
    const [personal, shared] = [await folderOf('From'), await folderOf('To', 'org')];
    const id = await add(me, { folderId: personal });
    const answer = await change(id, { folder_id: shared });
    expect(answer.json).toMatchObject({ folder_id: shared, folder_name: 'To', scope: 'org' });
    expect([await count(personal), await count(shared)]).toEqual([0, 1]);
    expect((await change(id, { folder_id: personal })).json).toMatchObject({ error: 'video_shared' });
    expect((await change(id, { folder_id: null })).json).toMatchObject({ folder_id: null, scope: 'org' });
    expect([await count(personal), await count(shared)]).toEqual([0, 0]);
  });

  test('of many returns a result for each', async () => {
    const folder = await folderOf('Many');
    const [a, b] = [await add(), await add(me, { folderId: folder })];
    const [foreign, missing, others] = [await add(stranger), newId(), await add(colleague)];
    const ids = [a, missing, foreign, b, a, others];
    const answer = await call('POST', '/api/videos/move', { video_ids: ids, folder_id: folder });
    expect(results(answer.json)).toEqual([
      [a, true],
      [missing, 'video_not_found'],
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

  test('keeps counts correct in concurrent requests', async () => {
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
