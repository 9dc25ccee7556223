import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { H264_OPTIONS, startHttpStream, testPattern } from '#test/servers/live-sources';
import { isOver, openStudio } from '../live.fixture.ts';

const { ffmpeg } = inject('programs');
/** Number of sessions that a worker of the fixture records at once, and that an organization may start. */
const PER_WORKER = 20;
let origin: { url: string; stop: () => void };
beforeAll(async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' });
    const timer = setInterval(() => response.write('x'), 200);
    response.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/camera.ts`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
});
afterAll(() => origin.stop());

test.runIf(ffmpeg)('sources of one organization that trickle do not keep a worker from those of another', async () => {
  const studio = await openStudio();
  onTestFinished(() => studio.close());
  const makes = [[...testPattern({ sound: false }), ...H264_OPTIONS, '-f', 'mpegts']];
  const camera = await startHttpStream(ffmpeg!, { makes, contentType: 'video/mp2t' });
  onTestFinished(camera.stop);
  const slow = await Promise.all(Array.from({ length: PER_WORKER }, () => studio.start(origin.url)));
  const { library } = studio;
  const { key } = await library.keyOf(await library.addUser(), ['read', 'write']);
  const { json } = await studio.post('/api/live/start-session', { source_url: camera.url, name: 'Gate' }, key);
  const path = `/api/live/live-sessions/${json.stream_id}/${json.session_id}`;
  await expect
    .poll(async () => (await studio.api.call('GET', path, { key })).json, { interval: 200 })
    .toMatchObject({ status: 'ACTIVE', connected: true });
  for (const session of slow) expect((await studio.read(session)).status).toBe('INITIALIZING');
});

test('a source that sends too slowly ends with a reason', async () => {
  const studio = await openStudio({}, { overrides: { fetchRate: { bytesPerS: 1_000, windowMs: 500 } } });
  onTestFinished(() => studio.close());
  const ended = await studio.until(await studio.start(origin.url), isOver);
  expect(ended).toMatchObject({
    status: 'FAILED',
    error: 'live_source_missing',
    message: expect.stringMatching(/127\.0\.0\.1:\d+ sent fewer than 1000 bytes a second for 1\.5 seconds/),
  });
});
