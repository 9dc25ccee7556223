// Labels of several videos, read by the library that defines them.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { temporaryFolder } from '#test/temporary-folder';
import type { ExportedEvent } from '../types.ts';
import { writeFiftyOne } from './fiftyone.ts';

const { exportReaders } = inject('programs');
const READERS = fileURLToPath(new URL('../readers.fixture.py', import.meta.url));
const BOX = { x: 0.5, y: 0.5, width: 0.25, height: 0.5, label: 'car' };

const event = (videoId: string, eventId: string, more: Partial<ExportedEvent> = {}): ExportedEvent => ({
  eventId,
  analysisId: 'a',
  batchId: null,
  videoId,
  videoName: `${videoId}.mov`,
  folderName: null,
  durationS: 10,
  width: 640,
  height: 360,
  frameRate: 10,
  query: 'cars',
  type: 'object',
  label: `event ${eventId}`,
  severity: 'low',
  confidence: 0.5,
  approval: 'pending',
  reason: null,
  note: null,
  added: false,
  startS: 1,
  endS: 2,
  startAt: null,
  endAt: null,
  timeZone: null,
  incidentId: null,
  explanation: '',
  caveats: [],
  frames: [],
  position: null,
  url: 'http://localhost/',
  createdAt: '2026-01-01',
  ...more,
});

async function read(events: readonly ExportedEvent[]) {
  const folder = await temporaryFolder();
  const source = async function* () {
    yield* events;
  };
  await writeFile(join(folder, 'fiftyone'), writeFiftyOne(source));
  const { stdout } = await promisify(execFile)(exportReaders!, [READERS, folder]);
  return JSON.parse(stdout.trim().split('\n').at(-1)!).fiftyone;
}

test.runIf(exportReaders)('each video has its own labels, and events share frames', async () => {
  const frames = [{ timeS: 1.5, at: null, role: 'best', boxes: [BOX, { ...BOX, label: null }] }];
  const { videos, events, boxes } = await read([
    event('one', '1', { frames }),
    event('one', '2', { frames, startS: 1.5, endS: 1.5 }),
    event('two', '3', { videoName: 'no extension', width: null, height: null, frameRate: null, durationS: null }),
  ]);
  expect(videos).toEqual(['data/one.mov', 'data/two.mp4']);
  const found = (events as [string, number[]][]).map(([label, support]) => [label, support]);
  expect(found).toEqual([
    ['event 1', [11, 20]],
    // At least one frame.
    ['event 2', [16, 16]],
    ['event 3', [26, 50]],
  ]);
  const corners = [0.5, 0.5, 0.75, 1];
  expect(boxes).toEqual([
    ...['car', 'object'].map((label) => [16, label, corners, 'event 1']),
    ...['car', 'object'].map((label) => [16, label, corners, 'event 2']),
  ]);
});

test.runIf(exportReaders)('without events there are no videos', async () => {
  expect(await read([])).toMatchObject({ videos: [], events: [], boxes: [] });
});
