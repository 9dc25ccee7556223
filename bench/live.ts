/**
 * Livestreams: sessions recorded at once, sessions looked at at once, how long after it happened an event is told, how far behind a player is, and whether what a session takes stays the same.
 *
 * `npm run bench -- live [SECONDS]`; 60 seconds for each part unless given. Needs the ffmpeg program, which plays the cameras. The load of other work counts against every figure.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpStream } from '../server/test/live-sources.ts';
import { median } from './lib/measure.ts';
import { type Service, startService } from './lib/service.ts';
import { cameraClip, observedRows, type Usage, usage } from './live.lib.ts';
import type { Row } from './run.ts';

const RECORDED = 12;
const ANALYSED = 4;
const FILM = '../shared/data/road/intel_car_detection_topdown.mp4';
const MODELS = '../shared/models';
const QUERY = 'the picture gets dark\na car stops\na person';
/** Before a session counts: connecting, the first chunk. In seconds. */
const WARM_S = 10;

type Ids = { session_id: string; stream_id: string };
type Chunk = { chunk_index: number; capture_time: string; duration_s: number };
type Session = {
  duration_s: number;
  chunks: Chunk[];
  analysis: { behind_s: number; skipped_s: number; sampling: string } | null;
};

async function call<Answer>({ baseUrl, apiKey }: Service, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

const start = (service: Service, url: string, query: string | null) =>
  call<Ids>(service, '/api/live/start-session', { source_url: url, name: 'Camera', rapid_review_query: query });
const read = (service: Service, { stream_id, session_id }: Ids) =>
  call<Session>(service, `/api/live/live-sessions/${stream_id}/${session_id}`);
const end = (service: Service, ids: Ids) => call(service, '/api/live/end-session', ids);

/** Follows the events of a session; each with how long after it happened it came, beyond the length of its chunk. */
async function follow({ baseUrl, apiKey }: Service, { session_id }: Ids, signal: AbortSignal, lateS: number[]) {
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

/** How many chunks behind the camera a player at the edge is: the age of the newest chunk's first picture when the playlist has it. */
async function edgeS(service: Service, ids: Ids, seconds: number): Promise<number[]> {
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

async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
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

const per = (a: Usage, b: Usage, seconds: number, sessions: number) =>
  `${(((b.cpuS - a.cpuS) / seconds / sessions) * 100).toFixed(0)} % of a core and ${Math.round(b.rssBytes / sessions / 1e6)} MB a session`;

/** Sessions that are recorded, and how many of them lost nothing. */
function recording(url: string, seconds: number): Promise<Row[]> {
  return withService(async (service) => {
    const sessions = await Promise.all(Array.from({ length: RECORDED }, () => start(service, url, null)));
    await sleep(WARM_S * 1000);
    const before = await usage('ffmpeg');
    const began = await Promise.all(sessions.map((ids) => read(service, ids)));
    const ages = await edgeS(service, sessions[0]!, seconds);
    const after = await usage('ffmpeg');
    const now = await Promise.all(sessions.map((ids) => read(service, ids)));
    const kept = now.filter((one, i) => one.duration_s - began[i]!.duration_s >= seconds - 4).length;
    await Promise.all(sessions.map((ids) => end(service, ids)));
    return [
      {
        ...{ name: `of ${RECORDED} sessions recorded at once, those that keep up`, value: kept, unit: 'sessions' },
        ...{ bar: { min: RECORDED }, note: per(before, after, seconds, RECORDED) },
      },
      {
        ...{ name: 'glass to player at the edge, chunks, the most', value: Math.max(...ages), unit: 'chunks' },
        ...{ bar: { max: 3 }, note: `median ${median(ages).toFixed(2)} of ${ages.length}` },
      },
    ];
  });
}

/** Sessions that are looked at, what they say of themselves, and what a while longer takes more. */
function analysing(url: string, seconds: number): Promise<Row[]> {
  return withService(async (service) => {
    const sessions = await Promise.all(Array.from({ length: ANALYSED }, () => start(service, url, QUERY)));
    const leaving = new AbortController();
    const lateS: number[] = [];
    const readers = sessions.map((ids) => follow(service, ids, leaving.signal, lateS).catch(() => {}));
    await sleep(WARM_S * 1000);
    // What is there before the window is full grows still.
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
    const said = now.map(({ analysis }) => `${analysis!.sampling} ${analysis!.behind_s.toFixed(1)} s`).join(', ');
    return [
      {
        ...{ name: `of ${ANALYSED} sessions looked at at once, those that keep up`, value: keeping, unit: 'sessions' },
        ...{ bar: { min: ANALYSED }, note: `${per(first, last, seconds, ANALYSED)}; ${said}` },
      },
      {
        ...{
          name: 'glass to event, beyond the length of a chunk, the most',
          value: Math.max(...lateS) - chunkS,
          unit: 's',
        },
        ...{ bar: { max: 2 }, note: `${lateS.length} events, median ${(median(lateS) - chunkS).toFixed(2)} s` },
      },
      {
        ...{ name: 'memory after as long again', value: last.rssBytes / middle.rssBytes, unit: '×' },
        ...{
          bar: { max: 1.1 },
          note: `${Math.round(middle.rssBytes / 1e6)} and ${Math.round(last.rssBytes / 1e6)} MB`,
        },
      },
      {
        ...{ name: 'open files after as long again', value: last.files / middle.files, unit: '×' },
        ...{ bar: { max: 1.1 }, note: `${middle.files} and ${last.files}` },
      },
      {
        ...{ name: 'rows of observations for each session', value: rowsNow / ANALYSED, unit: 'rows' },
        ...{ bar: { max: 21 }, note: `${rowsThen} and ${rowsNow} in all, of a window of 20 s` },
      },
    ];
  });
}

export async function run([seconds = '60']: string[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-live-'));
  const clip = await cameraClip(folder, existsSync(FILM) ? FILM : null);
  // The same bytes again and again, at the speed at which they were taken.
  const makes = [['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts']];
  const camera = await startHttpStream('ffmpeg', { makes, contentType: 'video/mp2t' });
  try {
    return [...(await recording(camera.url, Number(seconds))), ...(await analysing(camera.url, Number(seconds)))];
  } finally {
    await camera.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
