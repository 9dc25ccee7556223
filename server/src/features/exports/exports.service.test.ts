// Exports through the API, each file read by the library that its users have.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { VideoEvent } from '#engine/index';
import { findViolations } from '#test/accessibility';
import { createEvent } from '#test/events';
import { PUBLIC_URL } from '#test/library';
import { sceneClip } from '#test/media/clips';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { rateOf, timecode, toFrames } from './formats/cuts/frame-rate.ts';
import { type ExportFormat, FORMATS, formatOf } from './formats/index.ts';

const { exportReaders, lerobotReader, ffmpeg, chromium: browserPath } = inject('programs');
const READERS = fileURLToPath(new URL('./readers.fixture.py', import.meta.url));
const LEROBOT_READER = fileURLToPath(new URL('./lerobot-reader.fixture.py', import.meta.url));
const run = promisify(execFile);
/** For work in hooks, where `expect.poll` is not available. */
const WAIT = { timeout: 150_000, interval: 50 };
/** Would be a formula, markup, a cue, two lines and an entity. */
const HOSTILE = '=cmd()|"x" <b>\n--> & \u2028"quoted"';
const HOSTILE_LINE = '=cmd()|"x" <b> → & "quoted"';

type Json = Record<string, unknown>;
let world: AnalysesWorld;
let videoId: string;
let analysisId: string;
let folder: string;

/** An event with a box of a car. Each lasts 1.16 s and starts two seconds after the one before. */
function eventAt(index: number, more: Partial<VideoEvent> = {}): VideoEvent {
  const boxes = [{ x: 0.25, y: 0.5, width: 0.1, height: 0.2, label: 'car' }];
  return { ...createEvent(index, { frames: [{ role: 'best', timeS: 2 * index + 1, pts: 0, boxes }] }), ...more };
}

async function analyze(events: readonly VideoEvent[]): Promise<[videoId: string, analysisId: string]> {
  world.engine.events = events;
  const video = await world.addVideo({ scope: 'org' });
  const { storageKey } = (await world.library.videos.find(video))!;
  await world.library.storage.write(storageKey, await readFile(await sceneClip()));
  const analysis = await world.start(video);
  const status = async () => (await world.call(video, analysis, '/status')).json.status;
  await vi.waitFor(async () => expect(await status()).toBe('COMPLETED'), WAIT);
  return [video, analysis];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'));
  world = await openAnalyses({}, { media: true });
  const position = { gps_lat: { start: 52.5, end: 52.6 }, gps_lon: { start: 13.4, end: 13.5 } };
  // In another order than that of their times.
  const events = [eventAt(2, { overlay: position }), eventAt(0), eventAt(1, { label: HOSTILE })];
  [videoId, analysisId] = await analyze(events);
  await call('PATCH', `/api/events/${analysisId}-0`, { approval: 'rejected', reason: 'wrong thing' });
  await call('PATCH', `/api/events/${analysisId}-1`, { approval: 'approved' });
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, json?: object, key = world.key): Promise<Json> {
  const answer = await world.api.call(method, path, json ? { key, json } : { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** Exports and downloads a file. */
async function exportAs(format: string, filter: object = {}, key = world.key): Promise<Json & { bytes: Buffer }> {
  const { export_id } = await call('POST', '/api/exports', { format, ...filter }, key);
  const get = () => call('GET', `/api/exports/${export_id}`, undefined, key);
  await vi.waitFor(async () => expect((await get()).status).not.toBe('processing'), WAIT);
  const done = await get();
  expect(done.status, JSON.stringify(done)).toBe('completed');
  const response = await fetch(String(done.download_url).replace(PUBLIC_URL, world.api.base));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toContain(String(done.filename));
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBe(done.size_bytes);
  return { ...done, bytes };
}

describe.runIf(exportReaders && ffmpeg)('each format is read by its reader', () => {
  let read: Record<ExportFormat, unknown>;
  /** Files whose readers are not in that Python. */
  const others: Partial<Record<ExportFormat, Buffer>> = {};
  const names = (ids: number[]) => ids.map((id) => `${analysisId}-${id}`);
  const INTERVALS = [
    [0.34, 1.5],
    [2.34, 3.5],
    [4.34, 5.5],
  ] as const;

  beforeAll(async () => {
    await Promise.all(
      (Object.keys(FORMATS) as ExportFormat[]).map(async (format) => {
        const filter = formatOf(format).isPerVideo ? { video_ids: [videoId] } : {};
        const { bytes } = await exportAs(format, filter);
        if (format === 'html' || format === 'lerobot') others[format] = bytes;
        else await writeFile(join(folder, format), bytes);
      }),
    );
    const { stdout } = await run(exportReaders!, [READERS, folder]);
    read = JSON.parse(stdout.trim().split('\n').at(-1)!);
  }, 240_000);

  test('CSV, without formulas', () => {
    const rows = read.csv as Json[];
    expect(rows.map(({ event_id, approval }) => [event_id, approval])).toEqual([
      [`${analysisId}-1`, 'approved'],
      [`${analysisId}-2`, 'pending'],
      [`${analysisId}-0`, 'rejected'],
    ]);
    expect(rows[1]!.label).toBe(`'${HOSTILE}`);
    expect(rows[2]).toMatchObject({ start_s: '4.34', reason: 'wrong thing', added: 'false', video_id: videoId });
  });

  test('JSON and JSON Lines', () => {
    const { events } = read.json as { events: Json[] };
    expect(events.map(({ event_id }) => event_id)).toEqual(names([1, 2, 0]));
    expect(read.jsonl).toEqual(events);
    const frames = [{ time_s: 3, boxes: [{ x: 0.25, y: 0.5, width: 0.1, height: 0.2, label: 'car' }] }];
    const url = `${PUBLIC_URL}/videos/${videoId}?t=2.34&tab=events&analysis=${analysisId}&event=${analysisId}-2`;
    expect(events[1]).toMatchObject({ label: HOSTILE, frames, url, position: null, confidence: 0.8 });
  });

  test('Parquet, with types', () => {
    const { types, rows } = read.parquet as { types: Json; rows: Json[] };
    expect(types).toMatchObject({ label: 'string', start_s: 'double', added: 'bool', confidence: 'double' });
    expect(types.created_at).toMatch(/^timestamp\[ms/);
    const { events } = read.json as { events: Json[] };
    for (const [index, { evidence, created_at, ...row }] of rows.entries()) {
      const { caveats, frames, position, created_at: createdAt, ...fields } = events[index]!;
      expect(row).toEqual(fields);
      expect(JSON.parse(String(evidence))).toEqual(events[index]);
      expect(Date.parse(`${created_at}`.replace(/(\+00:00)?$/, 'Z'))).toBe(Date.parse(String(createdAt)));
    }
    expect(rows).toHaveLength(3);
  });

  test('WebVTT, SubRip and chapters, of one video', async () => {
    const texts = ['red car 0', HOSTILE_LINE, 'red car 2'];
    const cues = INTERVALS.map(([start, end], index) => [start, end, texts[index]]);
    expect(read.vtt).toEqual(cues.map(([start, end, text]) => [start, end, escaped(String(text))]));
    expect(read.srt).toEqual(cues);
    expect(read.chapters).toEqual(cues);
    const refused = await world.api.call('POST', '/api/exports', { key: world.key, json: { format: 'vtt' } });
    expect(refused).toMatchObject({ status: 400, json: { error: 'export_video_missing' } });
  });

  test('OpenTimelineIO, EDL and FCPXML: a cut with one clip for each event', () => {
    const file = `${videoId}.mp4`;
    // Whole frames of 40 ms.
    const clips = [0.32, 2.32, 4.32].map((start, index) => ({
      start,
      label: ['red car 0', HOSTILE, 'red car 2'][index],
    }));
    expect(read.otio).toEqual(clips.map(({ start, label }) => [label, start, 1.16, file, 0]));
    expect(read.edl).toEqual(clips.map(({ start }) => [file, start, 1.16, null, 0]));
    // Its reader rounds some times down by a frame.
    const near = (time: number) => expect.closeTo(time - 0.02, 1.3);
    expect(read.fcpxml).toEqual(clips.map(({ start, label }) => [label, near(start), near(1.16), file, 1]));
  });

  test('COCO and CVAT: the boxes of evidence frames', () => {
    const boxes = Array(3).fill([160, 180, 64, 72]);
    const images = [1, 3, 5].map((time) => `${videoId}/${time}.000.jpg`);
    expect(read.coco).toEqual({ images, categories: ['car'], boxes });
    const events = ['red car 0', HOSTILE, 'red car 2'];
    const tags = events.map((label, index) => [label, ['approved', 'pending', 'rejected'][index]]);
    expect(read.cvat).toEqual({ images: 3, labels: ['event', 'car'], boxes, events, tags });
  });

  test('Label Studio: predictions, and annotations of decided events', () => {
    expect(read.label_studio).toEqual([
      ['red car 0', 9, 38, 'approved'],
      [HOSTILE, 59, 88, 'prediction'],
      ['red car 2', 109, 138, 'rejected'],
    ]);
  });

  test('FiftyOne: temporal detections, and the boxes of evidence frames', () => {
    const { videos, events, boxes, metadata } = read.fiftyone as Json;
    expect(videos).toEqual([`data/${videoId}.mp4`]);
    const frames = [
      [9, 37],
      [59, 87],
      [109, 137],
    ];
    const facts = (id: number, label: string, approval: string, at: number) => [
      label,
      frames[at],
      0.8,
      [approval],
      expect.objectContaining({ event_id: `${analysisId}-${id}`, start_s: INTERVALS[at]![0], added: false }),
    ];
    expect(events).toEqual([
      facts(1, 'red car 0', 'approved', 0),
      facts(2, HOSTILE, 'pending', 1),
      facts(0, 'red car 2', 'rejected', 2),
    ]);
    const labels = ['red car 0', HOSTILE, 'red car 2'];
    expect(boxes).toEqual([26, 76, 126].map((frame, index) => [frame, 'car', [0.25, 0.5, 0.35, 0.7], labels[index]]));
    expect(metadata).toEqual([25, [640, 360]]);
  });

  test.runIf(lerobotReader)('LeRobot: an episode for each event, on its task', async () => {
    const path = join(folder, 'lerobot.zip');
    await writeFile(path, others.lerobot!);
    const { stdout } = await run(lerobotReader!, [LEROBOT_READER, path], { env: { HF_HOME: folder } });
    const { stats, mean, starts, ...found } = JSON.parse(stdout.trim().split('\n').at(-1)!);
    // 1.16 s at 25 frames a second.
    const labels = ['red car 0', HOSTILE, 'red car 2'];
    expect(found).toEqual({
      fps: 25,
      frames: 87,
      shape: [360, 640, 3],
      tasks: labels,
      task: labels,
      episodes: [1, 2, 0].map((id, index) => [
        index,
        [labels[index]],
        29,
        29 * index,
        29 * (index + 1),
        `${analysisId}-${id}`,
        INTERVALS[index]![0],
      ]),
      times: [0, expect.closeTo(0.04, 6), expect.closeTo(1.12, 6)],
    });
    const { count, mean: stated } = stats['observation.images.camera'];
    expect(count).toEqual([87]);
    for (const [channel, value] of mean.entries()) expect(stated[channel][0][0]).toBeCloseTo(value, 1);
    expect(stats.index).toMatchObject({ min: [0], max: [86], mean: [43] });
    expect(stats.timestamp.mean[0]).toBeCloseTo(0.56, 6);
    // The scenes of the clip differ, so that an episode of another time would show.
    expect(new Set(starts.map((colors: number[]) => colors.map((value) => value.toFixed(2)).join())).size).toBe(3);
  });

  test('GeoJSON: events with positions', () => {
    const line = [
      [13.4, 52.5],
      [13.5, 52.6],
    ];
    expect(read.geojson).toEqual([[`${analysisId}-0`, 'LineString', line]]);
  });

  test('MCAP: events and annotations on the timeline of the video', () => {
    const messages = read.mcap as [schema: string, topic: string, time: number, message: Json][];
    expect(messages.map(([schema, topic, time]) => [schema, topic, time])).toEqual(
      INTERVALS.flatMap(([start], index) => [
        ['sightline.Event', '/events', start],
        ['foxglove.ImageAnnotations', '/annotations', 2 * index + 1],
      ]),
    );
    expect(messages[2]![3]).toMatchObject({ label: HOSTILE });
    const [outline] = messages[1]![3].points as { points: unknown }[];
    const corners = [160, 224].flatMap((x) => [180, 252].map((y) => ({ x, y })));
    expect(outline!.points).toEqual([corners[0], corners[2], corners[3], corners[1]]);
  });

  test('ZIP: tables, evidence images and clips of the events with a second around them', () => {
    const { names, clips, images, events } = read.zip as Record<'names' | 'clips' | 'images', unknown[]> & Json;
    const labels = ['0001 red car 0', '0002 cmd x b quoted', '0003 red car 2'];
    expect(names).toEqual([
      ...labels.map((label) => `clips/${label}.mp4`),
      'events.csv',
      'events.json',
      ...labels.map((label) => `evidence/${label} 1.jpg`),
    ]);
    // The first one starts with the video.
    expect(clips.map((seconds) => Math.round(Number(seconds) * 10) / 10)).toEqual([2.5, 3.2, 3.2]);
    expect(images).toEqual(Array(3).fill([480, 272]));
    expect(events).toBe(3);
  });

  test('recap: one MP4 with all clips and their captions', () => {
    const { codec, size, seconds, captions } = read.recap as Json;
    expect({ codec, size }).toEqual({ codec: 'h264', size: [1280, 720] });
    expect(seconds).toBeCloseTo(2.5 + 2 * 3.16, 1);
    // Three different captions below the frames.
    expect(captions).toBe(3);
  });

  test.runIf(browserPath)('HTML: a report that loads nothing and is accessible', async () => {
    const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox'] });
    try {
      const page = await (await browser.newContext({ offline: true })).newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url().slice(0, 10)));
      const path = join(folder, 'report.html');
      await writeFile(path, others.html!);
      await page.goto(pathToFileURL(path).href);
      expect(await page.locator('li h3').allTextContents()).toEqual(['red car 0', HOSTILE, 'red car 2']);
      const widths = await page.evaluate('[...document.images].map((image) => image.naturalWidth)');
      expect(widths).toEqual([480, 480, 480]);
      expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
      expect(await findViolations(page)).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

test('an export has what lists show with the same filters', async () => {
  const ids = async (filter: object, key = world.key) => {
    const { event_count, bytes } = await exportAs('jsonl', filter, key);
    const lines = bytes.toString().split('\n').slice(0, -1);
    expect(lines).toHaveLength(Number(event_count));
    return lines.map((line) => JSON.parse(line).event_id);
  };
  expect(await ids({ approval: 'approved' })).toEqual([`${analysisId}-1`]);
  expect(await ids({ q: 'quoted', video_ids: [videoId] })).toEqual([`${analysisId}-2`]);
  expect(await ids({ created_before: '2026-01-01T00:00:00Z' })).toEqual([]);
  expect(await ids({ created_after: '2026-01-01T00:00:00Z', min_confidence: 0.1 })).toHaveLength(3);
  const stranger = await world.library.keyOf(await world.library.addUser(), ['admin']);
  expect(await ids({}, stranger.key)).toEqual([]);
  // A personal event of somebody else is exported for admins only.
  const other = await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['read']);
  const admin = await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['admin']);
  const { db } = world.library.database;
  await db.updateTable('analysisEvents').set({ scope: 'user' }).where('analysisId', '=', analysisId).execute();
  expect(await ids({}, other.key)).toEqual([]);
  expect(await ids({}, admin.key)).toHaveLength(3);
  await db.updateTable('analysisEvents').set({ scope: 'org' }).where('analysisId', '=', analysisId).execute();
});

test('the file needs a valid signature, and is deleted with its export or after a week', async () => {
  const { storage, exports, database } = world.library;
  const [deleted, expired] = await Promise.all([exportAs('csv'), exportAs('csv')]);
  const { pathname, search } = new URL(String(deleted.download_url));
  const altered = await world.api.call('GET', `${pathname}${search}x`, {});
  expect(altered).toMatchObject({ status: 403, json: { error: 'export_token_invalid' } });
  const listed = (await call('GET', '/api/exports?limit=500')).exports as Json[];
  expect(listed.map(({ export_id }) => export_id)).toEqual(expect.arrayContaining([deleted.export_id]));
  await call('DELETE', `/api/exports/${deleted.export_id}`);
  expect((await world.api.call('GET', pathname + search, {})).status).toBe(404);
  const past = new Date(Date.now() - 1000);
  await database.db
    .updateTable('exports')
    .set({ expiresAt: past })
    .where('id', '=', String(expired.export_id))
    .execute();
  expect(await exports.purge()).toBe(1);
  for (const { export_id } of [deleted, expired]) {
    await expect.poll(() => storage.stat(`exports/${export_id}`)).toBeNull();
  }
});

test('an export that cannot have its format fails with a reason', async () => {
  const { export_id } = await call('POST', '/api/exports', { format: 'recap', label: 'nothing' });
  const get = () => call('GET', `/api/exports/${export_id}`);
  await expect.poll(async () => (await get()).status).toBe('failed');
  expect(await get()).toMatchObject({
    error: 'export_empty',
    download_url: null,
    message: expect.stringMatching(/^No event/),
  });
});

test.each([
  [25, 25, 1],
  [null, 25, 1],
  [29.97002997, 30_000, 1001],
  [29.97, 30_000, 1001],
  [23.976, 24_000, 1001],
  [59.94, 60_000, 1001],
  [12.345678, 12_346, 1000],
  [0.2, 200, 1000],
])('a measured frame rate of %d is exactly %d in %d s', (frameRate, frames, seconds) => {
  const rate = rateOf({ frameRate });
  expect(rate).toEqual({ frames, seconds });
  // The time of a frame, rounded to microseconds, is in that frame, and an event has at least one.
  for (const frame of [0, 1, 7, 1_000, 123_457]) {
    const startS = Math.floor((frame * seconds * 1e6) / frames) / 1e6;
    expect(toFrames({ startS, endS: startS }, rate)).toEqual({ start: frame, count: 1 });
  }
});

test('timecodes count the whole frames of a second', () => {
  const rate = { frames: 30_000, seconds: 1001 };
  expect(timecode(30 * 3_600 + 29, rate)).toBe('01:00:00:29');
});
