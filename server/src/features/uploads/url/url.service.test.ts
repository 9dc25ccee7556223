import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStorage, type Storage } from '#platform/storage/index';
import { sceneClip } from '#test/media/clips';
import { openUploads, type UploadsFixture } from '../uploads.fixture.ts';

const NOTHING = { rows: 0, files: 0, partial: 0 };
let desk: UploadsFixture;
let clip: Buffer;
const servers: Server[] = [];
beforeAll(async () => {
  clip = await readFile(await sceneClip());
  desk = await openUploads();
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await desk?.close();
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serveVideo: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-length': clip.length }).end(clip);

/** As the Python SDK sends it: url-encoded. */
const send = (url: string, more: Record<string, string> = {}) =>
  desk.api.call('POST', '/api/upload-video', {
    key: desk.me.key,
    body: new URLSearchParams({ source: 'video_url', video_url: url, scope: 'user', ...more }),
  });
const clear = async () => {
  const { videos } = await desk.library.videos.list(desk.me.caller, { limit: 100 });
  for (const { id } of videos) await desk.library.videos.remove(desk.me.caller, id);
  await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
};

describe('a URL', () => {
  test('is fetched within its request when it is small', async () => {
    const base = await serve(serveVideo);
    const answer = await send(`${base.replace('//', '//user:secret@')}/clips/My%20film.mp4?sig=1`);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        status: 'uploaded',
        video_name: 'My film.mp4',
        metadata: { source: 'video_url', source_uri: `${base}/clips/My%20film.mp4?sig=1`, size_bytes: clip.length },
      },
    });
    const id = answer.json.video_id as string;
    expect((await desk.library.storage.readAll(`contents/${id}/source`)).equals(clip)).toBe(true);
    await clear();
  });

  test('may come as JSON, or in a multipart form with a sidecar', async () => {
    const base = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-length': clip.length, 'content-disposition': 'attachment; filename="said.mp4"' })
        .end(clip),
    );
    const json = await desk.api.call('POST', '/api/upload-video', {
      key: desk.me.key,
      json: { source: 'video_url', video_url: base, folder_id: null, extra: { a: 1 } },
    });
    expect(json.json).toMatchObject({ status: 'uploaded', video_name: 'said.mp4' });
    const form = await desk.upload([
      ['source', 'video_url'],
      ['video_url', base],
      ['custom_name', 'mine.mp4'],
      ['metadata_file', '[{"timestamp":0,"speed":3}]', 'metadata.json'],
    ]);
    expect(form.json).toMatchObject({
      status: 'uploaded',
      video_name: 'mine.mp4',
      metadata: { sidecar: { filename: 'metadata.json', size_bytes: 27 } },
    });
    expect(await desk.library.storage.stat(`videos/${form.json.video_id}/sidecar`)).toMatchObject({ size: 27 });
    await clear();
  });

  test('of a slow server continues after the response', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const base = await serve(async (_request, response) => {
      response.writeHead(200, { 'content-length': clip.length });
      response.write(clip.subarray(0, 1000));
      await goOn;
      response.end(clip.subarray(1000));
    });
    const answer = await send(`${base}/slow.mp4`);
    expect(answer).toMatchObject({
      status: 200,
      json: { status: 'processing', metadata: { visual_analysis: { status: { status: 'PREPARE_IN_PROGRESS' } } } },
    });
    resolve();
    const status = async () =>
      (await desk.api.call('GET', `/api/video/${answer.json.video_id}/status`, { key: desk.me.key })).json.status;
    await vi.waitFor(async () => expect(await status()).toBe('uploaded'), { timeout: 30_000 });
    await clear();
  });

  test('of a video that was renamed in the meantime retains the name', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const base = await serve(async (_request, response) => {
      await goOn;
      response.writeHead(200, { 'content-disposition': 'attachment; filename="said.mp4"' }).end(clip);
    });
    const answer = send(`${base}/slow.mp4`);
    const id = await vi.waitFor(async () => {
      const [video] = (await desk.library.videos.list(desk.me.caller, { limit: 1 })).videos;
      expect(video?.name).toBe('slow.mp4');
      return video!.id;
    }, 30_000);
    await desk.library.videos.update(desk.me.caller, id, { name: 'mine.mp4' });
    resolve();
    expect((await answer).json).toMatchObject({ status: 'uploaded', video_name: 'mine.mp4' });
    await clear();
  });

  test('is retried while its server fails, and resumed where it broke', async () => {
    let requests = 0;
    const base = await serve((request, response) => {
      if (requests++ === 0) return response.writeHead(503).end();
      const at = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.writeHead(at ? 206 : 200, {
        'content-length': clip.length - at,
        ...(at ? { 'content-range': `bytes ${at}-${clip.length - 1}/${clip.length}` } : {}),
        etag: '"v1"',
      });
      if (at) return response.end(clip.subarray(at));
      response.write(clip.subarray(0, clip.length / 3), () => response.destroy());
    });
    expect((await send(`${base}/shaky.mp4`)).json).toMatchObject({
      status: 'uploaded',
      metadata: { size_bytes: clip.length },
    });
    expect(requests).toBe(3);
    await clear();
  });

  test.each([
    ['is no URL', 'nonsense', 'fetch_url_invalid'],
    ['is a local path', 'file:///etc/passwd', 'fetch_url_invalid'],
    ['leads to the metadata service', 'http://169.254.169.254/latest/meta-data', 'fetch_address_refused'],
    ['leads to a private network', 'http://192.168.1.1/cam.mp4', 'fetch_address_refused'],
    ['leads to this machine by another name', 'http://[::ffff:10.0.0.1]/a.mp4', 'fetch_address_refused'],
    ['leads nowhere', 'http://127.0.0.1:1/a.mp4', 'fetch_unreachable'],
  ])('that %s is refused, and nothing stays', async (_what, url, error) => {
    const answer = await send(url);
    if (error === 'fetch_unreachable') {
      // That may pass, so it is tried for longer than the request waits.
      expect(answer.json.status).toBe('processing');
      return clear();
    }
    expect(answer).toMatchObject({ status: 400, json: { error } });
    expect(await desk.remains()).toEqual(NOTHING);
  });

  test('of a file that is not a video is refused and leaves nothing', async () => {
    const page = await serve((_request, response) => response.end('<!DOCTYPE html><html></html>'));
    expect(await send(page)).toMatchObject({ status: 400, json: { error: 'media_unreadable' } });
    const missing = await serve((_request, response) => response.writeHead(404).end());
    expect(await send(missing)).toMatchObject({ status: 400, json: { error: 'fetch_refused' } });
    const inside = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/secret' }).end(),
    );
    expect(await send(inside)).toMatchObject({ status: 400, json: { error: 'fetch_address_refused' } });
    expect(await desk.remains()).toEqual(NOTHING);
  });

  test('that exceeds a limit or the quota is refused as a file is', async () => {
    const base = await serve((_request, response) => response.write(clip, () => response.end()));
    const json = { source: 'video_url', video_url: base };
    const full = { kind: 'file', dir: desk.library.filesDir } as const;
    const { write } = await createStorage(full, { dataDir: desk.library.folder, reserveBytes: 2 ** 60 });
    const wrapStorage = (whole: Storage) => ({ ...whole, write });
    for (const [env, overrides, status, error] of [
      [{ SIGHTLINE_MAX_UPLOAD_BYTES: '1000' }, {}, 413, 'file_too_large'],
      [{}, { wrapStorage }, 507, 'storage_full'],
    ] as const) {
      const tight = await openUploads(env, { overrides });
      const answer = await tight.api.call('POST', '/api/upload-video', { key: tight.me.key, json });
      expect(answer).toMatchObject({ status, json: { error } });
      expect(await tight.remains()).toEqual(NOTHING);
      await tight.close();
    }
  });

  test('whose video is deleted is not fetched to the end', async () => {
    const left = Promise.withResolvers<void>();
    const base = await serve((request, response) => {
      response.writeHead(200, { 'content-length': clip.length });
      response.write(clip.subarray(0, 1000));
      request.socket.once('close', () => left.resolve());
    });
    const answer = send(`${base}/deleted.mp4`);
    await vi.waitFor(async () => expect((await desk.remains()).partial).toBe(1), { timeout: 30_000 });
    const [video] = (await desk.library.videos.list(desk.me.caller, { limit: 1 })).videos;
    await desk.library.videos.remove(desk.me.caller, video!.id);
    expect(await answer).toMatchObject({ status: 404, json: { error: 'upload_deleted' } });
    await left.promise;
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });
});
