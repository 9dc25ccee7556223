import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Zone as NamedZone } from '#engine/index';
import type { Owner } from '#features/accounts/index';
import { NO_MEDIA } from '#test/app';
import { openLibrary, type TestLibrary } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { findFault } from './geometry.ts';

type Json = Record<string, unknown>;
let library: TestLibrary;
let owner: Owner;
/** Keys of the owner, of a colleague and of someone in another organization. */
let mine: string;
let colleagues: string;
let strangers: string;

beforeAll(async () => {
  library = await openLibrary({}, { overrides: { media: NO_MEDIA } });
  owner = library.owner;
  const keyOf = async (user: Owner) => (await library.keyOf(user, ['read', 'write'])).key;
  mine = await keyOf(owner);
  colleagues = await keyOf(await library.addUser(owner.orgId));
  strangers = await keyOf(await library.addUser());
});
afterAll(() => library?.close());

const SQUARE = [
  { x: 0.1, y: 0.1 },
  { x: 0.5, y: 0.1 },
  { x: 0.5, y: 0.5 },
  { x: 0.1, y: 0.5 },
];
const LINE = SQUARE.slice(0, 2);
let names = 0;
const call = (method: string, path: string, json?: object, key = mine) =>
  library.api.call(method, path, { key, ...(json && { json }) });
const create = (json: object, key = mine) => call('POST', '/api/zones', { name: 'door', points: SQUARE, ...json }, key);
async function created(json: object): Promise<Json> {
  const answer = await create(json);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const list = async (query: string) => (await call('GET', `/api/zones?${query}`)).json.zones as Json[];
const folder = async (scope: 'user' | 'org' = 'org') =>
  String((await call('POST', '/api/folders', { name: `F${names++}`, scope })).json.id);
const video = (more: object = {}) => library.add(owner, more);

test('a zone is created, found, changed and deleted, and each is recorded', async () => {
  const videoId = await video();
  const zone = await created({ video_id: videoId, name: '  front   door ', note: 'the entrance' });
  expect(zone).toEqual({
    zone_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    name: 'front door',
    kind: 'polygon',
    points: SQUARE,
    camera_id: null,
    video_id: videoId,
    folder_id: null,
    note: 'the entrance',
    created_by: owner.userId,
    created_at: expect.any(String),
    changed_at: expect.any(String),
  });
  const path = `/api/zones/${zone.zone_id}`;
  expect((await call('GET', path)).json).toEqual(zone);
  const changed = await call('PATCH', path, { name: 'A', points: LINE, note: '' });
  expect(changed.json).toMatchObject({ name: 'A', kind: 'line', points: LINE, note: null });
  expect((await call('PATCH', path, { note: 'x' })).json).toMatchObject({ name: 'A', points: LINE, note: 'x' });
  expect((await call('DELETE', path)).json).toEqual({ status: 'deleted', zone_id: zone.zone_id });
  expect((await call('GET', path)).json.error).toBe('zone_not_found');
  expect((await call('DELETE', path)).json.error).toBe('zone_not_found');
  const entries = await library.database.db
    .selectFrom('auditEvents')
    .select('action')
    .where('subjectId', '=', String(zone.zone_id))
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(['zone.created', 'zone.changed', 'zone.changed', 'zone.deleted']);
});

test('the zones of a folder hold for its videos, and one of a video replaces the one of its name', async () => {
  const folderId = await folder();
  const [inside, other, elsewhere] = [await video({ folderId }), await video({ folderId }), await video()];
  await created({ folder_id: folderId });
  await created({ folder_id: folderId, name: 'A', points: LINE });
  const own = await created({ video_id: inside, name: 'Door', points: LINE });
  expect((await list(`video_id=${inside}`)).map(({ name, video_id }) => [name, video_id])).toEqual([
    ['A', null],
    ['Door', inside],
  ]);
  expect((await list(`video_id=${other}`)).map(({ name }) => name)).toEqual(['A', 'door']);
  expect(await list(`video_id=${elsewhere}`)).toEqual([]);
  expect((await list(`folder_id=${folderId}`)).map(({ name }) => name)).toEqual(['A', 'door']);
  const named = (zones: readonly NamedZone[]) => zones.map(({ name, kind }) => [name, kind]);
  expect(named(await library.zones.ofVideo({ id: inside, folderId, cameraId: null }))).toEqual([
    ['A', 'line'],
    ['Door', 'line'],
  ]);
  expect(named(await library.zones.ofFolder(folderId))).toEqual([
    ['A', 'line'],
    ['door', 'polygon'],
  ]);
  await call('DELETE', `/api/zones/${own.zone_id}`);
  expect((await list(`video_id=${inside}`)).map(({ folder_id }) => folder_id)).toEqual([folderId, folderId]);
  await call('DELETE', `/api/folders/${folderId}?videos=move_to_root`);
  expect(await list(`video_id=${inside}`)).toEqual([]);
});

describe('a zone is refused', () => {
  test.each([
    ['without video or folder', {}, 'zone_owner_invalid'],
    ['with a name that is no words', { name: 'in/out!' }, 'zone_name_invalid'],
    ['with an empty name', { name: '   ' }, 'zone_name_invalid'],
    ['whose sides cross', { points: [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]] }, 'zone_points_invalid'],
    ['whose ends are one point', { points: [SQUARE[0], SQUARE[0]] }, 'zone_points_invalid'],
  ])('%s', async (reason, more, error) => {
    const owned = reason.startsWith('without') ? {} : { video_id: await video() };
    const refused = await create({ ...owned, ...more });
    expect([refused.status, refused.json.error]).toEqual([400, error]);
  });

  test.each([
    { points: [{ x: 0, y: 0 }] },
    { points: [...LINE, { x: 1.1, y: 0.5 }] },
    { points: Array.from({ length: 33 }, () => ({ x: 0.5, y: 0.5 })) },
    { name: 'n'.repeat(41) },
  ])('that breaks the schema', async (more) => {
    expect((await create({ video_id: await video(), ...more })).status).toBe(400);
  });

  test('if its name is taken, in any case, or there are 50', async () => {
    const videoId = await video();
    const first = await created({ video_id: videoId });
    const second = await created({ video_id: videoId, name: 'gate' });
    expect((await create({ video_id: videoId, name: 'DOOR' })).json).toMatchObject({ error: 'zone_exists' });
    const renamed = await call('PATCH', `/api/zones/${second.zone_id}`, { name: 'Door' });
    expect([renamed.status, renamed.json.error]).toEqual([409, 'zone_exists']);
    expect((await call('PATCH', `/api/zones/${first.zone_id}`, { name: 'DOOR' })).json.name).toBe('DOOR');
    const more = Array.from({ length: 52 }, (_, i) => create({ video_id: videoId, name: `n${i}` }));
    const codes = (await Promise.all(more)).map(({ status }) => status);
    expect(codes.filter((status) => status === 200)).toHaveLength(48);
    expect(codes.filter((status) => status === 409)).toHaveLength(4);
  });
});

test('colleagues change the zones of shared videos and folders only', async () => {
  const [personal, shared] = [await folder('user'), await folder('org')];
  const zones = [
    await created({ folder_id: personal }),
    await created({ folder_id: shared }),
    await created({ video_id: await video() }),
    await created({ video_id: await video({ scope: 'org' }) }),
  ];
  const outcomes = async (method: string, key: string, json?: object) =>
    Promise.all(zones.map(async ({ zone_id }) => (await call(method, `/api/zones/${zone_id}`, json, key)).status));
  expect(await outcomes('GET', colleagues)).toEqual([403, 200, 403, 200]);
  expect(await outcomes('PATCH', colleagues, { note: 'x' })).toEqual([403, 200, 403, 200]);
  expect(await outcomes('GET', strangers)).toEqual([403, 403, 403, 403]);
  expect(await outcomes('DELETE', strangers)).toEqual([403, 403, 403, 403]);
  expect((await create({ folder_id: personal, name: 'x' }, colleagues)).json.error).toBe('folder_forbidden');
});

test('a preview and a saved question name the zones of their videos or folder', async () => {
  const folderId = await folder();
  const videoId = await video({ folderId });
  await created({ folder_id: folderId });
  const preview = async (json: object) =>
    (await call('POST', '/api/router/v2/query/plan', { query: 'a person enters zone door', ...json })).json;
  expect((await preview({ video_id: videoId })).interpretation).toContain('a person that enters zone door');
  const [part] = (await preview({ video_id: await video() })).parts as Json[];
  expect(part).toMatchObject({ status: 'not_looked_for', reason: expect.stringContaining('none was drawn') });
  // No detector is installed here, so each is refused, but only the first one for that.
  const refusalOf = async (more: object) => {
    const json = { name: 'Door', query: 'a person enters zone door', enabled: false, ...more };
    return String((await call('POST', '/api/saved-questions', json)).json.message);
  };
  expect(await refusalOf({ folder_id: folderId })).toMatch(/detector/);
  expect(await refusalOf({ folder_id: await folder() })).toMatch(/there is no zone "door"/);
  expect(await refusalOf({})).toMatch(/zones are drawn for a folder or video/);
});

describe('an analysis', () => {
  let world: AnalysesWorld;
  beforeAll(async () => {
    world = await openAnalyses();
  });
  afterAll(() => world?.close());

  test('reads its prompt with the zones that hold for its video when it runs', async () => {
    const given: unknown[] = [];
    world.engine.read = (async (query: string, { zones }: { zones: NamedZone[] }) => {
      given.push(zones.map(({ name }) => name));
      return { query, corrected: [], searches: [] };
    }) as never;
    const { api, key } = world;
    const folderId = String((await api.call('POST', '/api/folders', { key, json: { name: 'Gate' } })).json.id);
    const [first, second] = [await world.addVideo({ folderId }), await world.addVideo({ folderId })];
    for (const json of [
      { folder_id: folderId, name: 'A' },
      { video_id: first, name: 'B' },
    ])
      await api.call('POST', '/api/zones', { key, json: { points: SQUARE, ...json } });
    for (const videoId of [first, second]) {
      const analysisId = await world.start(videoId);
      const status = async () => (await world.call(videoId, analysisId, '/status')).json.status;
      await expect.poll(status, { timeout: 60_000 }).toBe('COMPLETED');
    }
    expect(given).toEqual([['A', 'B'], ['A']]);
  });
});

test.each([
  ['a square', SQUARE, null],
  ['a concave shape', [...SQUARE, { x: 0.3, y: 0.3 }], null],
  ['a point on another side', [...SQUARE.slice(0, 3), { x: 0.3, y: 0.1 }], /cross or touch/],
  ['a corner twice', [...SQUARE, SQUARE[3]!], /cross or touch/],
  ['a spike', [SQUARE[0]!, SQUARE[1]!, { x: 0.3, y: 0.1 }], /cross or touch/],
  [
    'a sliver',
    [
      { x: 0.1, y: 0.1 },
      { x: 0.5, y: 0.1 },
      { x: 0.3, y: 0.1001 },
    ],
    /too small/,
  ],
  ['a line', LINE, null],
])('%s', (_, points, fault) => {
  if (fault === null) expect(findFault(points)).toBeNull();
  else expect(findFault(points)).toMatch(fault);
});
