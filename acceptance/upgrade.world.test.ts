import { constants, readdirSync } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS, readMigrations } from '../server/src/platform/db/migrations/files.ts';
import { ask, DARK } from './harness/answers.ts';
import { REPOSITORY } from './harness/repository.ts';
import { environment, makeFolder, startService } from './harness/service.ts';
import { type Answers, makeDump, repeatRequests, restoreDump } from './upgrade/dump.ts';

/** Dumps of earlier versions, each made by `npm run keep-dump` at the end of an issue. */
const DUMPS = join(REPOSITORY, 'acceptance/upgrade/dumps');
/** Every clone of the repository has all of them. */
const MOST_BYTES = 300_000;
const dumps = readdirSync(DUMPS).filter((name) => name.endsWith('.tar.xz'));

/** A temporary folder until the end of the test. */
async function openFolder(): Promise<string> {
  const { path, remove } = await makeFolder();
  onTestFinished(remove);
  return path;
}

/** Upgrades the content of a dump, and compares what the API returns with what it returned then. */
async function upgrade(dump: string): Promise<void> {
  const folder = await openFolder();
  const env = await environment(join(folder, 'data'));
  const answers: Answers = await restoreDump(dump, folder, env);
  const service = await startService(join(folder, 'data'), { env });
  onTestFinished(async () => void (await service.stop()));

  const responses = await repeatRequests(service.url, answers);
  for (const [at, { path, json }] of answers.responses.entries())
    expect(responses[at], path).toMatchObject(json as object);

  // The files were restored with the rows: the video plays, and can be analyzed again.
  const video = await service.call('POST', `/api/video/${answers.videoId}/signed-url`, { json: {} });
  const file = await fetch(String(video.json.url));
  expect([file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  const { document } = await ask(service, { query: DARK, video_ids: [answers.videoId] });
  expect(document.analysis.events.length).toBeGreaterThan(0);
}

test.each(dumps)('this version upgrades %s, and returns the same', async (name) => {
  const path = join(DUMPS, name);
  expect((await stat(path)).size).toBeLessThan(MOST_BYTES);
  await upgrade(path);
});

test('a dump of this version has every kind of content, and is restored', async () => {
  const folder = await openFolder();
  await mkdir(join(folder, 'source'));
  const file = join(folder, 'dump.tar.xz');
  const { responses } = await makeDump(join(folder, 'source'), file);
  expect((await stat(file)).size).toBeLessThan(MOST_BYTES);
  // A list that is empty would be the same after any upgrade.
  for (const { path, json } of responses.filter(({ path }) => /^\/api\/[a-z-]+(\?|$)/.test(path))) {
    const lists = Object.values(json as object).filter(Array.isArray);
    expect(lists.flat().length, path).toBeGreaterThan(0);
  }
  await upgrade(file);
  if (process.env.SIGHTLINE_KEEP_DUMP) {
    const newest = (await readMigrations(MIGRATIONS)).at(-1)!.name;
    await copyFile(file, join(DUMPS, `${newest}.tar.xz`), constants.COPYFILE_EXCL);
  }
});
