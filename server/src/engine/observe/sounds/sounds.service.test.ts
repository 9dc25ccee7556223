import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia, flatClip, sceneClip } from '#test/media/clips';
import { answerPrompt } from '../../answer.fixture.ts';
import { createEngine, createModelFolder } from '../../index.ts';
import { decodeObservations } from '../encoding.ts';
import { constantModel } from '../objects/detector/model.fixture.ts';

let media: Media;
let dir: string;

beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'sound models '));
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

const engineOf = (models: string) =>
  createEngine({ media, models: createModelFolder(models), vision: null, log: createLog('silent') });
const statusOf = async (models: string) => (await engineOf(models).observers()).find(({ kind }) => kind === 'sounds')!;

test('a model that is missing, no model, or of another shape is a reason, never an error', async () => {
  expect(await statusOf(dir)).toMatchObject({ unavailable: expect.stringContaining("sound recognizer's weights are") });
  const path = join(dir, 'yamnet.onnx');
  for (const bytes of [Buffer.from('no model'), constantModel({ className: 'person', score: 0.8 })]) {
    await writeFile(path, bytes);
    expect(await statusOf(dir)).toMatchObject({ unavailable: expect.stringMatching(/yamnet\.onnx do not work: ./) });
  }
});

describe.skipIf(!hasFootage)('with the real model', () => {
  test('a file that was cut off is a reason', async () => {
    const path = join(dir, 'yamnet.onnx');
    await copyFile(join(MODELS!, 'yamnet.onnx'), path);
    expect(await statusOf(dir)).toMatchObject({ version: expect.stringMatching(/^sounds-1\.yamnet\.[0-9a-f]{12}$/) });
    await truncate(path, 1_000_000);
    expect(await statusOf(dir)).toMatchObject({ unavailable: expect.stringContaining('do not work') });
  });

  const { ffmpeg } = inject('programs');
  test.skipIf(ffmpeg === null)(
    'a real dog in the sound of real footage is found at its time, and nothing else',
    async () => {
      const engine = engineOf(MODELS!);
      const path = join(dir, 'dog.mp4');
      const [road, dog] = [
        footage('road/udacity_solidWhiteRight.mp4'),
        footage('sounds/esc10/dog_bark/1-100032-A.ogg'),
      ];
      const mix = '[1:a]adelay=3000:all=1,apad[dog];[0:a]volume=0.1[road];[road][dog]amix=duration=first:normalize=0';
      const output = ['-filter_complex', mix, '-c:v', 'copy', '-c:a', 'aac', path];
      await promisify(execFile)(ffmpeg!, ['-v', 'error', '-y', '-i', road, '-i', dog, ...output]);
      const made = await engine.observe(path, ['sounds', 'signals']);
      const again = await engine.observe(path, ['sounds']);
      expect(Buffer.compare(made.get('sounds')!, again.get('sounds')!)).toBe(0);
      const observed = decodeObservations(made);
      expect(observed.sounds!.model).toMatch(/^yamnet [0-9a-f]{12}$/);
      const { events, answer } = answerPrompt('is a dog barking?', observed);
      expect(answer).toMatch(/^Yes/);
      for (const { startS, endS } of events) {
        expect(startS).toBeGreaterThan(2);
        expect(endS).toBeLessThan(8.9);
      }
      for (const prompt of ['a siren', 'an alarm', 'a gunshot', 'applause', 'a baby cries'])
        expect(answerPrompt(prompt, observed).events, prompt).toEqual([]);
    },
  );

  test('silence costs no inference and has no classes; a video without audio is reported', async () => {
    const engine = engineOf(MODELS!);
    const silent = await flatClip({ times: [0, 1, 2], endS: 3 });
    const made = await engine.observe(silent, ['sounds', 'sound']);
    expect(decodeObservations(made).sounds).toBeNull();
    expect(answerPrompt('a siren', decodeObservations(made)).coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: 'the video has no audio track',
    });
    const scene = decodeObservations(await engine.observe(await sceneClip(), ['sounds'])).sounds!;
    expect(scene.classIndex.length).toBeLessThan(40 * scene.offset.length);
  });
});
