// Each exported file, read by the library that its users have.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findViolations } from '#test/accessibility';
import { PUBLIC_URL } from '#test/library';
import { type ExportsWorld, HOSTILE, type Json, openExports } from './exports.fixture.ts';
import { type ExportFormat, FORMATS, formatOf } from './formats/index.ts';

const { exportReaders, lerobotReader, ffmpeg, chromium: browserPath } = inject('programs');
const READERS = fileURLToPath(new URL('./readers.fixture.py', import.meta.url));
const LEROBOT_READER = fileURLToPath(new URL('./lerobot-reader.fixture.py', import.meta.url));
const run = promisify(execFile);
/** Columns with instants. */
const TIMES = ['created_at', 'start_at', 'end_at'];
/** When the events start by the clock of their video. */
const STARTS = ['10.340', '12.340', '14.340'].map((seconds) => `2026-11-20T21:04:${seconds}Z`);
/** In a format whose texts have one line. */
const HOSTILE_LINE = '=cmd()|"x" <b> → & "quoted"';

describe.runIf(exportReaders && ffmpeg)('each format is read by its reader', () => {
  let world: ExportsWorld;
  let read: Record<ExportFormat, unknown>;
  let videoId: string;
  let analysisId: string;
  let folder: string;
  /** Files whose readers are not in that Python. */
  const others: Partial<Record<ExportFormat, Buffer>> = {};
  const names = (ids: number[]) => ids.map((id) => `${analysisId}-${id}`);
  const INTERVALS = [
    [0.34, 1.5],
    [2.34, 3.5],
    [4.34, 5.5],
  ] as const;

  beforeAll(async () => {
    world = await openExports();
    ({ videoId, analysisId, folder } = world);
    await Promise.all(
      (Object.keys(FORMATS) as ExportFormat[]).map(async (format) => {
        const filter = formatOf(format).isPerVideo ? { video_ids: [videoId] } : {};
        const { bytes } = await world.exportAs(format, filter);
        if (format === 'html' || format === 'lerobot') others[format] = bytes;
        else await writeFile(join(folder, format), bytes);
      }),
    );
    const { stdout } = await run(exportReaders!, [READERS, folder]);
    read = JSON.parse(stdout.trim().split('\n').at(-1)!);
  }, 400_000);
  afterAll(() => world?.close());

  test('CSV, without formulas', () => {
    const rows = read.csv as Json[];
    expect(rows.map(({ event_id, approval }) => [event_id, approval])).toEqual([
      [`${analysisId}-1`, 'approved'],
      [`${analysisId}-2`, 'pending'],
      [`${analysisId}-0`, 'rejected'],
    ]);
    expect(rows[1]!.label).toBe(`'${HOSTILE}`);
    expect(rows.map(({ start_at }) => start_at)).toEqual(STARTS);
    expect(rows[2]).toMatchObject({ time_zone: 'Europe/Berlin', end_at: '2026-11-20T21:04:15.500Z' });
    expect(rows.map(({ incident_id }) => incident_id)).toEqual(rows.map(({ event_id }) => event_id));
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
    for (const name of TIMES) expect(types[name], name).toMatch(/^timestamp\[ms/);
    const { events } = read.json as { events: Json[] };
    for (const [index, { evidence, ...row }] of rows.entries()) {
      const { caveats, frames, position, ...fields } = events[index]!;
      for (const name of TIMES) row[name] = new Date(String(row[name]).replace(/(\+00:00)?$/, 'Z')).toISOString();
      expect(row).toEqual(fields);
      expect(JSON.parse(String(evidence))).toEqual(events[index]);
    }
    expect(rows).toHaveLength(3);
  });

  test('WebVTT, SubRip and chapters, of one video', () => {
    const texts = ['red car 0', HOSTILE_LINE, 'red car 2'];
    const recorded = ['10 to 22:04:11', '12 to 22:04:13', '14 to 22:04:15'];
    const cues = INTERVALS.map(([start, end], index) => [start, end, texts[index]]);
    expect(read.vtt).toEqual(cues.map(([start, end, text]) => [start, end, escaped(String(text))]));
    const local = (index: number) => `2026-11-20 22:04:${recorded[index]} (Europe/Berlin)`;
    expect(read.srt).toEqual(cues.map(([start, end, text], index) => [start, end, `${text}\n${local(index)}`]));
    expect(read.chapters).toEqual(cues);
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
      expect.objectContaining({
        event_id: `${analysisId}-${id}`,
        start_s: INTERVALS[at]![0],
        start_at: STARTS[at],
        added: false,
      }),
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
    expect(read.geojson).toEqual([[`${analysisId}-0`, 'LineString', line, STARTS[2]]]);
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
      const recorded = page.locator('dl div').filter({ hasText: 'Recorded' }).locator('dd');
      expect(await recorded.allTextContents()).toEqual(
        [10, 12, 14].map((second) => `2026-11-20 22:04:${second} to 22:04:${second + 1} (Europe/Berlin)`),
      );
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
