import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { nextMessage } from '#test/child-messages';
import { startHlsOrigin, testPattern } from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import { isOver, openStudio, rowsOf, type Studio } from '../live.fixture.ts';

const { ffmpeg } = inject('programs');

describe.runIf(ffmpeg)('workers', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({}, { worker: false });
  });
  afterAll(async () => studio?.close());

  async function spawnWorker(): Promise<ChildProcess> {
    const env = JSON.stringify(studio.library.env);
    const child = fork(new URL('worker.fixture.ts', import.meta.url), [env], { execArgv: [] });
    await nextMessage(child);
    return child;
  }

  test('that are killed in the middle of a livestream leave it to another one', { timeout: 400_000 }, async () => {
    const camera = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 2 }) });
    const workers = [await spawnWorker()];
    try {
      const source = `rtsp://127.0.0.1:${camera.port}/x`;
      const session = await studio.start(source, { rapid_review_query: 'the picture is dark' });
      const stream = fetch(`${studio.api.base}/api/live/session/${session.session_id}/events`, {
        headers: { 'x-api-key': studio.key },
      });
      await studio.until(session, ({ events }) => events.length >= 2);
      workers.push(await spawnWorker());
      workers[0]!.kill('SIGKILL');
      const killedMs = Date.now();
      await once(workers[0]!, 'exit');
      const { chunk_count: before, events: earlier } = await studio.read(session);
      const on = await studio.until(
        session,
        ({ chunk_count, events }) => chunk_count >= before + 2 && events.some((event) => event.chunk_index >= before),
        60,
      );
      const away = on.gaps.at(-1) as { from: string; until: string; reason: string };
      // It is not the source that sent nothing.
      expect(away.reason).toMatch(/service was interrupted/);
      // From the last picture of the one to the first of the other.
      const awayS = (Date.parse(away.until) - Math.min(Date.parse(away.from), killedMs)) / 1000;
      expect(awayS).toBeLessThan(30);
      expect(on).toMatchObject({ status: 'ACTIVE', session_id: session.session_id, video_id: session.video_id });
      expect(on.chunks.map(({ chunk_index }) => chunk_index)).toEqual(on.chunks.map((_, i) => i));
      expect(on.chunks.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
      const { text } = await studio.playlist(session);
      expect(text.match(/#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-1/g)).toHaveLength(1);
      expect(text.match(/#EXTINF/g)!.length).toBeGreaterThanOrEqual(on.chunk_count);
      // The analysis moves to another worker together with the recording.
      const [next] = on.events.slice(earlier.length);
      expect((Date.parse(next!.created_at) - killedMs) / 1000).toBeLessThan(30);

      // A worker that shuts down releases its lease, so that the next one continues at once.
      workers.push(await spawnWorker());
      workers[1]!.kill('SIGTERM');
      const more = await studio.until(session, ({ gaps, connected }) => gaps.length === 2 && connected === true);
      expect(more.gaps).toHaveLength(2);
      await studio.end(session);
      await sleep(200);
      const done = await studio.until(session, isOver);
      expect(done).toMatchObject({ status: 'FINISHED', error: null });
      expect(done.video_ids).toEqual([session.video_id]);
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video.durationS).toBeCloseTo(Number(done.duration_s), 0);
      expect(await rowsOf(studio.library.database, session.session_id)).toEqual({
        segments: done.chunk_count,
        epochs: 3,
        gaps: 2,
      });

      // Each event was reported once, by any worker, under a stable id.
      const { events } = done;
      const ids = events.map(({ event_id }) => event_id);
      expect(ids.slice(0, earlier.length)).toEqual(earlier.map(({ event_id }) => event_id));
      expect(new Set(ids).size).toBe(ids.length);
      // Events in ranges that a worker skipped to keep up are reported later.
      const inTime = events.toSorted((a, b) => a.start_s - b.start_s);
      for (const [i, event] of inTime.entries()) {
        expect(event).toMatchObject({ label: 'picture is dark', ongoing: false });
        expect(event.start_s).toBeGreaterThan(inTime[i - 1]?.end_s ?? -1);
      }
      const messages = (await (await stream).text()).split('\n\n');
      const of = (kind: string) =>
        messages.flatMap((one) => (one.includes(`event: ${kind}\n`) ? /"event_id":"([^"]+)"/.exec(one)![1] : []));
      expect(of('finding')).toEqual(ids);
      expect(of('finding_ended').sort()).toEqual(ids.toSorted());
    } finally {
      for (const worker of workers) worker.kill('SIGKILL');
      await camera.stop();
    }
  });

  test('that are killed before the end is requested: the rest is fetched, or recorded as a gap', {
    timeout: 400_000,
  }, async () => {
    const origin = await startHlsOrigin(ffmpeg!, { listed: 300 });
    const camera = await startRtspServer(ffmpeg!);
    const workers = [await spawnWorker()];
    try {
      const sources = [origin.url, `rtsp://127.0.0.1:${camera.port}/x`];
      const sessions = await Promise.all(sources.map((source) => studio.start(source)));
      await Promise.all(sessions.map((session) => studio.until(session, ({ chunk_count }) => chunk_count >= 2)));
      workers[0]!.kill('SIGKILL');
      await once(workers[0]!, 'exit');
      await sleep(12_000);
      for (const session of sessions) await studio.end(session);
      const endedMs = Date.now();
      workers.push(await spawnWorker());
      const [hls, rtsp] = await Promise.all(sessions.map((session) => studio.until(session, isOver, 120)));
      for (const done of [hls!, rtsp!]) expect(done).toMatchObject({ status: 'FINISHED', error: null });
      // The playlist had all of it still.
      expect(hls!.gaps).toEqual([]);
      const last = hls!.chunks.at(-1)!;
      const untilMs = Date.parse(last.capture_time) + last.duration_s * 1000;
      expect(endedMs - untilMs).toBeLessThan(6_000);
      expect(untilMs - endedMs).toBeLessThan(3_000);
      // A camera does not send again what it sent before.
      expect(rtsp!.gaps).toMatchObject([
        { chunk_index: rtsp!.chunk_count, reason: expect.stringMatching(/service was interrupted/) },
      ]);
      const gap = rtsp!.gaps[0] as { from: string; until: string };
      expect((Date.parse(gap.until) - Date.parse(gap.from)) / 1000).toBeGreaterThan(11);
      expect(Math.abs(Date.parse(gap.until) - endedMs)).toBeLessThan(2_000);
    } finally {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all([origin.stop(), camera.stop()]);
    }
  });
});
