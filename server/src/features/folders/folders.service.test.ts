import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Owner } from '#features/accounts/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import { NO_MEDIA } from '#test/app';
import type { ApiClient } from '#test/http';
import { openLibrary, type TestLibrary } from '#test/library';
import type { Folders } from './index.ts';

let library: TestLibrary;
let database: Database;
let folders: Folders;
let owner: Owner;
let api: ApiClient;
/** Keys of the owner, of a colleague and of someone in another organization. */
let mine: string;
let colleagues: string;
let strangers: string;

const keyOf = async (user: Owner) => (await library.keyOf(user, ['read', 'write'])).key;

beforeAll(async () => {
  library = await openLibrary({}, { overrides: { media: NO_MEDIA } });
  ({ api, database, folders, owner } = library);
  mine = await keyOf(owner);
  colleagues = await keyOf(await library.addUser(owner.orgId));
  strangers = await keyOf(await library.addUser());
});
afterAll(() => library?.close());

const create = (json: unknown, key = mine) => api.call('POST', '/api/folders', { key, json });
const createOrGet = (json: unknown, key = mine) => api.call('POST', '/api/folders/create-or-get', { key, json });
const get = (query: Record<string, string>, key = mine) =>
  api.call('GET', `/api/folders/get?${new URLSearchParams(query)}`, { key });

test('a folder is made, and found again by its name and scope', async () => {
  const made = await create({ name: '  Night drives ', scope: 'org', description: 'Lisbon', collection: 'ignored' });
  expect(made.status).toBe(200);
  expect(made.json).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    name: 'Night drives',
    org_id: owner.orgId,
    description: 'Lisbon',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    scope: 'org',
    created_by: owner.userId,
    video_count: 0,
    retention_days: null,
    clock_rule: null,
    vision_profile: null,
  });
  expect((await get({ name: 'Night drives', scope: 'org' })).json).toEqual(made.json);
  expect(await get({ name: 'Night drives', scope: 'user' })).toMatchObject({
    status: 404,
    json: { error: 'folder_not_found' },
  });
});

test('a name is taken per scope and person', async () => {
  expect((await create({ name: 'Same', scope: 'user', description: null })).status).toBe(200);
  const again = await create({ name: 'Same', scope: null });
  expect(again).toMatchObject({ status: 409, json: { error: 'folder_exists' } });
  expect(again.json.detail).toContain('"Same"');
  expect((await create({ name: 'Same', scope: 'org' })).status).toBe(200);
  expect((await create({ name: 'Same' }, colleagues)).status).toBe(200);
  expect((await create({ name: 'Same', scope: 'org' }, colleagues)).status).toBe(409);
  expect((await create({ name: 'Same', scope: 'org' }, strangers)).status).toBe(200);
});

test('without a scope the personal folder comes before the organization’s', async () => {
  const org = await create({ name: 'Both', scope: 'org' });
  expect((await get({ name: 'Both' })).json.id).toBe(org.json.id);
  const personal = await create({ name: 'Both', scope: 'user' });
  expect((await get({ name: 'Both' })).json.id).toBe(personal.json.id);
  expect((await get({ name: 'Both' }, colleagues)).json.id).toBe(org.json.id);
  expect((await get({ name: 'Both' }, strangers)).status).toBe(404);
});

test.each([
  [{}, '`name` is required'],
  [{ name: '' }, '`name`'],
  [{ name: '   ' }, '`name`'],
  [{ name: 'x'.repeat(256) }, '`name`'],
  [{ name: 7 }, '`name`'],
  [{ name: 'a\u0000b' }, 'U+0000'],
  [{ name: 'a\nb' }, 'one line of text'],
  [{ name: 'a', scope: 'sample' }, '`scope` must be one of user, org'],
  [{ name: 'a', description: 'x'.repeat(2_001) }, '`description`'],
])('%j makes no folder', async (json, sentence) => {
  for (const post of [create, createOrGet]) {
    const answer = await post(json);
    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain(sentence);
  }
});

test('one name has one spelling', async () => {
  const composed = await create({ name: 'Caf\u00e9' });
  expect((await get({ name: 'Cafe\u0301' })).json.id).toBe(composed.json.id);
});

describe('lists', () => {
  const list = async (query: string, key: string) => (await api.call('GET', `/api/folders${query}`, { key })).json;
  const names = ({ folders }: Record<string, unknown>) => (folders as { name: string }[]).map(({ name }) => name);

  test('are of one’s own and the organization’s, by name, page by page', async () => {
    const user = await library.addUser();
    const [one, other] = [await keyOf(user), await keyOf(await library.addUser(user.orgId))];
    for (const name of ['c', 'a', 'e']) await create({ name }, one);
    for (const name of ['b', 'a', 'd']) await create({ name, scope: 'org' }, other);
    await create({ name: 'hidden' }, other);
    expect(names(await list('', one))).toEqual(['a', 'a', 'b', 'c', 'd', 'e']);
    expect(names(await list('?scope=user', one))).toEqual(['a', 'c', 'e']);
    expect(names(await list('?scope=org', one))).toEqual(['a', 'b', 'd']);
    expect(names(await list('', strangers))).not.toContain('hidden');

    const ids: string[] = [];
    let cursor = '';
    for (let pages = 1; ; pages++) {
      const page = await list(`?limit=1${cursor}`, one);
      ids.push(...(page.folders as { id: string }[]).map(({ id }) => id));
      expect(page.has_more).toBe(pages < 6);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(new Set(ids).size).toBe(6);
    for (const query of ['?limit=0', '?limit=1001', '?cursor=nonsense', '?cursor=WyJhIl0', '?scope=all']) {
      expect((await api.call('GET', `/api/folders${query}`, { key: one })).status, query).toBe(400);
    }
  });
});

describe('change', () => {
  const at = (id: unknown) => `/api/folders/${id}`;
  const change = (id: unknown, json: unknown, key = mine) => api.call('PATCH', at(id), { key, json });

  test('gives what is named and leaves the rest; null empties', async () => {
    const { id } = (await create({ name: 'Old', description: 'what', retention_days: 7 })).json;
    expect((await change(id, { name: ' New ' })).json).toMatchObject({
      name: 'New',
      description: 'what',
      retention_days: 7,
    });
    expect((await change(id, { name: null, description: null, retention_days: null })).json).toMatchObject({
      name: 'New',
      description: '',
      retention_days: null,
    });
    expect((await api.call('GET', at(id), { key: mine })).json).toMatchObject({ id, name: 'New' });
    expect((await get({ name: 'Old' })).status).toBe(404);
    for (const json of [{ name: ' ' }, { retention_days: 0 }, { retention_days: 1.5 }, { name: 7 }]) {
      expect((await change(id, json)).status, JSON.stringify(json)).toBe(400);
    }
  });

  test('is refused a name that is taken, also in a race', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => (await create({ name: `Renamed ${i}`, scope: 'org' })).json.id),
    );
    const answers = await Promise.all(ids.map((id) => change(id, { name: 'Wanted' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(answers.find(({ status }) => status === 409)!.json).toMatchObject({ error: 'folder_exists' });
  });

  test('is for those who see the folder', async () => {
    const personal = (await create({ name: 'Personal' })).json.id;
    const shared = (await create({ name: 'Shared', scope: 'org' })).json.id;
    for (const call of [
      (id: unknown, key: string) => api.call('GET', at(id), { key }),
      (id: unknown, key: string) => change(id, { description: 'x' }, key),
      (id: unknown, key: string) => api.call('DELETE', at(id), { key }),
    ]) {
      expect((await call(personal, colleagues)).json.error).toBe('folder_forbidden');
      expect((await call(shared, strangers)).json.error).toBe('folder_forbidden');
      expect((await call(newId(), mine)).json.error).toBe('folder_not_found');
      expect((await call(shared, colleagues)).status).toBe(200);
    }
    expect((await api.call('GET', at(shared), { key: mine })).status).toBe(404);
    expect((await create({ name: 'Shared', scope: 'org' })).status).toBe(200);
  });
});

describe('fifty at once', () => {
  test('that create make one, and the others hear that the name is taken', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ name: 'Race', scope: 'org' })));
    expect(answers.map((a) => a.status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
  });

  test('that create or get all get the same one', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => createOrGet({ name: 'Race 2' })));
    expect(new Set(answers.map((a) => `${a.status} ${a.json.id}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });

  test('that repeat one request get one answer', async () => {
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        api.call('POST', '/api/folders', { key: mine, headers, json: { name: 'Race 3' } }),
      ),
    );
    expect(new Set(answers.map((a) => `${a.status} ${a.json.id}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });
});

describe('for other rooms', () => {
  const callerOf = (key: string): Promise<Caller> => library.keys.authenticate(key);

  test('a folder is there, or not, or someone else’s', async () => {
    const personal = String((await create({ name: 'Mine' })).json.id);
    const shared = String((await create({ name: 'Ours', scope: 'org' })).json.id);
    const require = async (key: string, id: string) =>
      folders.require(await callerOf(key), id).then(
        (f) => f.name,
        (error) => error.code,
      );
    expect(await require(mine, personal)).toBe('Mine');
    expect(await require(colleagues, shared)).toBe('Ours');
    expect(await require(colleagues, personal)).toBe('folder_forbidden');
    expect(await require(strangers, shared)).toBe('folder_forbidden');
    expect(await require(mine, newId())).toBe('folder_not_found');
  });

  test('videos are counted in the transaction in which they come and go', async () => {
    const id = String((await create({ name: 'Counted' })).json.id);
    await Promise.all(Array.from({ length: 10 }, () => database.transaction((trx) => folders.countVideos(trx, id, 1))));
    await database.transaction((trx) => folders.countVideos(trx, id, -3));
    const failing = database.transaction(async (trx) => {
      await folders.countVideos(trx, id, 100);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await get({ name: 'Counted' })).json.video_count).toBe(7);
  });
});
