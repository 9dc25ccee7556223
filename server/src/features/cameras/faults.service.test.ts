// Cameras with a frozen or black picture, on RTSP servers that send one.
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { request as requestJson } from '#test/http';
import { startRtspServer } from '#test/servers/rtsp-server';
import { openStudio, QUICK, type Studio } from '../live/live.fixture.ts';
import { startReceiver } from '../webhooks/receiver.fixture.ts';

const { ffmpeg } = inject('programs');
const TIMEOUTS = { ...QUICK.liveTimeouts, sampleS: 1, faultS: 3, clearS: 2 };
/** It does not change for twelve seconds, and then has the noise of a sensor. */
const FROZEN = "smptebars=size=320x180:rate=10,noise=alls=20:allf=t:enable='gte(t,12)'";
const NOISE = 'smptebars=size=320x180:rate=10,noise=alls=3:allf=t';
const BLACK = 'color=black:size=320x180:rate=10';

let studio: Studio;
const request = (method: string, path: string, json?: object, key = studio.key) =>
  requestJson({ api: studio.api, key }, method, path, json);

describe.runIf(ffmpeg)('the picture of a camera', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    studio = await openStudio({}, { overrides: { liveTimeouts: TIMEOUTS } });
  });
  afterAll(async () => studio?.close());

  async function add(name: string, picture: string): Promise<unknown> {
    const server = await startRtspServer(ffmpeg!, { input: ['-re', '-f', 'lavfi', '-i', picture] });
    onTestFinished(() => server.stop());
    const source_url = `rtsp://127.0.0.1:${server.port}/ch1`;
    return (await request('POST', '/api/cameras', { name, source_url })).camera_id;
  }
  const read = (id: unknown) => request('GET', `/api/cameras/${id}`);
  const fault = async (id: unknown) => (await read(id)).fault as { kind: string; since: string } | null;
  const until = (id: unknown, kind: string | null) =>
    expect.poll(async () => (await fault(id))?.kind ?? null, { timeout: 90_000, interval: 200 }).toBe(kind);
  const switchOff = (id: unknown) => request('PATCH', `/api/cameras/${id}`, { enabled: false });

  test('that does not change is a fault, which is reported once, until it changes again', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const admin = (await studio.library.keyOf(await studio.library.addUser(studio.caller.orgId), ['admin'])).key;
    const event_types = ['camera.fault', 'camera.recovered'];
    await request('POST', '/api/webhooks', { url: receiver.url, event_types }, admin);
    const id = await add('Hall', FROZEN);
    await until(id, 'frozen');
    const { fault: found, started_at, session_id } = await read(id);
    const { since } = found as { since: string };
    // It did not change from the first frame on.
    expect(Math.abs(Date.parse(since) - Date.parse(String(started_at)))).toBeLessThan(2_500);
    await studio.library.cameras.tend();
    await studio.library.cameras.tend();
    await until(id, null);
    await studio.library.cameras.tend();
    await studio.library.cameras.tend();
    await expect.poll(() => receiver.received.length, { timeout: 60_000, interval: 200 }).toBe(2);
    const past = await read(id);
    expect(past.recent_faults).toMatchObject([
      { kind: 'frozen', from: since, until: expect.any(String), message: null },
    ]);
    const [began, ended] = receiver.received.map(({ json }) => json);
    expect(began).toMatchObject({
      type: 'camera.fault',
      subject: `camera/${id}`,
      data: { camera_id: id, camera_name: 'Hall', session_id, kind: 'frozen', started_at: since, ended_at: null },
    });
    expect(ended).toMatchObject({
      type: 'camera.recovered',
      data: { fault_id: began!.data.fault_id, kind: 'frozen', started_at: since, ended_at: expect.any(String) },
    });
    const { alerts } = await request('GET', '/api/alerts');
    expect(alerts).toMatchObject([
      {
        camera_id: id,
        camera_name: 'Hall',
        fault: 'frozen',
        label: 'picture is frozen',
        saved_question_id: null,
        video_id: null,
        event_id: null,
        is_read: false,
        is_muted: false,
      },
    ]);
    const stranger = await studio.library.keyOf(await studio.library.addUser(studio.caller.orgId), ['read']);
    expect(await request('GET', '/api/alerts', undefined, stranger.key)).toMatchObject({ alerts: [], unread: 0 });
    await switchOff(id);
  });

  test('of a static scene with the noise of a sensor is not frozen, and a black one is black', async () => {
    const [noise, black] = [await add('Store', NOISE), await add('Cellar', BLACK)];
    await until(black, 'black');
    const { last_frame_at } = await read(black);
    // The other one has been examined for as long.
    const seen = async () => Date.parse(String((await read(noise)).last_frame_at ?? 0));
    await expect.poll(seen, { timeout: 60_000 }).toBeGreaterThan(Date.parse(String(last_frame_at)) + 4_000);
    expect(await fault(noise)).toBeNull();
    await switchOff(noise);
    await switchOff(black);
    // A camera that is off has no fault.
    await expect.poll(async () => (await read(black)).state, { timeout: 60_000 }).toBe('off');
    expect(await fault(black)).toBeNull();
  });
});
