import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { add, age, call, change, folderOf, found, library, useLibrary } from '../library.fixture.ts';

useLibrary();

type Who = Parameters<typeof found>[1];
type Values = { value: string; count: number }[];
type Facets = {
  total: number;
  is_complete: boolean;
  queried: number;
  not_queried: number;
  durations: { min_s: number; max_s: number | null; count: number }[];
  created: { after: string | null; before: string | null; count: number }[];
} & Record<'statuses' | 'sources' | 'scopes' | 'tags', Values>;

const facets = async (query: string, who: Who): Promise<Facets> => {
  const { status, json, text } = await call('GET', `/api/videos/facets${query}`, undefined, who);
  expect(status, text).toBe(200);
  return json as unknown as Facets;
};
const counts = (values: Values) => Object.fromEntries(values.map(({ value, count }) => [value, count]));
const setDuration = (id: string, durationS: number | null) =>
  library.database.db.updateTable('videos').set({ durationS }).where('id', '=', id).execute();

/** An analysis of the video, as a row. */
async function ask(videoId: string, { caller }: NonNullable<Who>, scope: 'user' | 'org' = 'user'): Promise<void> {
  const row = { id: newId(), orgId: caller.orgId, ownerId: caller.userId, videoId, scope, position: 0 };
  await library.database.db
    .insertInto('analyses')
    .values({ ...row, query: 'a cut', mode: 'fast', status: 'COMPLETED' })
    .execute();
}

async function fill() {
  const user = await library.addUser();
  const me = await library.keyOf(user, ['read', 'write']);
  const colleague = await library.keyOf(await library.addUser(user.orgId), ['read', 'write']);
  const chief = await library.keyOf(await library.addUser(user.orgId), ['admin']);
  const folder = await folderOf('Facets', 'user', me);
  const night = await add(me, { name: 'night.mp4', folderId: folder, source: 'video_url' });
  const day = await add(me, { name: 'day.mp4' });
  const shared = await add(me, { name: 'shared.mp4', scope: 'org' });
  const coming = await library.add(me.caller, { name: 'coming.mp4' });
  const theirs = await add(colleague, { name: 'theirs.mp4' });
  await setDuration(night, 30);
  await setDuration(day, 60);
  await setDuration(shared, 7200);
  await change(night, { tags: ['rain', 'night'] }, me);
  await change(day, { tags: ['rain'] }, me);
  await age(night, 3);
  await ask(day, me);
  await ask(shared, colleague);
  return { me, colleague, chief, folder, night, day, shared, coming, theirs };
}

describe('facets of the library', () => {
  test('count what the caller may see by each field', async () => {
    const { me, colleague, chief } = await fill();
    const all = await facets('', me);
    expect(all).toMatchObject({ total: 4, is_complete: true, queried: 1, not_queried: 3 });
    expect(counts(all.statuses)).toEqual({ uploaded: 3, processing: 1 });
    expect(counts(all.sources)).toEqual({ file: 3, video_url: 1 });
    expect(counts(all.scopes)).toEqual({ user: 3, org: 1 });
    expect(all.tags).toEqual([
      { value: 'rain', count: 2 },
      { value: 'night', count: 1 },
    ]);
    expect(all.durations.map(({ min_s, max_s, count }) => [min_s, max_s, count])).toEqual([
      [0, 60, 1],
      [60, 600, 1],
      [600, 3600, 0],
      [3600, null, 1],
    ]);
    expect(all.created.map(({ count }) => count)).toEqual([3, 1, 0, 0, 0]);
    // A colleague's personal question about a shared video is theirs.
    expect(await facets('', colleague)).toMatchObject({ total: 2, queried: 1, not_queried: 1 });
    expect(await facets('', chief)).toMatchObject({ total: 5, queried: 2, not_queried: 3 });
  });

  test('agree with the list for every filter, and show what other values of it would find', async () => {
    const { me, chief, folder } = await fill();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const queries = [
      '?status=uploaded',
      '?status=uploading_failed',
      '?source=video_url',
      '?scope=org',
      '?scope=user',
      '?queried=true',
      '?queried=false',
      '?tag=rain',
      '?name=NIGHT',
      `?folder_id=${folder}`,
      '?folder=Facets',
      '?min_duration_s=60',
      '?max_duration_s=60',
      '?min_duration_s=60&max_duration_s=600',
      '?deleted=true',
      `?created_after=${daysAgo(1)}`,
      `?created_before=${daysAgo(1)}`,
      '?tag=rain&queried=false&status=uploaded',
    ];
    for (const who of [me, chief]) {
      for (const query of queries) {
        const listed = (await found(query, who === chief && /folder/.test(query) ? me : who)).length;
        const counted = await facets(query, who === chief && /folder/.test(query) ? me : who);
        expect([query, counted.total]).toEqual([query, listed]);
      }
    }
    const processing = await facets('?status=processing', me);
    expect(counts(processing.statuses)).toEqual({ uploaded: 3, processing: 1 });
    expect([processing.total, processing.queried, processing.not_queried]).toEqual([1, 0, 1]);
    expect(await facets('?queried=true', me)).toMatchObject({ total: 1, queried: 1, not_queried: 3 });
    const long = await facets('?min_duration_s=3600', me);
    expect(long.durations.map(({ count }) => count)).toEqual([1, 1, 0, 1]);
    expect((await facets(`?created_after=${daysAgo(1)}`, me)).created.map(({ count }) => count)).toEqual([
      3, 1, 0, 0, 0,
    ]);
    expect(await facets(`?folder_id=${folder}&scope=org`, me)).toMatchObject({ total: 0, is_complete: true });
    for (const query of ['?status=x', '?queried=x', '?min_duration_s=-1', '?sort=name', '?limit=3']) {
      expect([query, (await call('GET', `/api/videos/facets${query}`, undefined, me)).status]).toEqual([query, 400]);
    }
  });

  test('count only the newest videos of a large library, and say so', async () => {
    const who = await library.keyOf(await library.addUser(), ['read']);
    const { orgId, userId } = who.caller;
    await sql`
      insert into videos (id, org_id, owner_id, scope, name, source, status, storage_key, duration_s)
      select ${newId().slice(0, 20)} || lpad(n::text, 12, '0'), ${orgId}, ${userId}, 'user', 'v' || n, 'file', 'UPLOADED', 'none', n
      from generate_series(1, 10001) n`.execute(library.database.db);
    const large = await facets('', who);
    expect(large).toMatchObject({ total: 10_000, is_complete: false, not_queried: 10_000 });
    expect(large.durations.map(({ count }) => count)).toEqual([58, 540, 3000, 6402]);
    expect(await facets('?name=v10001', who)).toMatchObject({ total: 1, is_complete: true });
  });
});
