// A model of an npm package becomes a file of the models folder once: with the pinned content, or not at all.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { CATALOG, createModelConverter, createModelFolder, type ModelFile } from './index.ts';

const log = createLog('silent');
const PACKAGED = CATALOG.flatMap((model) =>
  model.files.flatMap((file) => (file.packaged ? [{ model, file, packaged: file.packaged }] : [])),
);
/** The smallest one, for what is the same for all. */
const { model, file, packaged } = PACKAGED.toSorted((a, b) => a.file.bytes - b.file.bytes)[0]!;
const TIMEOUT = { timeout: 120_000 };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'converted '));
});
afterEach(() => rm(dir, { recursive: true }));

const node = () => createModelFolder(dir, createModelConverter({ log }));
const files = async () => readdir(join(dir, 'converted')).catch(() => []);
const digestOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

test('every package of the catalog is a dependency of exactly the stated version', async () => {
  const { dependencies } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  for (const { packaged: source } of PACKAGED) {
    expect(dependencies[source.package]).toBe(source.version);
    expect(source.range[1]).toBeGreaterThan(source.range[0]);
    expect(source.sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('two nodes that convert at once leave one file, with the pinned content', TIMEOUT, async () => {
  const found = await Promise.all([node(), node()].map((each) => each.locate(model, file)));
  const names = await files();
  expect(names).toEqual([expect.stringContaining(file.sha256!.slice(0, 12))]);
  const path = join(dir, 'converted', names[0]!);
  for (const each of found) expect(each).toMatchObject({ path, bytes: file.bytes, sha256: file.sha256 });
  expect(await digestOf(path)).toBe(file.sha256);
});

test.each(PACKAGED)('$model.name is converted to the pinned content', TIMEOUT, async (each) => {
  const found = await node().locate(each.model, each.file);
  expect(found).toMatchObject({ bytes: each.file.bytes, sha256: each.file.sha256 });
});

test('another graph than the pinned one gives no model', TIMEOUT, async () => {
  const { graph, ...weights } = PACKAGED.map((each) => each.packaged).find((each) => each.graph)!;
  const changed = { ...weights, graph: { ...graph!, sha256: '0'.repeat(64) } };
  const other = PACKAGED.find((each) => each.packaged.graph)!;
  expect(await node().locate(other.model, { ...other.file, packaged: changed })).toBeNull();
});

test('a damaged file is converted again, and one of the operator is used instead', TIMEOUT, async () => {
  const models = node();
  const { path } = (await models.locate(model, file))!;
  await writeFile(path, 'damaged');
  expect(await models.locate(model, file)).toMatchObject({ path, sha256: file.sha256 });
  const own = join(dir, file.name);
  await writeFile(own, 'own');
  expect(await models.locate(model, file)).toMatchObject({ path: own });
});

test('without a converter, nothing is written', async () => {
  expect(await createModelFolder(dir).locate(model, file)).toBeNull();
  expect(await files()).toEqual([]);
});

test.each<[string, Partial<ModelFile>]>([
  ['a package that is not installed', { packaged: { ...packaged, package: '@none/none' } }],
  ['a file that the package does not have', { packaged: { ...packaged, path: 'none.data' } }],
  ['a range beyond the end of the file', { packaged: { ...packaged, range: [packaged.range[0], 2 ** 24] } }],
  [
    'other bytes than the pinned ones',
    { packaged: { ...packaged, range: [packaged.range[0] + 1, packaged.range[1]] } },
  ],
  ['another result than the pinned one', { sha256: '0'.repeat(64) }],
])('%s: there is no model, no file and no error', TIMEOUT, async (_name, change) => {
  expect(await node().locate(model, { ...file, ...change })).toBeNull();
  expect(await files()).toEqual([]);
});

test('a folder that cannot be written is no error', async () => {
  await writeFile(join(dir, 'file'), '');
  const models = createModelFolder(join(dir, 'file'), createModelConverter({ log }));
  expect(await models.locate(model, file)).toBeNull();
  await mkdir(join(dir, 'converted'));
  expect(await files()).toEqual([]);
});
