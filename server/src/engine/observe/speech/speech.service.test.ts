import { copyFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia, flatClip, remuxedClip } from '#test/media/clips';
import { answerPrompt } from '../../answer.fixture.ts';
import { createEngine, createModelFolder, readTranscript } from '../../index.ts';
import { CATALOG } from '../../models/index.ts';
import { decodeObservations } from '../encoding.ts';
import { constantModel } from '../objects/detector/model.fixture.ts';
import { writeWhisper } from './whisper.fixture.ts';

let media: Media;
let dir: string;

beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'speech models '));
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

/** Only the models of speech, so that no other weights are tried. */
const catalog = CATALOG.filter(({ task }) => task === 'speech');
const names = catalog.find(({ name }) => name === 'whisper_tiny_en')!.files.map(({ name }) => name);
const engineOf = (models: string) =>
  createEngine({ media, models: createModelFolder(models), catalog, vision: null, log: createLog('silent') });
const statusOf = async (models: string) => (await engineOf(models).observers()).find(({ kind }) => kind === 'speech')!;

test('models that are missing, no models, or of another shape are a reason, never an error', async () => {
  expect(await statusOf(dir)).toMatchObject({
    unavailable: expect.stringContaining("recognizer's weights are missing"),
  });
  await mkdir(join(dir, 'whisper-tiny.en'));
  const [encoder, decoder, tokenizer] = names.map((name) => join(dir, name)) as [string, string, string];
  await writeFile(tokenizer, '{}');
  await writeFile(encoder, 'no model');
  expect(await statusOf(dir)).toMatchObject({ unavailable: expect.stringContaining('are missing') });
  await writeFile(decoder, 'no model');
  expect(await statusOf(dir)).toMatchObject({ unavailable: expect.stringMatching(/do not work: ./) });
  const tokens = ['<|endoftext|>', '<|startoftranscript|>', '<|nospeech|>', '<|notimestamps|>'];
  const added = tokens.map((content, id) => ({ id, content }));
  await writeFile(tokenizer, JSON.stringify({ model: { vocab: {} }, added_tokens: added }));
  for (const path of [encoder, decoder]) await writeFile(path, constantModel({ className: 'person', score: 0.8 }));
  expect(await statusOf(dir)).toMatchObject({ unavailable: expect.stringContaining('no Whisper encoder') });
});

test('multilingual weights are used before English-only ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'multilingual models '));
  for (const name of ['whisper-tiny', 'whisper-tiny.en']) await mkdir(join(folder, name));
  const paths = await writeWhisper(join(folder, 'whisper-tiny'));
  for (const name of names) await writeFile(join(folder, name), 'not used');
  expect(await statusOf(folder)).toMatchObject({
    version: expect.stringMatching(/^speech-1\.whisper_tiny\.[0-9a-f]{12}/),
  });
  await rm(paths[0]);
  expect(await statusOf(folder)).toMatchObject({ unavailable: expect.stringContaining('whisper-tiny.en') });
  await rm(folder, { recursive: true });
});

describe.skipIf(!hasFootage)('with the real models', () => {
  test('real narration is transcribed, and is found by its words, its subject and as a voice', async () => {
    const engine = engineOf(MODELS!);
    const plan = engine.plan('does anyone mention the telescope?');
    expect(engine.selectOnDemand(plan)).toEqual(['subtitles', 'speech']);
    // The file has subtitles, which a copy into another container leaves out.
    const narration = await remuxedClip(footage('tricky/torchcodec_nasa_13013.mp4'), 'matroska');
    const observed = decodeObservations(await engine.observe(narration, ['subtitles', 'speech', 'signals']));
    expect(observed.subtitles).toBeNull();
    const { texts, startS, endS, model, voiceStartS } = observed.speech!;
    expect(model).toMatch(/^whisper_tiny_en [0-9a-f]{12}$/);
    // One word depends on the decoder of the audio: "NASA's".
    expect(texts.join(' ')).toMatch(
      /^This is the optical and science segment of the Webb Space Telescope in one of the largest clean rooms in the world at \S+ Goddard Space Flight Center in Greenbelt, Maryland\.$/,
    );
    for (const [i, start] of startS.entries()) expect(endS[i]! - start).toBeLessThanOrEqual(12);
    expect(voiceStartS[0]).toBeCloseTo(0.7, 0);

    const [event] = answerPrompt('someone says clean room', observed).events;
    expect(event).toMatchObject({ label: expect.stringContaining('clean rooms'), category: 'speech' });
    expect(event!.startS).toBeGreaterThan(5.5);
    expect(event!.endS).toBeLessThan(8.6);
    expect(answerPrompt('does anyone mention the telescope?', observed).answer).toMatch(/^Yes/);
    expect(answerPrompt('is anyone talking?', observed).answer).toMatch(/^Yes/);
    expect(answerPrompt('does anyone say stop?', observed).answer).toMatch(/^No: it was looked for/);
  });

  test('multilingual weights state the language that they hear', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spoken language '));
    await mkdir(join(folder, 'whisper-tiny'));
    await writeWhisper(join(folder, 'whisper-tiny'));
    const narration = await remuxedClip(footage('tricky/torchcodec_nasa_13013.mp4'), 'matroska');
    const artifacts = await engineOf(folder).observe(narration, ['subtitles', 'speech', 'signals']);
    const observed = decodeObservations(artifacts);
    // Generated weights take any voice for German.
    expect(observed.speech).toMatchObject({ isMultilingual: true, language: 'de', languages: null });
    expect(observed.speech!.model).toMatch(/^whisper_tiny [0-9a-f]{12}$/);
    const { events, coverage } = answerPrompt('jemand sagt "Hilfe"', observed);
    expect(events[0]).toMatchObject({ label: '"Hilfe! läuft"' });
    expect(coverage).toMatchObject([{ status: 'partly', by: ['speech (whisper_tiny, de)'] }]);
    expect(readTranscript(artifacts.get('speech')!)).toMatchObject({ language: 'de' });
    await rm(folder, { recursive: true });
  });

  test('where subtitles have the words, only voices are looked for', async () => {
    const narration = footage('tricky/torchcodec_nasa_13013.mp4');
    const observed = decodeObservations(await engineOf(MODELS!).observe(narration, ['subtitles', 'speech', 'signals']));
    expect(observed.subtitles).toMatchObject({ source: 'mov_text track', language: 'en' });
    expect(observed.speech!.texts).toEqual([]);
    expect(observed.speech!.voiceStartS[0]).toBeCloseTo(0.7, 0);
    expect(answerPrompt('is anyone talking?', observed).answer).toMatch(/^Yes/);
    const mentioned = answerPrompt('does anyone mention the telescope?', observed);
    expect(mentioned.answer).toMatch(/^Yes/);
    expect(mentioned.coverage).toMatchObject([{ status: 'looked_for', by: ['subtitles (mov_text track, en)'] }]);
    expect(answerPrompt('does anyone say stop?', observed).answer).toMatch(/^No: it was looked for/);
  });

  test('noise is no speech, and a video without audio is reported', async () => {
    const engine = engineOf(MODELS!);
    const crowd = decodeObservations(await engine.observe(footage('security/mpf_marathon.mkv'), ['speech']));
    expect(crowd.speech!.texts).toEqual([]);
    const silent = decodeObservations(await engine.observe(await flatClip({ times: [0, 1, 2], endS: 3 }), ['speech']));
    expect(silent.speech).toBeNull();
    expect(answerPrompt('someone says stop', silent).coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: 'the video has no audio track',
    });
  });

  test('a file that was cut off is a reason', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cut off '));
    await mkdir(join(folder, 'whisper-tiny.en'));
    const [encoder, ...others] = names;
    for (const name of others) await symlink(join(MODELS!, name), join(folder, name));
    await copyFile(join(MODELS!, encoder!), join(folder, encoder!));
    await truncate(join(folder, encoder!), 1_000_000);
    expect(await statusOf(folder)).toMatchObject({ unavailable: expect.stringContaining('do not work') });
    await rm(folder, { recursive: true });
  });
});
