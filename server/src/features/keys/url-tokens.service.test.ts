import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { openLibrary, PUBLIC_URL, type TestLibrary } from '#test/library';
import { sceneClip } from '#test/media/clips';
import { createBrowser, PASSWORD, tokenFromUrl } from '#test/people';

let library: TestLibrary;
let videoId: string;
beforeAll(async () => {
  library = await openLibrary({ SIGHTLINE_SIGN_INS_PER_MINUTE: '100000' }, { worker: true });
  const { media, owner } = library;
  const path = await sceneClip();
  const added = await library.addStored(owner, await readFile(path), { probe: await media.probe(path), scope: 'org' });
  videoId = added;
});
afterAll(() => library?.close());

type Send = (method: string, path: string, json?: object) => Promise<{ status: number; json: Record<string, unknown> }>;

const signVideo = (kind: string) => async (send: Send) =>
  String(
    (await send('POST', `/api/video/${videoId}/signed-url`, { kind, ...(kind === 'clip' ? { start: 0, end: 1 } : {}) }))
      .json.url,
  );

const DATASETS = '/api/data-curation/datasets';
const addDataset = async (send: Send) => {
  const { status, json } = await send('POST', DATASETS, { name: newId(), video_ids: [videoId] });
  expect(status, JSON.stringify(json)).toBe(200);
  return String(json.id);
};

/** The URL in a response, once it is there. */
async function urlIn(send: Send, field: string, path: string): Promise<string> {
  let last: unknown = null;
  const look = async () => {
    last = await send('GET', path);
    return (last as { json: Record<string, unknown> }).json[field];
  };
  await expect.poll(look, { timeout: 20_000, message: path }).toBeTruthy();
  return String((last as { json: Record<string, unknown> }).json[field]);
}

/** Each way to get a signed URL for a file, and its method. */
const WAYS: [string, (send: Send) => Promise<string>, string?][] = [
  ...['film', 'poster', 'frame', 'storyboard', 'captions', 'clip', 'hls'].map(
    (kind): [string, (send: Send) => Promise<string>] => [kind, signVideo(kind)],
  ),
  [
    'one of several',
    async (send) => {
      const { json } = await send('POST', '/api/video/signed-urls', {
        requests: [{ request_id: 'a', video_id: videoId }],
      });
      return String((json.results as Record<string, { url: string }>).a!.url);
    },
  ],
  [
    'an export',
    async (send) => {
      const { json } = await send('POST', '/api/exports', { format: 'csv' });
      return urlIn(send, 'download_url', `/api/exports/${json.export_id}`);
    },
  ],
  [
    'an export of a selection',
    async (send) => {
      const { json } = await send('POST', '/api/exports/dataset', { video_ids: [videoId] });
      return urlIn(send, 'manifest_url', `/api/exports/dataset/${json.export_id}`);
    },
  ],
  ['a dataset', async (send) => urlIn(send, 'download_url', `${DATASETS}/${await addDataset(send)}/download`)],
  [
    'a version of a dataset',
    async (send) => {
      const versions = `/api/datasets/${await addDataset(send)}/versions`;
      await send('POST', versions, {});
      return urlIn(send, 'download_url', `${versions}/1/download`);
    },
  ],
  [
    'an upload',
    async (send) => {
      const { json } = await send('POST', '/api/mcap/create-ingest', { filename: 'log.mcap', size_bytes: 10 });
      return String(json.upload_url);
    },
    'PUT',
  ],
];

const pathOf = (url: string) => url.replace(PUBLIC_URL, '');
const open = async (url: string, method = 'GET') =>
  (await fetch(library.api.base + pathOf(url), { method, ...(method === 'PUT' ? { body: 'x' } : {}) })).status;

/** Signs with a key of the owner. */
async function withKey() {
  const { key, record } = await library.keys.create({ ...library.owner, name: newId(), scopes: ['read', 'write'] });
  const send: Send = (method, path, json) => library.api.call(method, path, { key, json });
  return { send, end: () => library.keys.revoke(library.owner.orgId, record.keyId) };
}

/** Signs in the session of a user of the same organization. */
async function withSession() {
  const email = `${newId()}@example.com`;
  const { url } = await library.people.links.invite(library.owner.orgId, { email, role: 'member' }, null);
  const browser = createBrowser(library.api, { origin: library.api.base });
  const joined = await browser.post('/api/auth/accept', { token: tokenFromUrl(url), password: PASSWORD, name: 'Ada' });
  const send: Send = (method, path, json) => browser.send(method, path, { json });
  const admin = await library.keyOf(library.owner, ['read', 'write', 'admin']);
  const end = () => library.api.call('DELETE', `/api/members/${joined.json.user_id}`, { key: admin.key });
  return { send, end };
}

describe.each([
  ['the revocation of its key', withKey],
  ['the removal of its user', withSession],
])('a signed URL ends with %s', (_, start) => {
  test('of any kind', async () => {
    const { send, end } = await start();
    const signed = await Promise.all(
      WAYS.map(async ([name, sign, method]) => ({ name, method, url: await sign(send) })),
    );
    const state = (statusOf: (status: number) => unknown) =>
      Promise.all(signed.map(async ({ name, url, method }) => [name, statusOf(await open(url, method))]));
    const reached = (status: number) => status < 401 || status === 410;
    expect(await state(reached)).toEqual(WAYS.map(([name]) => [name, true]));
    await end();
    // Another node, or a cache, may still accept it for a second.
    await expect.poll(() => state((status) => status), { timeout: 5_000 }).toEqual(WAYS.map(([name]) => [name, 403]));
  });
});

test('what a playlist lists ends with the key that the playlist was signed for', async () => {
  const { send, end } = await withKey();
  const url = await signVideo('hls')(send);
  const playlist = await (await fetch(library.api.base + pathOf(url))).text();
  const [, segment] = /^(0\.m4s\?.*)$/m.exec(playlist)!;
  const listed = new URL(segment!, library.api.base + pathOf(url)).href;
  expect((await fetch(listed)).status).toBe(200);
  await end();
  await expect.poll(async () => (await fetch(listed)).status, { timeout: 5_000 }).toBe(403);
});

test('a URL without its issuer is refused; one of the service, and one of an earlier version, has none', async () => {
  const { send } = await withKey();
  const url = await signVideo('film')(send);
  expect(await open(url.replace(/&by=[^&]*/, ''))).toBe(403);
  const token = library.secrets.sign('playback-film-GET', videoId, new Date(Date.now() + 60_000));
  expect(await open(`${PUBLIC_URL}/api/media/${videoId}?token=${token}`)).toBe(200);
});
