import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { fetchVideo } from '../jobs.ts';
import { openUploads, type UploadsFixture } from '../uploads.fixture.ts';

let clip: Buffer;
beforeAll(async () => {
  clip = await readFile(await sceneClip());
});

/** A server with the clip at `/clip.mp4`; all other paths respond slowly until the test ends. */
async function startOrigin() {
  const trickling = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-length': clip.length });
    if (request.url === '/clip.mp4') return response.end(clip);
    trickling.add(response);
    const timer = setInterval(() => response.write('x'), 50);
    response.once('close', () => {
      clearInterval(timer);
      trickling.delete(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    trickling,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let origin: Awaited<ReturnType<typeof startOrigin>>;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.stop());

const send = (desk: UploadsFixture, key: string, path: string) =>
  desk.api.call('POST', '/api/upload-video', { key, json: { source: 'video_url', video_url: origin.base + path } });

test('slow URLs of one organization do not delay others', async () => {
  const desk = await openUploads();
  onTestFinished(() => desk.close());
  const { library } = desk;
  const slow = Array.from({ length: 40 }, (_, i) => send(desk, desk.me.key, `/slow-${i}.mp4`));
  await expect.poll(() => origin.trickling.size).toBe(fetchVideo.concurrency);
  const other = await library.keyOf(await library.addUser(), ['read', 'write']);
  expect((await send(desk, other.key, '/clip.mp4')).json).toMatchObject({ status: 'uploaded' });
  expect(origin.trickling.size).toBe(fetchVideo.concurrency);
  for (const answer of await Promise.all(slow)) expect(answer.json.status).toBe('processing');
});

test('a URL that is too slow fails with a reason and leaves nothing', async () => {
  const desk = await openUploads({}, { overrides: { fetchRate: { bytesPerS: 10_000, windowMs: 500 } } });
  onTestFinished(() => desk.close());
  expect(await send(desk, desk.me.key, '/slow.mp4')).toMatchObject({
    status: 504,
    json: { error: 'fetch_too_slow', message: expect.stringContaining('sent fewer than 10000 bytes a second') },
  });
  expect(await desk.remains()).toEqual({ rows: 0, files: 0, partial: 0 });
});
