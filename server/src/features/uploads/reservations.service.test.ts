// Room for uploads that have not arrived: on the disk for all organizations, and in number for each.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openLibrary, type TestLibrary } from '#test/library';

const GIB = 2 ** 30;
const MAX_OPEN = 40;
/** Free bytes of the disk of stored files; null: files are not on a disk. */
let freeBytes: number | null;
let library: TestLibrary;
let key: string;

beforeAll(async () => {
  const env = { SIGHTLINE_MAX_OPEN_UPLOADS: String(MAX_OPEN), SIGHTLINE_MAX_UPLOAD_BYTES: String(50 * GIB) };
  library = await openLibrary(env, { overrides: { storageSpace: { freeBytes: async () => freeBytes } } });
  ({ key } = await library.keyOf(library.owner, ['read', 'write']));
});
afterAll(() => library?.close());
beforeEach(async () => {
  freeBytes = 75e9;
  await library.database.db.deleteFrom('resumableUploads').execute();
});

const start = (length: number, as = key) =>
  library.api.call('POST', '/api/uploads', {
    key: as,
    headers: { 'tus-resumable': '1.0.0', 'upload-length': String(length) },
  });
const idOf = ({ headers }: Awaited<ReturnType<typeof start>>) => headers.get('location')!.split('/').at(-1)!;
const send = (id: string, bytes: number) =>
  library.api.call('PATCH', `/api/uploads/${id}`, {
    key,
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
const end = (id: string) =>
  library.api.call('DELETE', `/api/uploads/${id}`, { key, headers: { 'tus-resumable': '1.0.0' } });

test('uploads of all organizations together are no larger than the disk', async () => {
  const other = await library.keyOf(await library.addUser(), ['read', 'write']);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => start(50 * GIB, i % 2 ? key : other.key)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(507)]);
  const refused = answers.find(({ status }) => status === 507)!;
  expect(refused.json).toMatchObject({
    error: 'storage_full',
    message:
      'This upload has 50 GiB, and the disk of this service has room for 19.8 GiB beside the uploads that are open. Complete or end those, or free some space, then start it again.',
  });
  expect((await start(19 * GIB)).status).toBe(201);
  expect((await start(19 * GIB)).status).toBe(507);
});

test('an upload that ends makes room, and its stored bytes count as used only', async () => {
  freeBytes = 1000;
  const first = idOf(await start(800));
  expect((await start(300)).status).toBe(507);
  expect((await send(first, 600)).status).toBe(204);
  // The disk has fewer free bytes now, and 200 more will arrive.
  freeBytes = 400;
  expect((await start(201)).status).toBe(507);
  expect((await start(200)).status).toBe(201);
  expect((await start(1)).status).toBe(507);
  expect((await end(first)).status).toBe(204);
  expect((await start(200)).status).toBe(201);
});

test('a form with a file needs room, too', async () => {
  freeBytes = 1000;
  await start(900);
  const body = new FormData();
  body.set('source', 'file');
  body.set('file', new Blob([new Uint8Array(500)]), 'a.mp4');
  const answer = await library.api.call('POST', '/api/upload-video', { key, body });
  expect(answer).toMatchObject({ status: 507, json: { error: 'storage_full' } });
});

test('a reservation expires an hour after the last request, and the next one renews it', async () => {
  freeBytes = 1000;
  const idle = idOf(await start(900));
  const { db } = library.database;
  await db.updateTable('resumableUploads').set({ reservedUntil: sql`now()` }).where('videoId', '=', idle).execute();
  const next = idOf(await start(900));
  await end(next);
  expect((await send(idle, 100)).status).toBe(204);
  expect((await start(900)).status).toBe(507);
  // Those of nodes of an earlier version, which reserve nothing, count until they expire.
  await db.updateTable('resumableUploads').set({ reservedUntil: null }).where('videoId', '=', idle).execute();
  expect((await start(900)).status).toBe(507);
});

test('files that are not on a disk need no room there', async () => {
  freeBytes = null;
  expect((await start(50 * GIB)).status).toBe(201);
});

test('an organization has a limited number of open uploads, however many start at once', async () => {
  const answers = await Promise.all(Array.from({ length: MAX_OPEN + 10 }, () => start(10)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_OPEN);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, headers, json } of refused) {
    expect([status, headers.get('retry-after'), json.error]).toEqual([429, '60', 'too_many_uploads']);
    expect(json.message).toContain('has 40 open uploads, which is the maximum: complete or end some');
  }
  const other = await library.keyOf(await library.addUser(), ['read', 'write']);
  expect((await start(10, other.key)).status).toBe(201);
  await end(idOf(answers.find(({ status }) => status === 201)!));
  expect((await start(10)).status).toBe(201);
  expect((await start(10)).status).toBe(429);
});
