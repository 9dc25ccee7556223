import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { add, age, buried, call, change, count, folderOf, found, library, me, useLibrary } from './library.fixture.ts';

useLibrary();

describe('a folder that goes', () => {
  test('requires a decision about its videos', async () => {
    const folder = await folderOf('Asks');
    await add(me, { folderId: folder });
    const answer = await call('DELETE', `/api/folders/${folder}`);
    expect(answer).toMatchObject({ status: 409, json: { error: 'folder_not_empty' } });
    expect(answer.json.detail).toContain('videos=move_to_root');
    expect((await call('DELETE', `/api/folders/${folder}?videos=burn`)).status).toBe(400);
    expect(await count(folder)).toBe(1);
  });

  test('moves its videos out, deleted ones included', async () => {
    const folder = await folderOf('Leaves');
    const [stays, deleted] = [await add(me, { folderId: folder }), await add(me, { folderId: folder })];
    await call('DELETE', `/api/video/${deleted}`);
    const answer = await call('DELETE', `/api/folders/${folder}?videos=move_to_root`);
    expect(answer.json).toEqual({ status: 'deleted', folder_id: folder, video_count: 1 });
    expect((await library.videos.find(stays))?.folderId).toBeNull();
    expect((await call('POST', `/api/video/${deleted}/restore`)).json).toMatchObject({
      video_id: deleted,
      folder_id: null,
    });
  });

  test('deletes its videos: hidden at once, published, restorable, then erased', async () => {
    const folder = await folderOf('Takes');
    const ids = await Promise.all(Array.from({ length: 5 }, () => add(me, { folderId: folder })));
    const answer = await call('DELETE', `/api/folders/${folder}?videos=delete`);
    expect(answer.json).toMatchObject({ status: 'deleted', video_count: 5 });
    expect((await found('')).filter((id) => ids.includes(id))).toEqual([]);
    await vi.waitFor(() => expect(buried.filter((id) => ids.includes(id)).sort()).toEqual(ids.toSorted()), {
      timeout: 30_000,
    });
    await vi.waitFor(
      async () => {
        const jobs = await sql<{ n: number }>`select count(*)::int as n from pgboss.job where name = 'videos.erase'
      and data->>'videoId' = any(${ids}::text[])`.execute(library.database.db);
        expect(jobs.rows[0]!.n).toBe(5);
      },
      { timeout: 30_000 },
    );
    expect((await call('POST', `/api/video/${ids[0]}/restore`)).json).toMatchObject({ folder_id: null });
  });

  test('loses no video and counts none twice under concurrent changes', async () => {
    for (let round = 0; round < 3; round++) {
      const folder = await folderOf(`Going ${round}`);
      const [inside, outside] = [
        await Promise.all(Array.from({ length: 4 }, () => add(me, { folderId: folder }))),
        await Promise.all(Array.from({ length: 4 }, () => add())),
      ];
      const [deletion, ...moves] = await Promise.all([
        call('DELETE', `/api/folders/${folder}?videos=move_to_root`),
        ...inside.map((id) => change(id, { folder_id: null })),
        ...outside.map((id) => change(id, { folder_id: folder })),
      ]);
      expect(deletion!.status).toBe(200);
      for (const { status, json } of moves)
        expect([200, 'folder_not_found']).toContain(status === 200 ? 200 : json.error);
      for (const id of [...inside, ...outside]) expect((await library.videos.find(id))?.folderId).toBeNull();
    }
  });
});

describe('retention', () => {
  test('deletes only videos past the retention period', async () => {
    const week = (await library.folders.create(me.caller, { name: 'Week', retentionDays: 7 })).id;
    const ever = await folderOf('Ever');
    const [old, young, elsewhere] = [
      await add(me, { folderId: week }),
      await add(me, { folderId: week }),
      await add(me, { folderId: ever }),
    ];
    await age(old, 8);
    await age(young, 6);
    await age(elsewhere, 800);
    await library.videos.cleanUp();
    expect(await library.videos.find(old)).toBeNull();
    expect(buried).toContain(old);
    expect([await count(week), await count(ever)]).toEqual([1, 1]);
    expect([await found('?folder=Week'), await found('?folder=Ever')]).toEqual([[young], [elsewhere]]);
    expect(await found('?folder=Week&deleted=true')).toEqual([old]);
    await call('PATCH', `/api/folders/${week}`, { retention_days: 5 });
    await library.videos.cleanUp();
    expect(await count(week)).toBe(0);
    // A restored video leaves the folder, which would only delete it again.
    const limited = { ...me.caller, folderId: week };
    await expect(library.videos.restore(limited, old)).rejects.toMatchObject({ code: 'key_limited' });
    expect((await call('POST', `/api/video/${old}/restore`)).json).toMatchObject({ folder_id: null });
    await library.videos.cleanUp();
    expect(await library.videos.find(old)).toMatchObject({ folderId: null });
    expect(await count(week)).toBe(0);
  });
});
