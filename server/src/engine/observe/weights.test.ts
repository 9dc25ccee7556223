import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { CATALOG, createModelFolder, type ModelFiles } from '../models/index.ts';
import { createWeights, type Weights } from './weights.ts';

const log = createLog('silent');
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'weights-'));
});
afterEach(() => rm(dir, { recursive: true }));

const find = (models: ModelFiles = createModelFolder(dir)) => createWeights({ models, log }).find('objects');
const reason = (found: object) =>
  'unavailable' in found ? String(found.unavailable) : expect.fail('weights were found');

test('missing weights are reported with all that is needed to add them', async () => {
  const [file] = CATALOG.find(({ isDefault }) => isDefault)!.files;
  const sentence = reason(await find());
  for (const part of [file.urls[0], file.sha256, `${file.bytes} bytes`, `save it as ${join(dir, file.name)}.`])
    expect(sentence).toContain(part);
  expect(reason(await find(createModelFolder(join(dir, 'no such folder'))))).toContain('are missing');
});

test('a file in the folder is used, the larger model first, and read again when it changes', async () => {
  const models = createModelFolder(dir);
  expect(reason(await find(models))).toContain('are missing');
  await writeFile(join(dir, 'yolox_nano.onnx'), 'nano');
  expect(await find(models)).toMatchObject({ name: 'yolox_nano' });
  const path = join(dir, 'yolox_tiny.onnx');
  await writeFile(path, 'tiny');
  const before = await find(models);
  const { atime, mtime } = await stat(path);
  await writeFile(path, 'toni');
  // A copy may keep the time of the original.
  await utimes(path, atime, mtime);
  const digest = createHash('sha256').update('toni').digest('hex');
  expect(before).toMatchObject({ name: 'yolox_tiny' });
  expect(await find(models)).toEqual({ paths: [path], name: 'yolox_tiny', digest, isPinned: false, fallback: null });
});

test('a named detector is used whatever else is there, and is missed by its name', async () => {
  const models = createModelFolder(dir);
  const named = createWeights({ models, detector: 'yolox_s', log });
  await writeFile(join(dir, 'yolox_tiny.onnx'), 'tiny');
  expect(reason(await named.find('objects'))).toMatch(
    /^The weights of the object detector yolox_s are missing\. .*models fetch yolox_s.*yolox_s\.onnx/,
  );
  await writeFile(join(dir, 'yolox_s.onnx'), 'small');
  expect(await named.find('objects')).toMatchObject({ name: 'yolox_s' });
  // A query names another one; without a name, the larger ones are not used.
  expect(await named.find('objects', 'yolox_tiny')).toMatchObject({ name: 'yolox_tiny' });
  expect(await find(models)).toMatchObject({ name: 'yolox_tiny' });
  // A model without a known checksum says where it comes from instead.
  const own = reason(await named.find('objects', 'dfine_n'));
  expect(own).toContain(`save it as ${join(dir, 'dfine_n.onnx')}`);
  expect(own).not.toContain('SHA-256');
  // The setting is about detectors only.
  expect(reason(await named.find('sounds'))).toContain("The sound recognizer's weights are missing");
});

test('a detector that sees a larger copy of frames has the weights of the usual one, and its own name', async () => {
  const models = createModelFolder(dir);
  const weights = createWeights({ models, log });
  expect(reason(await weights.find('objects', 'yolox_nano_640'))).toContain('models fetch yolox_nano"');
  await writeFile(join(dir, 'yolox_nano.onnx'), 'nano');
  const usual = await weights.find('objects', 'yolox_nano');
  expect(await weights.find('objects', 'yolox_nano_640')).toEqual({ ...usual, name: 'yolox_nano_640' });
  expect(await createWeights({ models, detector: 'yolox_nano_640', log }).find('objects')).toMatchObject({
    name: 'yolox_nano_640',
  });
  // It is never used unless it is named.
  expect(await find(models)).toMatchObject({ name: 'yolox_nano' });
});

test('the detector that comes with the installation is used only while there is no other one', async () => {
  const fallback = CATALOG.find(({ isFallback }) => isFallback)!;
  const [file] = fallback.files;
  const models = createModelFolder(dir);
  const installed: ModelFiles = {
    dir,
    locate: async (model, each) =>
      model === fallback
        ? { path: join(dir, 'converted'), bytes: each.bytes, sha256: each.sha256!, placedAt: new Date() }
        : models.locate(model, each),
  };
  const found = (await find(installed)) as Weights;
  expect(found).toMatchObject({ name: fallback.name, digest: file.sha256, isPinned: true });
  // It says which model is missing and how to get it.
  expect(found.fallback).toMatch(
    /^The weights of yolox_nano, a better object detector, are missing\. .*models fetch yolox_nano.*save it as .*yolox_nano\.onnx\.$/,
  );
  // A detector that is named is not replaced.
  const named = (name: string) => createWeights({ models: installed, detector: name, log }).find('objects');
  expect(reason(await named('yolox_nano'))).toContain('yolox_nano are missing');
  expect(await named(fallback.name)).toMatchObject({ name: fallback.name, fallback: null });
  for (const { name, files } of CATALOG.filter(({ task, isFallback }) => task === 'objects' && !isFallback)) {
    const path = join(dir, files[0].name);
    await writeFile(path, name);
    expect(await find(installed)).toMatchObject({ name, fallback: null });
    await rm(path);
  }
});

test('every model states its license, the terms of what it was trained on, its cost and its quality', () => {
  for (const { name, license, trainedOn, cost, quality, files, module, source } of CATALOG) {
    expect(license.url, name).toMatch(/^https:/);
    for (const text of [trainedOn, cost, quality]) expect(text.length, name).toBeGreaterThan(5);
    // A model that is neither downloaded nor packaged has an address, and docs/models.md describes its conversion.
    const isMadeByHand = files.some(({ urls, packaged }) => urls.length === 0 && !packaged) && !module;
    expect(source !== undefined, name).toBe(isMadeByHand);
    if (!source) continue;
    const docs = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');
    for (const part of [files[0].name, source]) expect(docs).toContain(part);
  }
});

test('a model of several files is found as a whole, and changes with each of them', async () => {
  const { files } = CATALOG.find(({ name }) => name === 'whisper_tiny_en')!;
  const findSpeech = () => createWeights({ models: createModelFolder(dir), log }).find('speech');
  await mkdir(join(dir, 'whisper-tiny.en'));
  for (const { name } of files) {
    expect(reason(await findSpeech())).toMatch(/models fetch whisper_tiny" or ".*models fetch whisper_tiny_en"/);
    await writeFile(join(dir, name), name);
  }
  const found = await findSpeech();
  expect(found).toMatchObject({ paths: files.map(({ name }) => join(dir, name)), name: 'whisper_tiny_en' });
  await writeFile(join(dir, files[2]!.name), 'other');
  expect(await findSpeech()).not.toMatchObject({ digest: (found as { digest: string }).digest });

  // Multilingual weights know English, too.
  await mkdir(join(dir, 'whisper-tiny'));
  const multilingual = CATALOG.find(({ name }) => name === 'whisper_tiny')!;
  for (const { name } of multilingual.files) {
    expect(await findSpeech()).toMatchObject({ name: 'whisper_tiny_en' });
    await writeFile(join(dir, name), name);
  }
  expect(await findSpeech()).toMatchObject({ name: 'whisper_tiny' });
});

test('a folder that cannot be read is a reason, never an error', async () => {
  const broken = { dir, locate: () => Promise.reject(new Error('input/output error')) };
  expect(reason(await find(broken))).toContain('cannot be read: input/output error');
});

test('a model of a package of the service is there, with one digest of all its files', async () => {
  const models = createModelFolder(dir);
  const found = await createWeights({ models, log }).find('text');
  const { files } = CATALOG.find(({ task }) => task === 'text')!;
  expect(found).toMatchObject({
    name: 'pp_ocr_v4',
    isPinned: true,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const { paths, digest } = found as Weights;
  expect(paths.map((path) => basename(path))).toEqual(files.map(({ name }) => name));
  const digests = paths.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'));
  expect(digests).toEqual(files.map(({ sha256 }) => sha256));
  // A file in the folder replaces that of the package.
  const own = join(dir, files[2]!.name);
  await writeFile(own, 'a\nb\n');
  const replaced = (await createWeights({ models, log }).find('text')) as Weights;
  expect(replaced.paths[2]).toBe(own);
  expect(replaced.digest).not.toBe(digest);
  expect(replaced.isPinned).toBe(false);
  const [text] = CATALOG.filter(({ task }) => task === 'text');
  const catalog = [{ ...text!, module: 'no such package' }];
  expect(reason(await createWeights({ models, catalog, log }).find('text'))).toContain('install the service again');
});

test('the catalog has at most one default for each task, and every file with an address is pinned', () => {
  const tasks = new Set(CATALOG.map(({ task }) => task));
  for (const task of tasks) {
    expect(CATALOG.filter((model) => model.task === task && model.isDefault).length).toBeLessThanOrEqual(1);
  }
  const files = CATALOG.flatMap((model) => model.files);
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  for (const { name, sha256, bytes, urls } of files) {
    expect(name).toMatch(/^([a-z0-9_.-]+\/)?[A-Za-z0-9_-]+(\.[a-z0-9]+)*(\.[a-z_]+)+$/);
    if (sha256 === null) expect(urls).toEqual([]);
    else expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(bytes).toBeGreaterThan(0);
    expect(urls.every((url) => url.startsWith('https://'))).toBe(true);
  }
});
