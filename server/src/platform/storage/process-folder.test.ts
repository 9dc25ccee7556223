import { access, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openProcessFolder } from './process-folder.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sightline own '));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(dir, { recursive: true, force: true });
});

test('a folder in use looks used, so that no other process takes it for abandoned', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const own = await openProcessFolder(dir);
  await utimes(own.path, new Date(0), new Date(0));
  vi.advanceTimersByTime(11 * 60 * 1000);
  await vi.waitFor(async () => expect(Date.now() - (await stat(own.path)).mtimeMs).toBeLessThan(60_000), 30_000);
  await own.close();
  expect(await readdir(dir)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('what a killed process left goes at the next start, with all that is in it; what another one uses stays', async () => {
  const own = await openProcessFolder(dir);
  const [host] = basename(own.path).split('-');
  // No process has this number: it is above what the system gives out.
  const dead = join(dir, `${host}-4999999-aaaaaaaaaaaa`);
  const living = join(dir, `${host}-${process.ppid}-aaaaaaaaaaaa`);
  await mkdir(join(dead, 'scratch-1'), { recursive: true });
  await writeFile(join(dead, 'scratch-1', 'film.mp4'), 'film');
  await mkdir(living);
  const next = await openProcessFolder(dir);
  expect((await readdir(dir)).sort()).toEqual([own, next, { path: living }].map(({ path }) => basename(path)).sort());
  await next.close();
  await own.close();
});

test('gives empty folders that go when they are disposed of, also after someone has cleaned up', async () => {
  const own = await openProcessFolder(dir);
  const made = await own.scratch();
  await writeFile(join(made.path, 'film.mp4'), 'film');
  await made[Symbol.asyncDispose]();
  await expect(access(made.path)).rejects.toThrow('ENOENT');
  await rm(own.path, { recursive: true });
  await using again = await own.scratch();
  expect(await readdir(again.path)).toEqual([]);
  await own.close();
});
