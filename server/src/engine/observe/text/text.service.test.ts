import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia } from '#test/media/clips';
import { answerPrompt } from '../../answer.fixture.ts';
import { createEngine, createModelFolder } from '../../index.ts';
import { decodeObservations } from '../encoding.ts';

const { ffmpeg } = inject('programs');
const FONT = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf/DejaVuSans.ttf',
);

let media: Media;
let dir: string;
beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'text models '));
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

const engineOf = (models: string) =>
  createEngine({ media, models: createModelFolder(models), vision: null, log: createLog('silent') });

test.skipIf(ffmpeg === null)('text is read after an installation alone, at its time and place', async () => {
  const engine = engineOf(dir);
  const path = join(dir, 'clip.mp4');
  const draw = (text: string, y: number, enable: string) =>
    `drawtext=fontfile=${FONT}:text=${text}:fontsize=36:fontcolor=white:x=40:y=${y}:enable=${enable}`;
  const filter = [draw('STOP', 40, "'gte(t,1.5)'"), draw('ROOM 42', 200, "'lt(t,1.5)'")].join(',');
  const source = ['-f', 'lavfi', '-i', 'color=c=0x304050:s=320x256:r=5:d=4', '-vf', filter, '-c:v', 'libx264'];
  await promisify(execFile)(ffmpeg!, ['-v', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', path]);
  const observed = decodeObservations(await engine.observe(path, ['text', 'signals']));
  expect(observed.text!.model).toMatch(/^pp_ocr_v4 [0-9a-f]{12}$/);
  const { events } = answerPrompt('a sign that says STOP', observed);
  expect(events).toMatchObject([{ label: 'text "STOP"', startS: 2, endS: 3 }]);
  const [box] = events[0]!.evidence.frames[0]!.boxes;
  expect(box!.x).toBeLessThan(0.15);
  expect(box!.y + box!.height).toBeLessThan(0.4);
  expect(answerPrompt('the number 42', observed).events).toMatchObject([{ startS: 0, endS: 1 }]);
  for (const prompt of ['the word EXIT', 'the number 24'])
    expect(answerPrompt(prompt, observed).events, prompt).toEqual([]);
});

test('a file that is no model, or of another shape, is a reason, never an error', async () => {
  const statusOf = async () => (await engineOf(dir).observers()).find(({ kind }) => kind === 'text')!;
  expect(await statusOf()).toMatchObject({ onDemand: true, version: expect.stringMatching(/^text-2\.pp_ocr_v4\./) });
  await writeFile(join(dir, 'ppocr_keys_v1.txt'), 'a\nb\n');
  expect(await statusOf()).toMatchObject({ unavailable: expect.stringMatching(/do not work: .*6625 classes, not 4/) });
  await writeFile(join(dir, 'ch_PP-OCRv4_rec_infer.onnx'), 'no model');
  expect(await statusOf()).toMatchObject({ unavailable: expect.stringContaining('do not work') });
});
