import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import { startTestApp, type TestApp } from '#test/app';
import { sceneClip } from '#test/media/clips';

/**
 * Sets of views that some callers see only partly: two cameras are shared with the organization, the others are
 * personal.
 */
let app: TestApp;
let mine: string;
let colleague: string;
let upload: (scope: string) => Promise<string>;
let left: string;
let front: string;
let rear: string;

const call = (key: string, method: string, path: string, json?: object) => app.api.call(method, path, { key, json });

beforeAll(async () => {
  app = await startTestApp();
  const { keys, accounts, database } = app.sightline;
  const owner = (await accounts.owner())!;
  const keyOf = async (userId: string) =>
    (await keys.create({ orgId: owner.orgId, userId, name: 'key', scopes: ['read', 'write'] })).key;
  const other = newId();
  const user = { id: other, orgId: owner.orgId, email: 'other@example.org', name: 'Other', role: 'member' };
  await database.db.insertInto('users').values(user).execute();
  [mine, colleague] = [await keyOf(owner.userId), await keyOf(other)];
  const clip = new Blob([await readFile(await sceneClip())]);
  upload = async (scope) => {
    const body = new FormData();
    body.set('source', 'file');
    body.set('scope', scope);
    body.set('file', clip, 'scene.mp4');
    const { json, text } = await app.api.call('POST', '/api/upload-video', { key: mine, body });
    expect(json.scope, text).toBe(scope);
    return String(json.video_id);
  };
  left = await upload('user');
  front = await upload('org');
  rear = await upload('org');
  const views = { left, front, rear };
  const offsets = { front: 0.25, rear: 0.75 };
  const linked = await call(mine, 'POST', '/api/multi-view/stitch', { primary_view_id: left, views, offsets });
  expect(linked.json, linked.text).toMatchObject({ primary_view_id: left });
});
afterAll(() => app.close());

test('a caller who sees only part of a set gets that part, on the clock of its first view', async () => {
  const whole = await call(mine, 'GET', `/api/multi-view/${front}`);
  expect(whole.json).toMatchObject({ primary_view_id: left, views: { left, front, rear } });
  const part = await call(colleague, 'GET', `/api/multi-view/${rear}`);
  expect(part.json, part.text).toMatchObject({ primary_view_id: front, views: { front, rear } });
  expect(part.json.details).toMatchObject([
    { role: 'front', offset_s: 0 },
    { role: 'rear', offset_s: 0.5 },
  ]);
  expect(part.text).not.toContain(left);
  const urls = await call(colleague, 'POST', `/api/multi-view/${front}/signed-urls`, {});
  expect(urls.json, urls.text).toMatchObject({ primary_view_id: front });
  expect(urls.json.views).toHaveLength(2);
  expect((await call(colleague, 'GET', `/api/multi-view/${left}`)).json.error).toBe('video_forbidden');
});

test('sets are listed as far as the caller sees them, page by page or of one video', async () => {
  const list = async (key: string, query = '') => {
    const { json, text, status } = await call(key, 'GET', `/api/multi-view${query}`);
    expect(status, text).toBe(200);
    return json as { view_sets: { primary_view_id: string }[]; has_more: boolean; next_cursor: string | null };
  };
  const primaries = (page: Awaited<ReturnType<typeof list>>) => page.view_sets.map((set) => set.primary_view_id);
  expect(await list(mine)).toMatchObject({
    view_sets: [{ primary_view_id: left, views: { left, front, rear }, details: [{ video_id: left }, {}, {}] }],
    has_more: false,
    next_cursor: null,
  });
  expect(await list(colleague)).toMatchObject({ view_sets: [{ primary_view_id: front, views: { front, rear } }] });
  for (const id of [left, front, rear]) expect(primaries(await list(mine, `?video_id=${id}`))).toEqual([left]);

  const alone = await upload('user');
  expect(await list(mine, `?video_id=${alone}`)).toEqual({ view_sets: [], has_more: false, next_cursor: null });
  const [a, b] = [await upload('user'), await upload('user')];
  await call(mine, 'POST', '/api/multi-view/stitch', { primary_view_id: a, views: { front: a, rear: b } });
  const first = await list(mine, '?limit=1');
  expect([primaries(first), first.has_more]).toEqual([[a], true]);
  const second = await list(mine, `?limit=1&cursor=${first.next_cursor}`);
  expect([primaries(second), second.has_more]).toEqual([[left], false]);
  expect(primaries(await list(colleague))).toEqual([front]);
  await call(mine, 'DELETE', `/api/video/${b}`);
  expect(primaries(await list(mine))).toEqual([left]);

  const refused = async (key: string, query: string) => (await call(key, 'GET', `/api/multi-view${query}`)).json.error;
  expect(await refused(colleague, `?video_id=${left}`)).toBe('video_forbidden');
  expect(await refused(mine, `?video_id=${newId()}`)).toBe('video_not_found');
  expect(await refused(mine, '?cursor=x')).toBe('cursor_invalid');
});

test('fused results contain only the views that the caller sees', async () => {
  const started = await call(colleague, 'POST', `/api/multi-view/${front}/query`, { query: 'a cut' });
  expect(started.json, started.text).toMatchObject({ total: 2 });
  const batch = `/api/batch/${started.json.batch_id}/status`;
  const done = async () => expect((await call(colleague, 'GET', batch)).json.status).toBe('completed');
  await vi.waitFor(done, { timeout: 60_000, interval: 300 });
  const fused = { batch_ids: [started.json.batch_id] };
  const fusedResult = await call(colleague, 'POST', '/api/fuse_multiview_results', fused);
  expect(fusedResult.json, fusedResult.text).toMatchObject({ results: [{ video_id: front, views: { front, rear } }] });
  expect(fusedResult.text).not.toContain(left);
});

test('a caller who sees only one view of a set gets 404', async () => {
  const { db } = app.sightline.database;
  await db.updateTable('videos').set({ scope: 'user' }).where('id', '=', rear).execute();
  const answer = await call(colleague, 'GET', `/api/multi-view/${front}`);
  expect([answer.status, answer.json.error]).toEqual([404, 'views_not_found']);
  expect((await call(mine, 'GET', `/api/multi-view/${front}`)).json.views).toEqual({ left, front, rear });
  expect((await call(mine, 'DELETE', `/api/multi-view/${rear}`)).json).toMatchObject({ primary_view_id: left });
  expect((await call(mine, 'GET', `/api/multi-view/${front}`)).json.error).toBe('views_not_found');
});

test('linking a video again ends its previous set, also concurrently', async () => {
  const link = (primary: string, other: string) =>
    call(mine, 'POST', '/api/multi-view/stitch', { primary_view_id: primary, views: { front: primary, rear: other } });
  await call(mine, 'POST', '/api/multi-view/stitch', { primary_view_id: left, views: { left, front, rear } });
  expect((await link(rear, front)).json).toMatchObject({ primary_view_id: rear });
  expect((await call(mine, 'GET', `/api/multi-view/${left}`)).json.error).toBe('views_not_found');
  await call(mine, 'POST', '/api/multi-view/stitch', { primary_view_id: left, views: { left, front, rear } });
  expect((await link(rear, left)).json).toMatchObject({ primary_view_id: rear });
  expect((await call(mine, 'GET', `/api/multi-view/${front}`)).json.error).toBe('views_not_found');
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => link(left, i % 2 ? front : rear)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test('labels and offsets match roles regardless of case and spaces', async () => {
  const link = (more: object) =>
    call(mine, 'POST', '/api/multi-view/stitch', {
      primary_view_id: left,
      views: { Front: left, ' Rear': rear, constructor: front },
      ...more,
    });
  const set = await link({ offsets: { REAR: 1.5, constructor: 2 }, labels: { 'rear ': 'Behind' } });
  expect(set.json.details, set.text).toMatchObject([
    { role: 'front', offset_s: 0 },
    { role: 'constructor', offset_s: 2, label: null },
    { role: 'rear', offset_s: 1.5, label: 'Behind' },
  ]);
  expect((await link({ offsets: { rear: 1e300 } })).json.message).toBe(
    'The field `offsets.rear` must be <= 1000000000.',
  );
});

test('omitted labels are retained; null and empty labels are removed', async () => {
  const link = async (labels?: object, views: object = { front: left, rear }) => {
    const body = { primary_view_id: left, views, ...(labels ? { labels } : {}) };
    const { json, text } = await call(mine, 'POST', '/api/multi-view/stitch', body);
    expect(json.details, text).toBeInstanceOf(Array);
    return Object.fromEntries((json.details as { role: string; label: string | null }[]).map((d) => [d.role, d.label]));
  };
  expect(await link({ front: 'Gate 3/4', rear: 'Yard' })).toEqual({ front: 'Gate 3/4', rear: 'Yard' });
  expect(await link()).toEqual({ front: 'Gate 3/4', rear: 'Yard' });
  expect(await link({ rear: 'Court' })).toEqual({ front: 'Gate 3/4', rear: 'Court' });
  expect(await link({}, { front: left, back: rear, side: front })).toMatchObject({ front: 'Gate 3/4', back: 'Court' });
  expect(await link({ front: null, rear: '' })).toEqual({ front: null, rear: null });
});

test('videos that are not linked are fused by the view keys of their batches', async () => {
  await call(mine, 'DELETE', `/api/multi-view/${left}`);
  const ask = async (videoId: string) => {
    const { json } = await call(mine, 'POST', '/api/router/v2/query/start', { query: 'a cut', video_id: videoId });
    const done = async () =>
      expect((await call(mine, 'GET', `/api/batch/${json.batch_id}/status`)).json.status).toBe('completed');
    await vi.waitFor(done, { timeout: 60_000, interval: 300 });
    return String(json.batch_id);
  };
  const batch_ids = [await ask(left), await ask(rear)];
  const fuse = async (view_keys: string[]) =>
    (await call(mine, 'POST', '/api/fuse_multiview_results', { batch_ids, view_keys })).json;
  const fused = await fuse(['front', 'rear']);
  expect(fused).toMatchObject({
    view_types: ['front', 'rear'],
    fusion_method: 'view_keys',
    results: [{ video_id: left, views: { front: left, rear } }],
    unmatched_results: [],
  });
  const [{ events }] = fused.results as [{ events: { views: { role: string }[] }[] }];
  expect(events.length).toBeGreaterThan(0);
  expect(events.every(({ views }) => views.map(({ role }) => role).join() === 'front,rear')).toBe(true);
  expect(await fuse([])).toMatchObject({ fusion_method: 'linked_views', results: [], view_types: [] });
  expect((await fuse(['front'])).unmatched_results).toHaveLength(2);
});
