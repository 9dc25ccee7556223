/**
 * Livestreams: the delay of the live page, the wall of the console, concurrent recordings, concurrent live analyses,
 * latency of events and of players, and whether the resources of a session stay constant.
 *
 * `npm run bench -- live [SECONDS] [watching|wall]`: all, or only one of the first two. Default: 60 seconds per part.
 * Needs Chromium, and the ffmpeg program, which plays the cameras.
 * Other load on the machine affects every figure.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpStream } from '../../server/test/servers/live-sources.ts';
import { startBrowser } from '../lib/browser.ts';
import { READ_AGES, startClockCamera } from '../lib/clock-camera.ts';
import { cameraClip, observedRows, type ResourceUsage, usage, WALL_RATE, wallClip } from '../lib/live.ts';
import { median } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const RECORDED = 12;
const ANALYZED = 4;
const WALL_TILES = 16;
const ROAD_VIDEO = '../shared/data/road/intel_car_detection_topdown.mp4';
const MODELS = '../shared/models';
const QUERY = 'the picture gets dark\na car stops\na person';
/** Warm-up in seconds before a session counts: connecting, the first segment. */
const WARM_S = 10;

type Ids = { session_id: string; stream_id: string; video_id: string };
type Chunk = { chunk_index: number; capture_time: string; duration_s: number };
type Session = {
  duration_s: number;
  chunks: Chunk[];
  analysis: { behind_s: number; skipped_s: number; sampling: string } | null;
};

async function call<Answer>({ baseUrl, apiKey }: BenchmarkService, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

const start = (service: BenchmarkService, url: string, query: string | null) =>
  call<Ids>(service, '/api/live/start-session', { source_url: url, name: 'Camera', rapid_review_query: query });
const read = (service: BenchmarkService, { stream_id, session_id }: Ids) =>
  call<Session>(service, `/api/live/live-sessions/${stream_id}/${session_id}`);
const end = (service: BenchmarkService, ids: Ids) => call(service, '/api/live/end-session', ids);

/** Follows the events of a session. Reports the latency of each beyond the length of its segment. */
async function follow(
  { baseUrl, apiKey }: BenchmarkService,
  { session_id }: Ids,
  signal: AbortSignal,
  lateS: number[],
) {
  const stream = await fetch(`${baseUrl}/api/live/session/${session_id}/events`, {
    headers: { 'x-api-key': apiKey },
    signal,
  });
  let text = '';
  for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const data of events.flatMap((event) => /^event: finding\n.*^data: (.*)$/ms.exec(event)?.[1] ?? [])) {
      const { finding } = JSON.parse(data) as { finding: { capture_time: string } };
      lateS.push((Date.now() - Date.parse(finding.capture_time)) / 1000);
    }
  }
}

/**
 * Number of segments between the camera and a player at the live edge: the age of the newest segment's first frame when
 * the playlist lists it.
 */
async function edgeS(service: BenchmarkService, ids: Ids, seconds: number): Promise<number[]> {
  const { url } = await call<{ url: string }>(service, `/api/live/session/${ids.session_id}/signed-manifest`, {});
  const master = await (await fetch(url)).text();
  const stream = new URL(master.trim().split('\n').at(-1)!, url);
  const ages: number[] = [];
  let last = '';
  for (const untilMs = Date.now() + seconds * 1000; Date.now() < untilMs; await sleep(100)) {
    const newest = (await (await fetch(stream)).text()).trim().split('\n').at(-1)!;
    if (newest === last) continue;
    const seenMs = Date.now();
    if (last !== '') {
      const chunk = (await read(service, ids)).chunks.at(-1)!;
      if (newest.startsWith(`${chunk.chunk_index}.`))
        ages.push((seenMs - Date.parse(chunk.capture_time)) / 1000 / chunk.duration_s);
    }
    last = newest;
  }
  return ages;
}

async function withService<T>(work: (service: BenchmarkService) => Promise<T>): Promise<T> {
  const models = existsSync(MODELS) ? MODELS : undefined;
  const service = await startService({
    ...(models ? { models } : {}),
    env: { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8', SIGHTLINE_LIVE_WINDOW_SECONDS: '20' },
  });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

const per = (a: ResourceUsage, b: ResourceUsage, seconds: number, sessions: number) =>
  `${(((b.cpuS - a.cpuS) / seconds / sessions) * 100).toFixed(0)} % of a core and ${Math.round(b.rssBytes / sessions / 1e6)} MB a session`;

/** Concurrent recordings, and how many of them lost nothing. */
function recording(url: string, seconds: number): Promise<BenchmarkRow[]> {
  return withService(async (service) => {
    const sessions = await Promise.all(Array.from({ length: RECORDED }, () => start(service, url, null)));
    await sleep(WARM_S * 1000);
    const before = await usage('ffmpeg');
    const began = await Promise.all(sessions.map((ids) => read(service, ids)));
    const ages = await edgeS(service, sessions[0]!, seconds);
    const after = await usage('ffmpeg');
    const now = await Promise.all(sessions.map((ids) => read(service, ids)));
    const recorded = now.filter((one, i) => one.duration_s - began[i]!.duration_s >= seconds - 4).length;
    await Promise.all(sessions.map((ids) => end(service, ids)));
    return [
      {
        name: `of ${RECORDED} sessions recorded at once, those that keep up`,
        value: recorded,
        unit: 'sessions',
        bar: { min: RECORDED },
        note: per(before, after, seconds, RECORDED),
      },
      {
        name: 'glass to player at the edge, chunks, the most',
        value: Math.max(...ages),
        unit: 'chunks',
        bar: { max: 3 },
        note: `median ${median(ages).toFixed(2)} of ${ages.length}`,
      },
    ];
  });
}

/** From a frame of a camera until the live page shows it: the camera draws the time into its frames. */
function watching(seconds: number): Promise<BenchmarkRow[]> {
  return withService(async (service) => {
    const camera = await startClockCamera();
    const browser = await startBrowser(service);
    try {
      const ids = await start(service, camera.url, null);
      const page = await browser.openPage();
      await page.goto(`/videos/${ids.video_id}`);
      await page.getByText('LIVE', { exact: true }).waitFor();
      await sleep(WARM_S * 1000);
      const ages = (await page.evaluate(`(${READ_AGES})(${seconds})`)) as number[];
      const stated = await page.locator('[data-delay]').getAttribute('data-delay');
      await end(service, ids);
      ages.sort((a, b) => a - b);
      return [
        {
          name: 'glass to glass in the console, of 95 % of frames at most',
          value: ages[Math.floor(ages.length * 0.95)] ?? Number.NaN,
          unit: 's',
          bar: { max: 2 },
          note: `median ${median(ages).toFixed(2)} s of ${ages.length} frames; the page states ${stated} s`,
        },
      ];
    } finally {
      await browser.close();
      await camera.stop();
    }
  });
}

/** A wall of previews: which share of the frames that the source sends is not shown. */
function wall(seconds: number): Promise<BenchmarkRow[]> {
  return withService(async (service) => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-wall-'));
    const clip = await wallClip(folder);
    const makes = [['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts']];
    const camera = await startHttpStream('ffmpeg', { makes, contentType: 'video/mp2t' });
    const browser = await startBrowser(service);
    try {
      const sessions = [];
      for (let i = 0; i < WALL_TILES; i++) sessions.push(await start(service, camera.url, null));
      const page = await browser.openPage();
      await page.goto('/live/wall');
      await page.getByRole('button', { name: `Tiles: ${WALL_TILES}` }).click();
      const playing = page.locator('video[data-delay]');
      await playing.nth(WALL_TILES - 1).waitFor({ state: 'attached' });
      await sleep(WARM_S * 1000);
      const before = await usage('ffmpeg');
      const {
        frames,
        dropped,
        seconds: measuredS,
      } = await page.evaluate<WallFrames>(`(${COUNT_FRAMES})(${seconds * 1_000})`);
      const after = await usage('ffmpeg');
      const delays = await page.evaluate<number[]>(READ_DELAYS);
      // Fewer tiles play with low latency.
      await page.getByRole('button', { name: 'Tiles: 4' }).click();
      await playing.nth(4).waitFor({ state: 'detached' });
      await playing.nth(3).waitFor({ state: 'attached' });
      await sleep(WARM_S * 1000);
      const lowDelays = await page.evaluate<number[]>(READ_DELAYS);
      await Promise.all(sessions.map((ids) => end(service, ids)));
      const sent = WALL_TILES * WALL_RATE * measuredS;
      return [
        {
          name: `wall of ${WALL_TILES}, dropped frames of those decoded`,
          value: (100 * dropped) / frames,
          unit: '%',
          bar: { max: 2 },
          note: `${dropped} of ${frames}; ${per(before, after, measuredS, 1)}`,
        },
        {
          name: `wall of ${WALL_TILES}, frames that were not shown of those sent`,
          value: Math.max(0, 100 * (1 - (frames - dropped) / sent)),
          unit: '%',
          bar: { max: 2 },
          note: `${frames - dropped} of ${Math.round(sent)}; delay ${median(delays).toFixed(1)} s, at most ${Math.max(...delays)} s`,
        },
        {
          name: 'wall of 4, measured delay, the most',
          value: Math.max(...lowDelays),
          unit: 's',
          note: `median ${median(lowDelays).toFixed(1)} s, while ${WALL_TILES} sessions are recorded`,
        },
      ];
    } finally {
      await browser.close();
      await camera.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Source of an expression: the delays that the tiles state, in seconds. */
const READ_DELAYS = `[...document.querySelectorAll('video')].map((video) => Number(video.dataset.delay))`;

type WallFrames = { frames: number; dropped: number; seconds: number };
/** Source of a function that counts the frames of all videos of a page during a time in milliseconds. */
const COUNT_FRAMES = `async (ms) => {
  const count = () => {
    const all = [...document.querySelectorAll('video')].map((video) => video.getVideoPlaybackQuality());
    const sum = (of) => all.reduce((total, each) => total + of(each), 0);
    return { frames: sum((each) => each.totalVideoFrames), dropped: sum((each) => each.droppedVideoFrames) };
  };
  const [before, startMs] = [count(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, ms));
  const [after, seconds] = [count(), (performance.now() - startMs) / 1000];
  return { frames: after.frames - before.frames, dropped: after.dropped - before.dropped, seconds };
}`;

/** Concurrent live analyses, their reported lag, and the growth of resources after a longer time. */
function analyzing(url: string, seconds: number): Promise<BenchmarkRow[]> {
  return withService(async (service) => {
    const sessions = await Promise.all(Array.from({ length: ANALYZED }, () => start(service, url, QUERY)));
    const leaving = new AbortController();
    const lateS: number[] = [];
    const readers = sessions.map((ids) => follow(service, ids, leaving.signal, lateS).catch(() => {}));
    await sleep(WARM_S * 1000);
    // Resources still grow until the window is full.
    const first = await usage('ffmpeg');
    lateS.length = 0;
    await sleep((seconds / 2) * 1000);
    const middle = await usage('ffmpeg');
    const rowsThen = await observedRows(service.sightline.database);
    await sleep((seconds / 2) * 1000);
    const last = await usage('ffmpeg');
    const rowsNow = await observedRows(service.sightline.database);
    const now = await Promise.all(sessions.map((ids) => read(service, ids)));
    leaving.abort();
    await Promise.all(readers);
    await Promise.all(sessions.map((ids) => end(service, ids)));
    const keeping = now.filter(({ analysis }) => analysis!.skipped_s === 0 && analysis!.behind_s <= 4).length;
    const chunkS = Math.max(...now.flatMap(({ chunks }) => chunks.map(({ duration_s }) => duration_s)));
    const reported = now.map(({ analysis }) => `${analysis!.sampling} ${analysis!.behind_s.toFixed(1)} s`).join(', ');
    return [
      {
        name: `of ${ANALYZED} sessions looked at at once, those that keep up`,
        value: keeping,
        unit: 'sessions',
        bar: { min: ANALYZED },
        note: `${per(first, last, seconds, ANALYZED)}; ${reported}`,
      },
      {
        name: 'glass to event, beyond the length of a chunk, the most',
        value: Math.max(...lateS) - chunkS,
        unit: 's',
        bar: { max: 2 },
        note: `${lateS.length} events, median ${(median(lateS) - chunkS).toFixed(2)} s`,
      },
      {
        name: 'memory after as long again',
        value: last.rssBytes / middle.rssBytes,
        unit: '×',
        bar: { max: 1.1 },
        note: `${Math.round(middle.rssBytes / 1e6)} and ${Math.round(last.rssBytes / 1e6)} MB`,
      },
      {
        name: 'open files after as long again',
        value: last.files / middle.files,
        unit: '×',
        bar: { max: 1.1 },
        note: `${middle.files} and ${last.files}`,
      },
      {
        name: 'rows of observations for each session',
        value: rowsNow / ANALYZED,
        unit: 'rows',
        bar: { max: 21 },
        note: `${rowsThen} and ${rowsNow} in all, of a window of 20 s`,
      },
    ];
  });
}

export async function run([seconds = '60', part]: string[]): Promise<BenchmarkRow[]> {
  if (part === 'watching') return watching(Number(seconds));
  if (part === 'wall') return wall(Number(seconds));
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-live-'));
  const clip = await cameraClip(folder, existsSync(ROAD_VIDEO) ? ROAD_VIDEO : null);
  // The same bytes repeatedly, at recording speed.
  const makes = [['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts']];
  const camera = await startHttpStream('ffmpeg', { makes, contentType: 'video/mp2t' });
  try {
    return [
      ...(await watching(Number(seconds))),
      ...(await wall(Number(seconds))),
      ...(await recording(camera.url, Number(seconds))),
      ...(await analyzing(camera.url, Number(seconds))),
    ];
  } finally {
    await camera.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
