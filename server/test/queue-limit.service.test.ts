import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLibrary, type TestLibrary } from './library.ts';

let library: TestLibrary;
beforeAll(async () => {
  // Nothing runs the jobs, so that they wait.
  library = await openLibrary({ SIGHTLINE_MAX_WAITING_JOBS: '2' });
});
afterAll(() => library?.close());

test('a request is refused as a whole while too many jobs of its organization wait', async () => {
  const { key } = await library.keyOf(library.owner, ['read', 'write']);
  const post = (path: string, json: object, as = key) => library.api.call('POST', path, { key: as, json });
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await library.addStored(library.owner, Buffer.from(`film ${i}`)));
  const query = (video_ids: string[]) => post('/api/router/v2/query/start', { query: 'a cut', video_ids });
  expect((await query(ids.slice(0, 2))).status).toBe(200);
  const refused = await query([ids[2]!]);
  expect(refused).toMatchObject({ status: 429, json: { error: 'queue_full' } });
  expect([refused.json.message, refused.headers.get('retry-after')]).toEqual([
    'Your organization may have 2 waiting jobs that somebody waits for and has as many. This request adds one: try again once some have ended, or cancel some.',
    '60',
  ]);
  expect((await library.api.call('GET', '/api/batches', { key })).json.batches).toHaveLength(1);
  // Batches are counted apart from questions about a few videos, and all kinds of jobs together.
  expect((await query(ids)).json.error).toBe('queue_full');
  const exported = () => post('/api/exports', { format: 'zip' });
  expect([(await exported()).status, (await exported()).status]).toEqual([200, 200]);
  expect((await exported()).json.error).toBe('queue_full');
  const fetched = await post('/api/upload-video', { source: 'video_url', video_url: 'http://127.0.0.1:1/a.mp4' });
  expect(fetched.json.error).toBe('queue_full');
  expect((await library.api.call('GET', '/api/videos?status=processing', { key })).json.videos).toEqual([]);

  const other = await library.keyOf(await library.addUser(), ['read', 'write']);
  expect((await post('/api/exports', { format: 'zip' }, other.key)).status).toBe(200);
});
