import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { freePort } from '#platform/net/index';
import { PUBLIC_URL } from '#test/library';
import {
  AAC_OPTIONS,
  H264_OPTIONS,
  startCamera,
  startFfmpeg,
  startGrowingFile,
  startHlsOrigin,
  startHttpStream,
  testPattern,
} from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import type { DomainEvents } from '../events/index.ts';
import { isOver, openStudio, QUICK, type Studio } from './live.fixture.ts';

const { ffmpeg, rtspPython } = inject('programs');
const H264 = [...H264_OPTIONS, ...AAC_OPTIONS];

/** Each kind of source, fed at real speed. The cases wait, and so they wait together. */
describe.runIf(ffmpeg)('a livestream', { timeout: 300_000, concurrent: true }, () => {
  let studio: Studio;
  const ended: DomainEvents['live.ended'][] = [];
  beforeAll(async () => {
    // Sources that are slow because a dozen of them start at once are not lost.
    const liveTimeouts = { ...QUICK.liveTimeouts, firstFrameS: 30, stalledS: 15 };
    studio = await openStudio({}, { overrides: { liveTimeouts } });
    studio.library.events.subscribe('live.ended', async (_, event) => void ended.push(event));
  });
  afterAll(async () => studio?.close());

  test('over HLS plays during the session and afterwards, and becomes a video', async () => {
    const origin = await startHlsOrigin(ffmpeg!);
    try {
      const session = await studio.start(origin.url, { stream_id: 'gate-4', rapid_review_query: 'a truck' });
      expect(session).toMatchObject({ stream_id: 'gate-4', status: 'INITIALIZING', name: 'Gate' });
      const empty = await studio.playlist(session);
      expect(empty.text).toMatch(/^#EXTM3U\n[\s\S]*#EXT-X-TARGETDURATION:\d+\n/);
      expect(empty.text).not.toMatch(/EXTINF|ENDLIST/);

      const active = await studio.until(session, ({ chunk_count }) => chunk_count >= 3);
      expect(active).toMatchObject({ status: 'ACTIVE', connected: true, error: null, gaps: [], events: [] });
      for (const [i, chunk] of active.chunks.slice(0, 3).entries()) {
        expect(chunk).toMatchObject({ chunk_index: i, discontinuity: false });
        expect(chunk.stream_time).toBeCloseTo(2 * i, 1);
        expect(chunk.hls_cumulative_offset).toBeCloseTo(2 * i, 1);
      }
      // The origin says when its segments were made.
      const behindMs = Date.now() - Date.parse(String(active.started_at));
      expect(behindMs).toBeGreaterThan(4_000);
      expect(behindMs).toBeLessThan(60_000);

      const live = await studio.playlist(session);
      expect(live.manifest).toContain(`/api/live/media/${session.session_id}/index.m3u8?token=`);
      expect(live.master).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=320x180\n/);
      expect(live.text).toMatch(/MEDIA-SEQUENCE:0\n[\s\S]*EXT-X-MAP:URI="init-0\.mp4\?token=[\s\S]*\n0\.m4s\?token=/);
      expect(live.text).not.toContain('ENDLIST');
      const [init, first] = await Promise.all(
        [/init-0[^"]+/, /\n(0\.m4s.+)/].map(async (name) => {
          const found = name.exec(live.text)!;
          const response = await fetch(new URL(found[1] ?? found[0], live.url));
          expect(response.status).toBe(200);
          return Buffer.from(await response.arrayBuffer());
        }),
      );
      expect([init!.toString('latin1', 4, 8), first!.toString('latin1', 4, 8)]).toEqual(['ftyp', 'moof']);

      expect((await studio.end(session)).json).toEqual({ status: 'ended' });
      expect((await studio.end(session)).json).toEqual({ status: 'already_ended' });
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: null, connected: false });
      expect(done.video_ids).toEqual([session.video_id]);
      expect(ended.filter(({ sessionId }) => sessionId === session.session_id)).toMatchObject([
        { status: 'FINISHED', videoId: session.video_id, folderId: null, code: null, message: null },
      ]);

      const playlist = await studio.playlist(session);
      expect(playlist.text).toMatch(/PLAYLIST-TYPE:VOD[\s\S]*#EXT-X-ENDLIST\n$/);
      expect(playlist.text.match(/EXTINF/g)).toHaveLength(done.chunk_count);
      // The segments are parts of the recording now, byte for byte.
      const again = await fetch(new URL(/\n(0\.m4s.+)/.exec(playlist.text)![1]!, playlist.url));
      expect(Buffer.from(await again.arrayBuffer()).equals(first!)).toBe(true);
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video).toMatchObject({ status: 'UPLOADED', source: 'live', width: 320, height: 180 });
      expect(video.durationS).toBeCloseTo(Number(done.duration_s), 1);
      expect(video.probe!.audio).toMatchObject({ codec: 'aac' });
      await using file = await studio.library.storage.local(video.storageKey);
      const picture = await studio.media.frameImage(file.path, { timeS: Number(done.duration_s) - 0.5, withinS: 0.2 });
      expect(picture.length).toBeGreaterThan(1_000);
      // Deleted once the session is over.
      const left = () => Array.fromAsync(studio.library.storage.list(`live/${session.session_id}/`));
      await vi.waitFor(async () => expect(await left()).toEqual([]), 30_000);
    } finally {
      await origin.stop();
    }
  });

  test('over HLS whose sound has a playlist of its own is heard', async () => {
    const origin = await startHlsOrigin(ffmpeg!, { apart: true });
    try {
      const session = await studio.start(origin.url);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 3);
      await studio.end(session);
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', gaps: [] });
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video).toMatchObject({ status: 'UPLOADED', width: 320, height: 180 });
      await using file = await studio.library.storage.local(video.storageKey);
      await expectTone(file.path, Number(done.duration_s));
    } finally {
      await origin.stop();
    }
  });

  test.runIf(rtspPython)('over RTSP uses its password, which is never returned; its audio is recorded', async () => {
    const camera = await startCamera(rtspPython!, ffmpeg!, { user: 'me', password: 'hush-hush' });
    try {
      const session = await studio.start(`rtsp://me:hush-hush@127.0.0.1:${camera.port}/stream?token=hush-hush`);
      const wrong = await studio.start(`rtsp://me:wrong@127.0.0.1:${camera.port}/stream`);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 3);
      await studio.end(session);
      const done = await studio.until(session, isOver);
      const source_url = `rtsp://127.0.0.1:${camera.port}/stream?token=***`;
      expect(done).toMatchObject({ status: 'FINISHED', source_url, gaps: [] });
      const rows = await studio.library.database.db.selectFrom('liveSessions').selectAll().execute();
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(JSON.stringify([done, rows, video])).not.toContain('hush');
      expect(video).toMatchObject({ status: 'UPLOADED', width: 320, height: 180 });
      // It came in G.711.
      expect(video.probe!.audio).toMatchObject({ codec: 'aac', sampleRate: 8_000, channels: 1 });
      const failed = await studio.until(wrong, isOver);
      expect(failed).toMatchObject({ status: 'FAILED', error: 'live_source_missing', chunk_count: 0 });
      expect(failed.message).not.toMatch(/wrong|stream\?/);
      await using file = await studio.library.storage.local(video.storageKey);
      await expectTone(file.path, Number(done.duration_s));
    } finally {
      await camera.stop();
    }
  });

  test('over RTSP is not redirected', async () => {
    const decoy = await startRtspServer(ffmpeg!);
    const liar = await startRtspServer(ffmpeg!, { redirect: `rtsp://127.0.0.1:${decoy.port}/stream` });
    try {
      const led = await studio.start(`rtsp://127.0.0.1:${liar.port}/stream`);
      const failed = await studio.until(led, isOver);
      expect(failed).toMatchObject({ status: 'FAILED', error: 'live_source_missing', chunk_count: 0 });
      expect(failed.message).not.toContain('stream?');
      expect(decoy.connections()).toBe(0);
    } finally {
      await Promise.all([decoy.stop(), liar.stop()]);
    }
  });

  test.each(['rtmp', 'srt'] as const)('over %s', async (protocol) => {
    const port = await freePort();
    const server = {
      rtmp: ['-f', 'flv', '-listen', '1', `rtmp://127.0.0.1:${port}/live/gate`],
      srt: ['-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener&passphrase=a-long-secret`],
    }[protocol];
    const url = {
      rtmp: `rtmp://127.0.0.1:${port}/live/gate`,
      srt: `srt://127.0.0.1:${port}?passphrase=a-long-secret`,
    }[protocol];
    const feeder = startFfmpeg(ffmpeg!, [...testPattern(), ...H264, ...server]);
    try {
      const session = await studio.start(url);
      const active = await studio.until(session, ({ chunk_count }) => chunk_count >= 2);
      expect(active.chunks.map(({ discontinuity }) => discontinuity)).not.toContain(true);
      await studio.end(session);
      expect(await studio.until(session, isOver)).toMatchObject({ status: 'FINISHED', error: null });
      expect(await studio.library.videos.find(session.video_id)).toMatchObject({ status: 'UPLOADED', width: 320 });
    } finally {
      await feeder.stop();
    }
  });

  test.each(['mp2', 'ac3', 'libopus'])('whose sound is %s is recorded with it', async (codec) => {
    const source = await startHttpStream(ffmpeg!, {
      makes: [[...testPattern({ seconds: 7 }), ...H264_OPTIONS, '-c:a', codec, '-ar', '48000', '-f', 'mpegts']],
      contentType: 'video/mp2t',
    });
    try {
      const session = await studio.start(source.url);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 3);
      await studio.end(session);
      const done = await studio.until(session, isOver);
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video.probe!.audio).toMatchObject({ codec: 'aac', sampleRate: 48_000 });
      await using file = await studio.library.storage.local(video.storageKey);
      await expectTone(file.path, Number(done.duration_s));
    } finally {
      await source.stop();
    }
  });

  test('as MJPEG over HTTP is encoded', async () => {
    const camera = await startHttpStream(ffmpeg!, {
      makes: [[...testPattern({ rate: 10, sound: false }), '-c:v', 'mjpeg', '-f', 'mpjpeg']],
      contentType: 'multipart/x-mixed-replace;boundary=ffmpeg',
    });
    try {
      const session = await studio.start(camera.url);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 2);
      await studio.end(session);
      const done = await studio.until(session, isOver);
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video.probe!.video).toMatchObject({ codec: 'h264', width: 320, height: 180 });
      expect(video.durationS).toBeCloseTo(Number(done.duration_s), 0);
    } finally {
      await camera.stop();
    }
  });

  test('as a file that grows ends when it grows no more', async () => {
    const args = [...testPattern({ seconds: 7 }), ...H264, '-f', 'mpegts'];
    const file = await startGrowingFile(ffmpeg!, args, 'drive.ts');
    try {
      const session = await studio.start(file.url);
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: null });
      expect(Number(done.duration_s)).toBeCloseTo(7, 0);
      expect(done.gaps).toEqual([]);
    } finally {
      await file.stop();
    }
  });

  test('is signed for a while, for its session alone', async () => {
    const session = await studio.start(`http://127.0.0.1:${await freePort()}/index.m3u8`);
    const sign = (query = '', key = studio.key) =>
      studio.api.call('POST', `/api/live/session/${session.session_id}/signed-manifest${query}`, { key });
    const answer = await sign();
    expect(answer).toMatchObject({ status: 200, json: { method: 'GET', url: expect.stringContaining(PUBLIC_URL) } });
    const untilMs = Date.parse(String(answer.json.expires_at)) - Date.now();
    expect(untilMs / 1000).toBeGreaterThan(895);
    expect(untilMs / 1000).toBeLessThan(902);
    expect((await sign('?expires_in=59')).status).toBe(400);
    expect((await sign('?expires_in=3601')).status).toBe(400);
    expect((await sign('?expires_in=60')).status).toBe(200);

    const url = String(answer.json.url).replace(PUBLIC_URL, studio.api.base);
    expect((await fetch(url)).status).toBe(200);
    const playlist = await studio.playlist(session);
    const other = await studio.start(`http://127.0.0.1:${await freePort()}/index.m3u8`);
    for (const wrong of [
      `${url}x`,
      url.replace(session.session_id, other.session_id),
      // Each token is for its own: that of the manifest does not play on when it has expired.
      url.replace('index.m3u8', 'stream.m3u8'),
      playlist.url.replace('stream.m3u8', 'index.m3u8'),
      playlist.url.replace(session.session_id, other.session_id).replace('stream.m3u8', '0.m4s'),
    ]) {
      const refused = await fetch(wrong);
      expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([403, 'live_url_invalid']);
    }
    const expired = studio.expired(session.session_id);
    const refused = await fetch(url.replace(/token=.*/, `token=${expired}`));
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([403, 'live_url_expired']);
    const missing = await fetch(playlist.url.replace('stream.m3u8', '7.m4s'));
    expect(missing.status).toBe(404);
    const stranger = await studio.library.keyOf(await studio.library.addUser(), ['read']);
    expect(await sign('', stranger.key)).toMatchObject({ status: 403, json: { error: 'live_forbidden' } });
    await Promise.all([studio.end(session), studio.end(other)]);
    expect(await studio.until(session, isOver)).toMatchObject({ status: 'FINISHED', chunk_count: 0 });
    expect(await studio.library.videos.find(session.video_id)).toBeNull();
  });
});

/** The recording's sound is the tone of 440 Hz, from its first picture to its last. */
async function expectTone(path: string, durationS: number): Promise<void> {
  const rate = 8_000;
  const args = ['-v', 'error', '-nostdin', '-i', path, '-ac', '1', '-ar', String(rate), '-f', 'f32le', '-'];
  const { stdout } = await promisify(execFile)(ffmpeg!, args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  const samples = new Float32Array(new Uint8Array(stdout).buffer);
  // A multiplex brings sound some tenths of a second after its picture: what was on its way when the session ended did
  // not come.
  expect(samples.length / rate).toBeGreaterThan(durationS - 0.6);
  expect(samples.length / rate).toBeLessThan(durationS + 0.3);
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i - 1]! < 0 !== samples[i]! < 0) crossings++;
  expect(crossings / 2 / (samples.length / rate) / 440).toBeCloseTo(1, 1);
}
