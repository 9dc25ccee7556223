// Lists of videos as existing clients request them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '#platform/http/index';
import type { ApiClient } from '#test/http';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';

let library: TestLibrary;
let api: ApiClient;
/** The owner and a colleague. */
let me: { key: string; caller: Caller };
let colleague: typeof me;

beforeAll(async () => {
  library = await openLibrary();
  const { owner } = library;
  me = await library.keyOf(owner, ['read', 'write']);
  colleague = await library.keyOf(await library.addUser(owner.orgId), ['read', 'write']);
  api = library.api;
});
afterAll(() => library?.close());

const facts = { probe: PROBE, sizeBytes: 1000, sha256: 'ab'.repeat(32) };
const ready = (id: string) => library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
const fail = (id: string) =>
  library.database.transaction((trx) => library.videos.markFailed(trx, id, 'media_unreadable', 'This is no video.'));
const list = async (query = '', { key } = me) => (await api.call('GET', `/api/my-videos${query}`, { key })).json;
const ids = (answer: Record<string, unknown>) => (answer.videos as { video_id: string }[]).map((v) => v.video_id);
const count = async (folderId: string) => (await library.folders.require(me.caller, folderId)).videoCount;

describe('my-videos', () => {
  test('lists the visible videos, newest first, with the fields of existing clients', async () => {
    const one = await library.addUser();
    const [mine, other] = [
      await library.keyOf(one, ['read']),
      await library.keyOf(await library.addUser(one.orgId), ['read']),
    ];
    const chief = await library.keyOf(one, ['admin']);
    const a = await library.add(mine.caller, { name: 'a.mp4' });
    const b = await library.add(other.caller, { scope: 'org' });
    const c = await library.add(other.caller);
    await ready(a);
    await fail(b);
    expect(ids(await list('', mine))).toEqual([b, a]);
    expect(ids(await list('', other))).toEqual([c, b]);
    expect(ids(await list('', chief))).toEqual([c, b, a]);
    expect(ids(await list('?scope=user', mine))).toEqual([a]);
    expect(ids(await list('?scope=user', chief))).toEqual([c, a]);
    expect(ids(await list('?scope=org', mine))).toEqual([b]);
    // The samples of the service: street, room and robot.
    const samples = ids(await list('?scope=sample', mine));
    expect([samples.length, [a, b, c].some((id) => samples.includes(id))]).toEqual([3, false]);
    const { videos } = await list('?firebase_collection_name=videos&folder_collection=videoFolders', mine);
    expect(videos).toMatchObject([
      { video_id: b, status: 'uploading_failed', message: 'This is no video.' },
      {
        video_id: a,
        video_name: 'a.mp4',
        filename: 'a.mp4',
        status: 'uploaded',
        duration_s: 12.5,
        folder_id: null,
        folder_name: null,
        org_id: one.orgId,
        scope: 'user',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  test('lists a folder; a personal one takes precedence over one of the organization', async () => {
    const shared = await library.folders.create(me.caller, { name: 'Night', scope: 'org' });
    const a = await library.add(colleague.caller, { folderId: shared.id, scope: 'org' });
    expect(ids(await list('?folder=Night'))).toEqual([a]);
    const own = await library.folders.create(me.caller, { name: 'Night' });
    const b = await library.add(me.caller, { folderId: own.id });
    expect((await list('?folder=Night')).videos).toMatchObject([
      { video_id: b, folder_id: own.id, folder_name: 'Night' },
    ]);
    expect(ids(await list('?folder=Night&scope=org'))).toEqual([a]);
    expect(ids(await list('?folder=Night', colleague))).toEqual([a]);
    expect([await count(shared.id), await count(own.id)]).toEqual([1, 1]);
    const none = await api.call('GET', '/api/my-videos?folder=nope', { key: me.key });
    expect(none).toMatchObject({ status: 404, json: { error: 'folder_not_found' } });
  });

  test('returns each video once across pages', async () => {
    const who = await library.keyOf(await library.addUser(), ['read']);
    const added: string[] = [];
    for (let i = 0; i < 5; i++) added.push(await library.add(who.caller, { scope: i % 2 ? 'org' : 'user' }));
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 1; ; pages++) {
      const page = await list(`?limit=2${cursor}`, who);
      seen.push(...ids(page));
      expect(page.has_more).toBe(pages < 3);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(added.reverse());
    for (const query of ['?limit=0', '?limit=10001', '?limit=x', '?cursor=nonsense', '?scope=all']) {
      expect((await api.call('GET', `/api/my-videos${query}`, { key: who.key })).status, query).toBe(400);
    }
  });
});
