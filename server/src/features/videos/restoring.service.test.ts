import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import {
  add,
  call,
  change,
  colleague,
  count,
  folderOf,
  found,
  HOUR_S,
  hasFile,
  library,
  me,
  results,
  row,
  stranger,
  useLibrary,
} from './library.fixture.ts';

useLibrary();

describe('restoring', () => {
  test('restores the video with its file, name, tags and folder', async () => {
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

  test('counts once for concurrent requests', async () => {
    const folder = await folderOf('Bin race');
    const id = await add(me, { folderId: folder });
    await call('DELETE', `/api/video/${id}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', `/api/video/${id}/restore`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await count(folder)).toBe(1);
  });

  test('a restored video survives its erasure job, and an expired one is not restorable', async () => {
    const [restored, over] = [await add(), await add()];
    await call('POST', '/api/videos/delete', { video_ids: [restored, over] });
    await call('POST', `/api/video/${restored}/restore`);
    const past = sql<Date>`now() - interval '7 hours'`;
    await library.database.db.updateTable('videos').set({ eraseAfter: past }).where('id', '=', over).execute();
    expect((await call('POST', `/api/video/${over}/restore`)).json.error).toBe('video_not_restorable');
    expect(await found('?deleted=true')).not.toContain(over);
    // Both jobs come now, as they will when the hour is over.
    await sql`update pgboss.job set start_after = now() where name = 'videos.erase'
      and data->>'videoId' = any(${[restored, over]}::text[])`.execute(library.database.db);
    await vi.waitFor(async () => expect(await row(over)).toBeUndefined(), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await hasFile(over)).toBe(false), { timeout: 30_000 });
    expect([await hasFile(restored), (await row(restored))?.deletedAt]).toEqual([true, null]);
  });

  test('is refused for failed uploads and for videos that are erased at once', async () => {
    const [coming, erased] = [await library.add(me.caller), await add()];
    expect((await call('DELETE', `/api/video/${coming}`)).json.restorable_until).toBeNull();
    expect((await call('DELETE', `/api/video/${erased}?erase=true`)).json.restorable_until).toBeNull();
    await vi.waitFor(async () => expect([await row(coming), await row(erased)]).toEqual([undefined, undefined]), {
      timeout: 30_000,
    });
    await vi.waitFor(async () => expect(await hasFile(erased)).toBe(false), { timeout: 30_000 });
  });

  test('of many, like deleting many, returns a result for each', async () => {
    const [a, b, foreign, missing] = [await add(), await add(), await add(stranger), newId()];
    const ids = { video_ids: [a, foreign, missing, b] };
    const outcomes = (word: string | boolean) => [
      [a, true],
      [foreign, 'video_forbidden'],
      [missing, 'video_not_found'],
      [b, word],
    ];
    expect(results((await call('POST', '/api/videos/delete', ids)).json)).toEqual(outcomes(true));
    await call('POST', `/api/video/${b}/restore`);
    expect(results((await call('POST', '/api/videos/restore', ids)).json)).toEqual(outcomes('video_not_restorable'));
    expect((await found('')).filter((id) => id === a || id === b)).toEqual([b, a]);
  });
});
