// Cameras that push: real encoders publish to the listener of the service by RTMP.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createLog } from '#platform/log';
import { freePort } from '#platform/net/index';
import { AAC_OPTIONS, H264_OPTIONS, startFfmpeg, testPattern } from '#test/servers/live-sources';
import { openStudio, type Studio } from '../live/live.fixture.ts';
import { createPublishing, type Publishing } from './publishing.ts';

const { ffmpeg } = inject('programs');

type Json = Record<string, unknown>;
let studio: Studio;
let port: number;
beforeAll(async () => {
  port = await freePort();
  const env = { SIGHTLINE_RTMP_LISTEN: `127.0.0.1:${port}` };
  const rtmpTimeouts = { acceptMs: 5_000, silentMs: 10_000, replaceMs: 2_000, renewMs: 500 };
  studio = await openStudio(env, { overrides: { rtmpTimeouts } });
});
afterAll(async () => studio?.close());

async function call(method: string, path = '', json?: object): Promise<Json> {
  const answer = await studio.api.call(method, `/api/cameras${path}`, { key: studio.key, ...(json && { json }) });
  return { ...answer.json, status: answer.status };
}
const read = (id: unknown) => call('GET', `/${id}`);
const pushOf = async (id: unknown) => (await read(id)).push as Json;

/** A camera that pushes, with a key. */
async function addCamera(settings: object = {}) {
  const camera = await call('POST', '', { name: 'Crane', source: 'push', ...settings });
  expect(camera.status).toBe(200);
  const made = await call('POST', `/${camera.camera_id}/key`);
  expect(made.status).toBe(200);
  return { id: String(camera.camera_id), key: String(made.push_key), url: String(made.push_url) };
}

/** An encoder, which ends with the test. It fails with its messages. */
function publish(key: string, { seconds = 3_600, rate = 10, sound = true } = {}) {
  const input = testPattern({ seconds, rate, sound });
  const encoder = startFfmpeg(ffmpeg!, [
    ...input,
    ...H264_OPTIONS,
    ...(sound ? AAC_OPTIONS : []),
    '-f',
    'flv',
    `rtmp://127.0.0.1:${port}/live/${key}`,
  ]);
  const ended = once(encoder.child, 'exit');
  onTestFinished(() => encoder.stop());
  return { ...encoder, ended };
}
const until = (id: unknown, state: string) =>
  expect.poll(async () => (await read(id)).state, { timeout: 60_000, interval: 200 }).toBe(state);

async function finish(id: unknown) {
  const { session_id } = await read(id);
  const session = { session_id: String(session_id), stream_id: String(id) };
  await call('PATCH', `/${id}`, { enabled: false });
  await expect
    .poll(async () => (await studio.read(session)).status, { timeout: 90_000, interval: 200 })
    .toBe('FINISHED');
  return studio.read(session);
}

/** Video frames of a recording. */
async function countFrames(videoId: string): Promise<number> {
  const { videos, storage } = studio.library;
  const folder = await mkdtemp(join(tmpdir(), 'sightline frames '));
  try {
    const path = join(folder, 'recording.mp4');
    await writeFile(path, await storage.readAll((await videos.find(videoId))!.storageKey));
    const packets = ['-v', 'error', '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'framecrc', '-'];
    const lines = execFileSync(ffmpeg!, packets, { encoding: 'utf8' }).trim().split('\n');
    return lines.filter((line) => !line.startsWith('#')).length;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe.runIf(ffmpeg)('a camera that pushes', { timeout: 180_000 }, () => {
  test('is recorded with every frame that its encoder sent', async () => {
    const { id, key, url } = await addCamera();
    expect(url).toBe(`rtmp://public.example:${port}/live`);
    expect(await read(id)).toMatchObject({ source: 'push', source_url: `push://${id}` });
    await until(id, 'offline');
    expect(await read(id)).toMatchObject({ error: 'live_push_absent', push: { publishing: false, has_key: true } });
    const encoder = publish(key, { seconds: 12, rate: 25 });
    await expect.poll(() => pushOf(id), { timeout: 30_000 }).toMatchObject({ publishing: true, remote: '127.0.0.1' });
    expect((await encoder.ended)[0]).toBe(0);
    await expect.poll(async () => (await pushOf(id)).publishing, { timeout: 60_000 }).toBe(false);
    const { video_ids, gaps } = await finish(id);
    expect(gaps.length).toBeLessThanOrEqual(1);
    expect(await countFrames(String(video_ids[0]))).toBe(300);
  });

  test('continues its session when the encoder connects again, with the gap', async () => {
    const { id, key } = await addCamera();
    const first = publish(key);
    await until(id, 'live');
    const { session_id } = await read(id);
    await first.stop();
    await until(id, 'offline');
    expect(await pushOf(id)).toMatchObject({ publishing: false });
    publish(key);
    await until(id, 'live');
    expect(await read(id)).toMatchObject({ session_id });
    const { gaps, video_ids } = await finish(id);
    expect(gaps).toHaveLength(1);
    expect(video_ids).toHaveLength(1);
  });

  test('accepts one encoder at a time, and another one when the first is silent', async () => {
    const { id, key } = await addCamera();
    const first = publish(key);
    await until(id, 'live');
    const second = publish(key);
    expect((await second.ended)[0]).not.toBe(0);
    expect(await pushOf(id)).toMatchObject({
      publishing: true,
      refused_code: 'busy',
      refused_reason: expect.stringMatching(
        /^Another encoder publishes with this key\. The second one is 127\.0\.0\.1/,
      ),
    });
    expect((await read(id)).state).toBe('live');
    const { connected_at } = await pushOf(id);
    // As when its network fails: the connection stays, and nothing arrives.
    first.child.kill('SIGSTOP');
    await expect
      .poll(
        async () => {
          const next = publish(key, { seconds: 6 });
          return (await next.ended)[0];
        },
        { timeout: 60_000 },
      )
      .toBe(0);
    expect((await pushOf(id)).connected_at).not.toBe(connected_at);
    await finish(id);
  });

  test('accepts one of two encoders that come at the same time', async () => {
    const cameras = await Promise.all(Array.from({ length: 5 }, () => addCamera()));
    for (const { id, key } of cameras) {
      const pair = [publish(key, { sound: false }), publish(key, { sound: false })];
      const isRefused = { refused_reason: expect.stringMatching(/^Another encoder publishes with this key/) };
      await expect.poll(() => pushOf(id), { timeout: 30_000 }).toMatchObject({ publishing: true, ...isRefused });
      const running = () => pair.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      await expect.poll(() => running().length, { timeout: 30_000 }).toBe(1);
      await Promise.all(pair.map((encoder) => encoder.stop()));
      await call('PATCH', `/${id}`, { enabled: false });
    }
  });

  test('refuses encoders while it is off, states why, and disconnects them when it is switched off', async () => {
    const { id, key } = await addCamera({ enabled: false });
    expect((await publish(key).ended)[0]).not.toBe(0);
    expect(await pushOf(id)).toMatchObject({
      publishing: false,
      refused_code: 'off',
      refused_reason: 'The camera is off.',
    });
    await call('PATCH', `/${id}`, { enabled: true });
    const encoder = publish(key);
    await until(id, 'live');
    await call('PATCH', `/${id}`, { enabled: false });
    expect((await encoder.ended)[0]).not.toBe(0);
    const never = [{ days: ['mon'], from: '00:00', to: '00:01', analyze: true }];
    const scheduled = await addCamera({ schedule: never, time_zone: farFromMonday() });
    expect((await publish(scheduled.key).ended)[0]).not.toBe(0);
    expect(await pushOf(scheduled.id)).toMatchObject({
      refused_code: 'off_by_schedule',
      refused_reason: 'The schedule of the camera does not include this time.',
    });
  });

  test('has one key, which is stored as a digest and shown once', async () => {
    const { id, key } = await addCamera();
    const encoder = publish(key);
    await until(id, 'live');
    const { push_key } = await call('POST', `/${id}/key`);
    expect(push_key).not.toBe(key);
    expect((await encoder.ended)[0]).not.toBe(0);
    expect((await publish(key).ended)[0]).not.toBe(0);
    publish(String(push_key));
    await until(id, 'live');
    const { db } = studio.library.database;
    const rows = [
      await db.selectFrom('cameras').selectAll().execute(),
      await db.selectFrom('cameraPublishers').selectAll().execute(),
      await db.selectFrom('auditEvents').selectAll().execute(),
      await db.selectFrom('liveSessions').selectAll().execute(),
      await call('GET'),
    ];
    expect(JSON.stringify(rows)).not.toMatch(/pk_[0-9a-f]/);
    await finish(id);
  });

  test('is received again after the process that reads its bytes was killed', async () => {
    const { id, key } = await addCamera();
    const encoder = publish(key);
    await until(id, 'live');
    const { session_id } = await read(id);
    const pid = studio.library.rtmpPid()!;
    process.kill(pid, 'SIGKILL');
    expect((await encoder.ended)[0]).not.toBe(0);
    await expect.poll(studio.library.rtmpPid, { timeout: 30_000 }).toBeNull();
    await until(id, 'offline');
    publish(key);
    await until(id, 'live');
    expect(await read(id)).toMatchObject({ session_id });
    expect((await finish(id)).gaps).toHaveLength(1);
  });

  test('that changes while an encoder is accepted refuses it, for the right reason', async () => {
    const { room } = studio.library.publishing;
    const { id, key } = await addCamera();
    const remote = '192.0.2.7';
    const [first, second, third] = ['first', 'second', 'third'].map((each) => ({ id: each, stream: id }));
    const publishing = async () => (await pushOf(id)).publishing;
    // One that ends after another one has taken its place does not end that.
    expect(await room.claim(first!, key, remote)).toBe(true);
    expect(await room.claim(second!, key, remote)).toBe(true);
    await room.closed(first!, 'The encoder closed the connection.');
    expect(await publishing()).toBe(true);
    // Its recording plays it with a token, which expires by the clock of the room.
    const { database, jobs, secrets } = studio.library;
    const now = () => Date.now() - 120_000;
    const past = createPublishing({ database, jobs, secrets, log: createLog('silent'), node: null, now });
    const tokenOf = async ({ sources }: Publishing) => (await sources.find(id))!.token;
    expect(await room.play(id, await tokenOf(studio.library.publishing))).toBe(true);
    expect(await room.play(id, await tokenOf(past))).toBe(false);
    await room.closed(second!, 'The encoder closed the connection.');
    expect(await publishing()).toBe(false);
    // Another key, or none any more, since its key was checked.
    expect(await room.publish(key, remote)).toEqual({ stream: id });
    const { push_key } = await call('POST', `/${id}/key`);
    expect(await room.claim(third!, key, remote)).toBe(false);
    expect(await publishing()).toBe(false);
    expect(await room.claim(third!, String(push_key), remote)).toBe(true);
    await room.closed(third!, 'The encoder closed the connection.');
    await call('PATCH', `/${id}`, { enabled: false });
    expect(await room.claim(third!, String(push_key), remote)).toBe(false);
    await room.busy(id, remote);
    expect(await pushOf(id)).toMatchObject({ publishing: false, refused_code: 'off' });
    await call('DELETE', `/${id}`);
    expect(await room.claim(third!, String(push_key), remote)).toBe(false);
    await room.busy(id, remote);
    await room.closed(third!, 'The encoder closed the connection.');
    const { db } = studio.library.database;
    expect(await db.selectFrom('cameraPublishers').select('cameraId').where('cameraId', '=', id).execute()).toEqual([]);
  });

  test('has no address, and no other camera has a key', async () => {
    expect(await call('POST', '', { name: 'x', source: 'push', source_url: 'rtsp://camera.example/1' })).toMatchObject({
      status: 400,
      error: 'camera_source_conflict',
    });
    expect(await call('POST', '', { name: 'x' })).toMatchObject({ status: 400, error: 'camera_source_conflict' });
    expect(await call('POST', '', { name: 'x', source_url: 'push://a' })).toMatchObject({
      error: 'live_source_invalid',
    });
    const { id } = await addCamera({ enabled: false });
    expect(await call('PATCH', `/${id}`, { source_url: 'rtsp://camera.example/1' })).toMatchObject({
      error: 'camera_source_conflict',
    });
    expect(await call('POST', `/${id}/test`)).toMatchObject({ error: 'camera_push_untested' });
    const pull = await call('POST', '', { name: 'x', source_url: 'rtsp://camera.example/1', enabled: false });
    expect(pull).toMatchObject({ source: 'pull', push: null });
    expect(await call('POST', `/${pull.camera_id}/key`)).toMatchObject({ status: 400, error: 'camera_not_push' });
  });
});

describe.runIf(ffmpeg)('the listener', { timeout: 180_000 }, () => {
  /** Sends bytes. Returns what arrived until the connection was closed, and after how many milliseconds that was. */
  async function send(pieces: Iterable<Buffer>): Promise<{ received: Buffer; ms: number }> {
    const startedMs = performance.now();
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    // Its error is how a connection ends here.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const piece of pieces) {
      if (socket.destroyed) break;
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await closed;
    return { received: Buffer.concat(received), ms: performance.now() - startedMs };
  }
  /** Resident bytes of the process that reads what arrives. */
  const memory = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(studio.library.rtmpPid())])) * 1024;
  const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(1536), Buffer.alloc(1536)]);
  /** The header of a message of `length` bytes on a chunk stream, with its first 128 bytes. */
  const message = (stream: number, type: number, length: number, payload = Buffer.alloc(128)) =>
    Buffer.concat([
      Buffer.from([stream, 0, 0, 0, (length >> 16) & 255, (length >> 8) & 255, length & 255, type, 0, 0, 0, 0]),
      payload,
    ]);

  test('closes what is not RTMP, exceeds limits or takes too long, and its memory stays', async () => {
    const { id, key } = await addCamera();
    publish(key);
    await until(id, 'live');
    const pid = studio.library.rtmpPid();
    const before = memory();
    const random = () => crypto.getRandomValues(Buffer.alloc(65_536));
    const hostile: Record<string, Iterable<Buffer>> = {
      'random bytes': Array.from({ length: 200 }, random),
      'a message of 16 MB': [handshake, message(3, 20, 0xff_ff_ff)],
      'many chunk streams': [handshake, ...Array.from({ length: 60 }, (_, i) => message(3 + i, 9, 16_000))],
      'a chunk size of 0': [handshake, message(2, 1, 4, Buffer.alloc(4))],
      'a chunk size of 4 GB': [handshake, message(2, 1, 4, Buffer.alloc(4, 255)), message(3, 20, 0xff_ff_ff)],
      'a command without end': [handshake, message(3, 20, 16_000, Buffer.alloc(128, 3))],
      'nested values': [handshake, message(3, 20, 128, Buffer.alloc(128, 10))],
      'a flood after the handshake': [handshake, ...Array.from({ length: 2_000 }, () => Buffer.alloc(65_536, 0xc3))],
      nothing: [],
      'half a handshake': [handshake.subarray(0, 900)],
    };
    for (const [name, pieces] of Object.entries(hostile)) {
      const { ms } = await send(pieces);
      expect(ms, name).toBeLessThan(10_000);
    }
    await Promise.all(Array.from({ length: 300 }, () => send([handshake])));
    expect(studio.library.rtmpPid()).toBe(pid);
    expect(memory() - before).toBeLessThan(100 * 2 ** 20);
    // Those with a key are not disturbed.
    expect((await read(id)).state).toBe('live');
    expect((await finish(id)).gaps).toHaveLength(0);
  });

  test('refuses unknown keys at once, and an address that tries many of them', async () => {
    const { room } = studio.library.publishing;
    const startedMs = performance.now();
    expect((await publish('pk_wrong', { sound: false }).ended)[0]).not.toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    const { id, key } = await addCamera();
    const guess = (n: number) => `pk_${String(n).padStart(48, '0')}`;
    // One that is repeated does not count again.
    for (let i = 0; i < 50; i++)
      expect(await room.publish(guess(0), '192.0.2.1')).toEqual({ refused: 'The key is not valid.' });
    expect(await room.publish(key, '192.0.2.1')).toEqual({ stream: id });
    for (let i = 1; i < 10; i++) await room.publish(guess(i), '192.0.2.1');
    expect(await room.publish(key, '192.0.2.1')).toEqual({ refused: expect.stringMatching(/^Too many wrong keys/) });
    expect(await room.publish(key, '192.0.2.2')).toEqual({ stream: id });
    await call('PATCH', `/${id}`, { enabled: false });
  });
});

/** A time zone in which it is not the first minute of a Monday. */
function farFromMonday(): string {
  const hour = new Date().getUTCHours();
  return hour === 0 ? '+06:00' : 'UTC';
}
