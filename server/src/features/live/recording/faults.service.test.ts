import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '#platform/net/index';
import { createStorage, type Storage } from '#platform/storage/index';
import { AAC_OPTIONS, H264_OPTIONS, startHlsOrigin, startHttpStream, testPattern } from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import { temporaryFolder } from '#test/temporary-folder';
import { isOver, openStudio, rowsOf, type Studio } from '../live.fixture.ts';

const { ffmpeg } = inject('programs');
const H264 = [...H264_OPTIONS, ...AAC_OPTIONS];
const H265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=10:bframes=0:pools=1', ...AAC_OPTIONS];

/** Faults of cameras, networks and disks. The cases mostly wait, so they run concurrently. */
describe.runIf(ffmpeg)('a livestream', { timeout: 400_000, concurrent: true }, () => {
  let studio: Studio;
  /** Sessions whose segments the disk has no room for: more of it has to stay free than it has. */
  const full = new Set<string>();
  beforeAll(async () => {
    const dir = await temporaryFolder();
    const starved = await createStorage({ kind: 'file', dir }, { dataDir: dir, reserveBytes: 2 ** 60 });
    const wrapStorage = (storage: Storage): Storage => ({
      ...storage,
      write: (key, body, options) => (full.has(key.split('/')[1]!) ? starved : storage).write(key, body, options),
    });
    studio = await openStudio({}, { overrides: { wrapStorage } });
  });
  afterAll(async () => studio?.close());

  test('that is not there fails, and says why', async () => {
    const [nobody, missing] = [`rtsp://127.0.0.1:${await freePort()}/x`, `${studio.api.base}/nothing/index.m3u8`];
    const sessions = await Promise.all([nobody, missing].map((url) => studio.start(url)));
    const [unreachable, unknown] = await Promise.all(sessions.map((session) => studio.until(session, isOver)));
    expect(unreachable).toMatchObject({ status: 'FAILED', error: 'live_source_missing' });
    expect(unreachable!.message).toMatch(/never sent a frame: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/);
    expect(unknown!.message).toMatch(/127\.0\.0\.1:\d+ responded with status 404 instead of the stream/);
    for (const { video_id } of sessions) expect(await studio.library.videos.find(video_id)).toBeNull();
    const empty = await studio.playlist(sessions[0]!);
    expect(empty.text).toMatch(/#EXT-X-ENDLIST\n$/);
  });

  test('in a network that is not allowed fails at once', async () => {
    for (const url of [
      'rtsp://169.254.169.254/x',
      'http://10.1.2.3/x.m3u8',
      'srt://192.168.1.1:9000',
      'rtmp://[::1]/a/b',
    ]) {
      const failed = await studio.until(await studio.start(url), isOver);
      expect(failed, url).toMatchObject({ status: 'FAILED', error: 'fetch_address_refused' });
    }
    // Nor does a playlist lead there.
    const lured = await startHttpStream(ffmpeg!, { contentType: 'application/vnd.apple.mpegurl', text: PLAYLIST });
    try {
      const failed = await studio.until(await studio.start(lured.url), isOver);
      expect(failed).toMatchObject({ status: 'FAILED', error: 'fetch_address_refused' });
    } finally {
      await lured.stop();
    }
  });

  test('of sound alone, or of something else, fails at once', async () => {
    const radio = await startHttpStream(ffmpeg!, {
      makes: [[...testPattern(), '-vn', ...AAC_OPTIONS, '-f', 'mpegts']],
      contentType: 'video/mp2t',
    });
    const page = await startHttpStream(ffmpeg!, {
      contentType: 'text/html',
      text: '<!doctype html><title>Camera</title>'.padEnd(5_000),
    });
    try {
      const sessions = await Promise.all([radio, page].map(({ url }) => studio.start(url)));
      const [heardOnly, read] = await Promise.all(sessions.map((session) => studio.until(session, isOver)));
      expect(heardOnly).toMatchObject({ status: 'FAILED', error: 'media_no_video' });
      expect(heardOnly!.message).toMatch(/no pictures/);
      expect(read).toMatchObject({ status: 'FAILED', error: 'media_unreadable' });
    } finally {
      await Promise.all([radio.stop(), page.stop()]);
    }
  });

  test('that sends audio but no more frames is reconnected', async () => {
    const makes = [[...testPattern({ seenS: 4 }), ...H264, '-f', 'mpegts']];
    const stream = await startHttpStream(ffmpeg!, { makes, contentType: 'video/mp2t' });
    try {
      const session = await studio.start(stream.url);
      const away = await studio.until(session, ({ connected, chunk_count }) => chunk_count > 0 && connected === false);
      expect(away).toMatchObject({ status: 'ACTIVE', message: expect.stringMatching(/no pictures any more/) });
      const back = await studio.until(session, ({ chunk_count }) => chunk_count > away.chunk_count);
      expect(back.gaps).toMatchObject([{ chunk_index: away.chunk_count, reason: away.message }]);
      await studio.end(session);
      expect(await studio.until(session, isOver)).toMatchObject({ status: 'FINISHED', error: null });
    } finally {
      await stream.stop();
    }
  });

  test('that is unavailable for a while continues after a gap; one that does not return ends with its recording', async () => {
    const camera = await startRtspServer(ffmpeg!);
    try {
      const session = await studio.start(`rtsp://127.0.0.1:${camera.port}/x`);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
      const video = await studio.playlist(session);
      camera.refuse(true);
      await studio.until(session, ({ connected }) => connected === false);
      await sleep(1_500);
      camera.refuse(false);
      const before = (await studio.read(session)).chunk_count;
      const back = await studio.until(session, ({ chunk_count }) => chunk_count > before);
      expect(back).toMatchObject({ connected: true, error: null });
      expect(back.gaps).toEqual([
        {
          chunk_index: before,
          from: expect.any(String),
          until: expect.any(String),
          from_s: expect.any(Number),
          until_s: expect.any(Number),
          reason: expect.stringMatching(/\.$/),
        },
      ]);
      const chunk = back.chunks.at(before)!;
      expect(chunk.discontinuity).toBe(true);
      // Stream time continues; the recording has no hole.
      const last = back.chunks.at(before - 1)!;
      expect(chunk.hls_cumulative_offset).toBeCloseTo(last.hls_cumulative_offset + last.duration_s, 3);
      expect(chunk.stream_time - last.stream_time - last.duration_s).toBeGreaterThan(1);
      const text = await (await fetch(video.url)).text();
      expect(text).toMatch(
        /#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-1\.mp4[^\n]+\n#EXT-X-PROGRAM-DATE-TIME:.+\n#EXTINF/,
      );

      camera.refuse(true);
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: 'live_source_lost' });
      expect(done.video_ids).toHaveLength(1);
      const recording = (await studio.library.videos.find(session.video_id))!;
      expect(recording.durationS).toBeCloseTo(Number(done.duration_s), 1);
    } finally {
      await camera.stop();
    }
  });

  test('that stays connected and sends nothing is reconnected', async () => {
    const camera = await startRtspServer(ffmpeg!);
    try {
      const session = await studio.start(`rtsp://127.0.0.1:${camera.port}/x`);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
      await camera.silence();
      await studio.until(session, ({ connected }) => connected === false);
      const { chunk_count: before } = await studio.read(session);
      camera.goOn();
      const back = await studio.until(session, ({ chunk_count }) => chunk_count > before);
      expect(back.gaps).toHaveLength(1);
      expect(camera.connections()).toBeGreaterThan(1);
      await studio.end(session);
      await studio.until(session, isOver);
    } finally {
      await camera.stop();
    }
  });

  test('whose playlist stops growing ends with its recording and a reason', async () => {
    const origin = await startHlsOrigin(ffmpeg!);
    try {
      const session = await studio.start(origin.url);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
      await origin.change();
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: 'live_source_lost' });
      expect(done.message).toMatch(/The playlist has not grown for \d+ seconds/);
      expect(await studio.library.videos.find(session.video_id)).toMatchObject({ status: 'UPLOADED' });
    } finally {
      await origin.stop();
    }
  });

  test('whose size or codec changes becomes a video of each; whose origin answers 404 for a while misses nothing that is still there, and for good ends', async () => {
    const origin = await startHlsOrigin(ffmpeg!);
    try {
      const session = await studio.start(origin.url);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 2);
      origin.answer = 404;
      await sleep(2_000);
      origin.answer = 200;
      const { chunk_count: before } = await studio.read(session);
      const on = await studio.until(session, ({ chunk_count }) => chunk_count >= before + 2);
      expect(on.gaps).toEqual([]);
      // The encoder restarts: other frames and timestamps, and a discontinuity in the playlist.
      const input = testPattern({ size: '480x270', seconds: 20 });
      await origin.change({ input, codec: H264 });
      await studio.shows(session, /RESOLUTION=480x270/);
      await origin.change({ input, codec: H265 });
      await studio.shows(session, /CODECS="h(vc|ev)1/);
      origin.answer = 404;
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: 'live_source_lost' });
      expect(done.message).toMatch(/127\.0\.0\.1:\d+ responded with status 404 instead of the stream/);
      const videos = await Promise.all(done.video_ids.map((id) => studio.library.videos.find(id)));
      expect(videos.map((video) => [video?.status, video?.probe?.video.codec, video?.width])).toEqual([
        ['UPLOADED', 'h264', 320],
        ['UPLOADED', 'h264', 480],
        ['UPLOADED', 'hevc', 480],
      ]);
      const lengths = videos.reduce((sum, video) => sum + video!.durationS!, 0);
      expect(lengths).toBeCloseTo(Number(done.duration_s), 0);
      const playlist = await studio.playlist(session);
      const last = [...playlist.text.matchAll(/\n(\d+\.m4s.+)/g)].at(-1)![1]!;
      expect((await fetch(new URL(last, playlist.url))).status).toBe(200);
    } finally {
      await origin.stop();
    }
  });

  test('whose clock is wrong is believed within ten minutes, and timed by ours beyond them', async () => {
    const origin = await startHlsOrigin(ffmpeg!);
    const startOf = async (clockOffMs: number) => {
      origin.clockOffMs = clockOffMs;
      const session = await studio.start(origin.url);
      const { chunks, started_at } = await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
      const minutes = (Date.parse(chunks[0]!.capture_time) - Date.now()) / 60_000;
      await studio.end(session);
      expect(chunks[0]!.capture_time).toBe(started_at);
      return minutes;
    };
    try {
      expect(Math.abs((await startOf(-5 * 60_000)) + 5)).toBeLessThan(1);
      expect(Math.abs(await startOf(60 * 60_000))).toBeLessThan(1);
    } finally {
      await origin.stop();
    }
  });

  test('whose timestamps jump continues', async () => {
    // Ten hours forward after four seconds, and back again four seconds later.
    const from = (seconds: number) => [
      ...testPattern({ seconds: 4, sound: false }),
      ...H264_OPTIONS,
      '-output_ts_offset',
      String(seconds),
      '-f',
      'mpegts',
    ];
    const makes = [from(0), from(36_000), [...testPattern({ sound: false }), ...H264_OPTIONS, '-f', 'mpegts']];
    const stream = await startHttpStream(ffmpeg!, { makes, contentType: 'video/mp2t' });
    try {
      const session = await studio.start(stream.url);
      const active = await studio.until(session, ({ duration_s }) => Number(duration_s) >= 9);
      expect(active.chunks.filter(({ discontinuity }) => discontinuity)).toHaveLength(2);
      expect(Number(active.duration_s)).toBeLessThan(20);
      await studio.end(session);
      const done = await studio.until(session, isOver);
      expect(done.video_ids).toHaveLength(1);
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video.durationS).toBeCloseTo(Number(done.duration_s), 0);
    } finally {
      await stream.stop();
    }
  });

  test('on a full disk waits for space, reports it, and ends with what could be recorded', async () => {
    const camera = await startRtspServer(ffmpeg!);
    try {
      const session = await studio.start(`rtsp://127.0.0.1:${camera.port}/x`);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
      full.add(session.session_id);
      const waiting = await studio.until(session, ({ error }) => error === 'storage_full');
      expect(waiting).toMatchObject({ status: 'ACTIVE', message: expect.stringMatching(/storage .* is full/) });
      full.delete(session.session_id);
      const on = await studio.until(session, ({ error, chunk_count }) => !error && chunk_count > waiting.chunk_count);
      expect(on.gaps).toEqual([]);
      full.add(session.session_id);
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: 'storage_full' });
      expect(done.chunk_count).toBe((await rowsOf(studio.library.database, session.session_id)).segments);
      expect(await studio.library.videos.find(session.video_id)).toMatchObject({ status: 'UPLOADED' });
    } finally {
      await camera.stop();
    }
  });

  test('on a full disk of the database waits for room, names it, and loses nothing', async () => {
    const camera = await startRtspServer(ffmpeg!);
    const { db } = studio.library.database;
    try {
      const session = await studio.start(`rtsp://127.0.0.1:${camera.port}/x`);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
      // As PostgreSQL refuses to extend a table, for this session alone.
      await sql`create function no_space() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(db);
      await sql`create trigger no_space before insert on live_segments for each row
        when (new.session_id = ${sql.lit(session.session_id)}) execute function no_space()`.execute(db);
      const waiting = await studio.until(session, ({ error }) => error === 'live_database_full');
      expect(waiting).toMatchObject({
        status: 'ACTIVE',
        message: expect.stringMatching(/disk of the database is full/),
      });
      await sql`drop function no_space cascade`.execute(db);
      const on = await studio.until(session, ({ error, chunk_count }) => !error && chunk_count > waiting.chunk_count);
      expect(on.gaps).toEqual([]);
      await studio.end(session);
      expect(await studio.until(session, isOver)).toMatchObject({ status: 'FINISHED', error: null });
    } finally {
      await camera.stop();
    }
  });
});

const PLAYLIST = [
  '#EXTM3U',
  '#EXT-X-VERSION:3',
  '#EXT-X-TARGETDURATION:2',
  '#EXT-X-MEDIA-SEQUENCE:1',
  '#EXTINF:2.0,',
  'http://169.254.169.254/latest/meta-data/',
  '',
].join('\n');
