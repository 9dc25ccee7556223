import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../server/test/footage.ts';
import { AAC_OPTIONS, H264_OPTIONS, startHlsOrigin, testPattern } from '../server/test/servers/live-sources.ts';
import { startRtspServer } from '../server/test/servers/rtsp-server.ts';
import { readEvents } from './harness/answers.ts';
import { callPlayer, launchPlayerBrowser, openPlayer } from './harness/player.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

/**
 * A livestream from its source to a real browser: joined at its live edge, through an interruption, and replayed at the
 * end. Also its event stream.
 */
const { chromium: program, ffmpeg } = inject('programs');
/** Starting a browser and a service takes long on a busy machine. */
const TIMEOUT_MS = 180_000;
const ROAD = footage('road/intel_car_detection_topdown.mp4');
const INPUT = hasFootage ? ['-re', '-stream_loop', '-1', '-i', ROAD] : testPattern();
const SIZE = hasFootage ? { width: 768, height: 432 } : { width: 320, height: 180 };

type Chunk = { stream_time: number; duration_s: number; capture_time: string };
type LiveEvent = Omit<Chunk, 'duration_s'> & {
  event_id: string;
  label: string;
  chunk_index: number;
  chunk_relative_time: number;
};
type Joined = { live: boolean; segments: number; segmentS: number; behindS: number; width: number; height: number };

describe.runIf(program && ffmpeg)('a livestream in a browser', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    folder = await makeFolder();
    service = await startService(`${folder.path}/data`, { env: { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' } });
    browser = await launchPlayerBrowser(program!);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  async function ask<T>(name: string, argument: unknown): Promise<T> {
    const page = await openPlayer(browser);
    try {
      return await callPlayer<T>(page, name, argument);
    } finally {
      await page.close();
    }
  }
  async function start(source_url: string, more: object = {}) {
    const body = { json: { source_url, name: 'Gate', ...more } };
    const { json } = await service.call('POST', '/api/live/start-session', body);
    return `/api/live/live-sessions/${json.stream_id}/${json.session_id}`;
  }
  async function until(session: string, holds: (now: Record<string, unknown>) => boolean) {
    let now: Record<string, unknown> = {};
    await expect
      .poll(
        async () => {
          now = (await service.call('GET', session)).json;
          return holds(now) || `${now.status} ${now.chunk_count} ${now.message}`;
        },
        { timeout: TIMEOUT_MS / 3, interval: 200 },
      )
      .toBe(true);
    return now;
  }
  async function manifestOf({ session_id }: Record<string, unknown>): Promise<string> {
    return String((await service.call('POST', `/api/live/session/${session_id}/signed-manifest`)).json.url);
  }
  const end = ({ stream_id, session_id }: Record<string, unknown>) =>
    service.call('POST', '/api/live/end-session', { json: { stream_id, session_id } });

  test('plays over HLS at its live edge, and afterwards from its start', async () => {
    const origin = await startHlsOrigin(ffmpeg!, {
      input: INPUT,
      codec: [...H264_OPTIONS, ...AAC_OPTIONS, '-ac', '1'],
    });
    try {
      const session = await start(origin.url);
      const now = await until(session, ({ chunk_count }) => Number(chunk_count) >= 4);
      const seen = await ask<Joined>('watchLive', { stream: await manifestOf(now), forS: 8 });
      expect(seen).toMatchObject({ live: true, ...SIZE });
      expect(seen.segments).toBeGreaterThan(2);
      expect(seen.behindS).toBeLessThan(3 * seen.segmentS + 2);
      await end(now);
      const done = await until(session, ({ status }) => status === 'FINISHED');
      const recording = { stream: await manifestOf(now), seekTo: Number(done.duration_s) * 0.6 };
      const watched = await ask<{ duration: number }>('watch', recording);
      expect(watched.duration).toBeCloseTo(Number(done.duration_s), 0);
      // The recording is a video like any other.
      const { json } = await service.call('POST', `/api/video/${done.video_id}/signed-url`, { json: { kind: 'hls' } });
      expect(await ask('watch', { ...recording, stream: String(json.url) })).toMatchObject(SIZE);
    } finally {
      await origin.stop();
    }
  });

  test('publishes events within seconds, and accepts further prompts while it runs', async () => {
    const camera = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 3 }) });
    try {
      const query = { rapid_review_query: 'the picture is dark' };
      const session = await start(`rtsp://127.0.0.1:${camera.port}/stream`, query);
      const { session_id } = (await service.call('GET', session)).json;
      const url = `${service.url}/api/live/session/${session_id}`;
      const published = readEvents(await fetch(`${url}/events`, { headers: { 'x-api-key': service.key } }));
      const reported = async (label: string) => {
        for (let next = await published.next(); !next.done; next = await published.next()) {
          const finding = next.value.data.finding as LiveEvent | undefined;
          if (next.value.kind === 'finding' && finding?.label === label) return finding;
        }
        throw new Error(`the stream ended without ${label}`);
      };

      const dark = await reported('picture is dark');
      const agoS = (Date.now() - Date.parse(dark.capture_time)) / 1000;
      expect(agoS).toBeGreaterThan(0);
      expect(agoS).toBeLessThan(10);
      const now = (await service.call('GET', session)).json as Record<string, unknown> & { chunks: Chunk[] };
      const seen = (now.events as LiveEvent[]).find(({ event_id }) => event_id === dark.event_id);
      const { label, chunk_index, stream_time, capture_time } = dark;
      expect(seen).toMatchObject({ label, chunk_index, stream_time, capture_time });
      const chunk = now.chunks[chunk_index]!;
      expect(stream_time - chunk.stream_time).toBeCloseTo(dark.chunk_relative_time, 3);
      expect(dark.chunk_relative_time).toBeLessThan(chunk.duration_s);
      const intoS = (Date.parse(capture_time) - Date.parse(chunk.capture_time)) / 1000;
      expect(intoS).toBeCloseTo(dark.chunk_relative_time, 2);

      const more = { rapid_review_query: 'scene changes', mode: 'add' };
      const added = await service.call('POST', `/api/live/session/${session_id}/query`, { json: more });
      expect(added.json).toMatchObject({ rapid_review_query: 'the picture is dark\nscene changes' });
      const cut = await reported('cut to another shot');
      expect(cut.stream_time).toBeGreaterThan(stream_time);
      await end(now);
      const done = await until(session, ({ status }) => status === 'FINISHED');
      const stored = (done.events as LiveEvent[]).map(({ event_id }) => event_id);
      expect(stored).toEqual(expect.arrayContaining([dark.event_id, cut.event_id]));
      expect(new Set(stored).size).toBe(stored.length);
    } finally {
      await camera.stop();
    }
  });

  test('continues to play across an interruption of its source', async () => {
    const camera = await startRtspServer(ffmpeg!);
    try {
      const session = await start(`rtsp://127.0.0.1:${camera.port}/stream`);
      const now = await until(session, ({ chunk_count }) => Number(chunk_count) >= 3);
      const watching = ask<Joined>('watchLive', { stream: await manifestOf(now), forS: 12 });
      camera.refuse(true);
      await until(session, ({ connected }) => connected === false);
      camera.refuse(false);
      expect(await watching).toMatchObject({ live: true, width: 320, height: 180 });
      await end(now);
      const done = await until(session, ({ status }) => status === 'FINISHED');
      expect((done.chunks as { discontinuity: boolean }[]).some(({ discontinuity }) => discontinuity)).toBe(true);
    } finally {
      await camera.stop();
    }
  });
});
