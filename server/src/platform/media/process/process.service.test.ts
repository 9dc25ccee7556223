import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMedia, sceneClip } from '#test/media/clips';
import { UNCONFINED } from '#test/media/unconfined';
import { temporaryFolder } from '#test/temporary-folder';
import { createLog, type Log } from '../../log.ts';
import { createMedia, type Media } from '../index.ts';
import { type MediaProcess, spawnMediaProcess } from './media-process.ts';
import { createProcessPool } from './pool.ts';
import { findSandboxes, NO_SANDBOX } from './sandbox/sandbox.ts';

const TASKS = new URL('../../../../test/media/media-tasks.ts', import.meta.url);
const task = (name: string, args: unknown = {}) => ({ module: TASKS, name, args });

/** The best sandbox of this system. */
const findSandbox = async () => (await findSandboxes())[0]!;

let media: Media;
beforeAll(async () => {
  process.env.SIGHTLINE_SECRET_FOR_TEST = 'do not pass this on';
  media = await createTestMedia();
});
afterAll(async () => {
  delete process.env.SIGHTLINE_SECRET_FOR_TEST;
  await media.close();
});

test('a process knows nothing of the environment but where programs are', async () => {
  const environment = await media.run<Record<string, string>>(task('environment'));
  const allowed = ['PATH', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP', 'NODE_COMPILE_CACHE', 'HOME'];
  expect(Object.keys(environment).filter((name) => !allowed.includes(name))).toEqual([]);
});

test('processes share a cache of compiled modules, which the service does not read', async () => {
  const { folder, files } = await media.run<{ folder: string; files: number }>(task('compileCache'));
  expect(dirname(folder)).toBe(join(dirname(getCompileCacheDir()!), 'media'));
  expect(files).toBeGreaterThan(10);
});

test('what a process leaves in its temporary folder when it is killed goes with it', async () => {
  const tempDir = await temporaryFolder();
  const log = createLog('silent');
  const own = await createMedia({
    processes: 1,
    maxSeconds: 60,
    tempDir,
    log,
  });
  await own.run(task('leaveFile'));
  expect((await readdir(tempDir, { recursive: true })).some((path) => path.endsWith('half.mp4'))).toBe(true);
  await own.close();
  expect(await readdir(tempDir)).toEqual([]);
});

test('arguments and results keep their types', async () => {
  const value = { samples: new Float32Array([0.5, -0.5]), map: new Map([['a', 1]]), nothing: null };
  expect(await media.run(task('echo', value))).toEqual(value);
});

test('a process stays warm, and is replaced after its share of work', async () => {
  const first = await media.run<number>(task('processId'));
  expect(await media.run<number>(task('processId'))).toBe(first);
  for (let i = 0; i < 1_000; i++) await media.run(task('echo', i));
  expect(await media.run<number>(task('processId'))).not.toBe(first);
});

test('processes end when they are idle, and start when there is a task', async () => {
  const tempDir = await temporaryFolder();
  const warnings: unknown[] = [];
  const log = { ...createLog('silent'), warn: (...args: unknown[]) => void warnings.push(args) } as unknown as Log;
  const own = await createMedia({ processes: 1, maxSeconds: 60, tempDir, idleMs: 100, log });
  try {
    // Each process has a folder here until it has exited.
    const allHaveEnded = () => expect.poll(() => readdir(tempDir), { timeout: 30_000 }).toEqual([]);
    await allHaveEnded();
    const pids: number[] = [];
    // Tasks arrive before, while and after the process of the last one ends; `probe` uses another pool.
    for (const waitMs of [90, 95, 98, 99, 100, 100, 101, 102, 105, 110]) {
      await sleep(waitMs);
      pids.push(await own.run<number>(task('processId')));
      expect((await own.probe(await sceneClip())).video.width).toBe(480);
    }
    await allHaveEnded();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(warnings).toEqual([]);
  } finally {
    await own.close();
  }
});

test('no more processes than asked for work at once; the others wait in line', async () => {
  const pids = await Promise.all(Array.from({ length: 5 }, () => media.run<number>(task('processId'))));
  expect(new Set(pids).size).toBe(1);
});

test('live tasks do not wait behind a whole video', async () => {
  const atWork = new AbortController();
  const working = media.run(task('busyLoop'), { signal: atWork.signal });
  expect(await media.run(task('echo', 1), { live: true })).toBe(1);
  atWork.abort(new Error('enough'));
  await expect(working).rejects.toThrow('enough');
});

test('a mistake in a task arrives as an error, and the process lives on', async () => {
  const before = await media.run<number>(task('processId'));
  await expect(media.run(task('fail'))).rejects.toThrow('a mistake in a task');
  expect(await media.run<number>(task('processId'))).toBe(before);
});

test('progress never falls and never exceeds the whole', async () => {
  const seen: number[] = [];
  const steps = { fractions: [0.1, 0.5, 0.3, 0.9, 2], everyMs: 120 };
  await media.run(task('reportFractions', steps), { onProgress: (fraction) => seen.push(fraction) });
  expect(seen).toEqual([0.1, 0.5, 0.9, 1]);
});

test('progress is not reported more often than it is displayed', async () => {
  const seen: number[] = [];
  const steps = { fractions: Array.from({ length: 10_001 }, (_, i) => i / 10_000), everyMs: 0 };
  await media.run(task('reportFractions', steps), { onProgress: (fraction) => seen.push(fraction) });
  expect(seen.length).toBeLessThan(100);
  expect(seen.at(-1)).toBe(1);
});

test('one crash is tried again, two are the file’s fault', async () => {
  const marker = join(await temporaryFolder(), 'crashed');
  // The task leaves its marker outside.
  const patient = await createMedia({ processes: 1, maxSeconds: 60, sandbox: UNCONFINED, log: createLog('silent') });
  try {
    expect(await patient.run(task('crashOnce', { marker }))).toBe('alive');
    await expect(patient.run(task('crash'))).rejects.toMatchObject({ code: 'media_crashed', status: 400 });
    expect(await patient.run(task('echo', 'still here'))).toBe('still here');
  } finally {
    await patient.close();
  }
});

test('a task whose crash is not to be repeated says at once how its process ended', async () => {
  const marker = join(await temporaryFolder(), 'crashed');
  const once = media.run(task('crashOnce', { marker }), { retryCrash: false });
  await expect(once).rejects.toMatchObject({ code: 'media_crashed', message: expect.stringMatching(/SIG|exit code/) });
  expect(await media.run(task('echo', 'still here'))).toBe('still here');
});

test('a hung task is killed at its deadline', async () => {
  const started = performance.now();
  await expect(media.run(task('busyLoop'), { timeoutS: 0.5 })).rejects.toMatchObject({
    code: 'media_timeout',
    status: 503,
  });
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(await media.run(task('echo', 1))).toBe(1);
});

test('a hung decoder is found out by its silence, whatever the deadline', async () => {
  const log = createLog('silent');
  const sandbox = await findSandbox();
  const spawnQuick = () => spawnMediaProcess({ sandbox, log, heartbeatTimeoutMs: 5_000 });
  const pool = createProcessPool({ size: 1, spawn: spawnQuick, log });
  try {
    await expect(pool.run(task('busyLoop'))).rejects.toMatchObject({ code: 'media_crashed' });
    // One that works longer than that, but lives, is left alone.
    expect(await pool.run(task('waitFor', 7_000))).toBe('done');
  } finally {
    await pool.close();
  }
});

test('a process that is killed while it starts is replaced', async () => {
  const log = createLog('silent');
  const sandbox = await findSandbox();
  let spawned = 0;
  const spawnAndKillFirst = () => {
    const child = spawnMediaProcess({ sandbox, log });
    if (spawned++ === 0) child.kill();
    return child;
  };
  const pool = createProcessPool({ size: 1, spawn: spawnAndKillFirst, log });
  try {
    expect(await pool.run(task('echo', 'alive'))).toBe('alive');
    expect(spawned).toBe(2);
  } finally {
    await pool.close();
  }
});

test('long tasks of one organization leave processes for those of another, and for nobody else', async () => {
  const log = createLog('silent');
  const sandbox = await findSandbox();
  const children: MediaProcess[] = [];
  const spawnCounted = () => {
    const child = spawnMediaProcess({ sandbox, log });
    children.push(child);
    return child;
  };
  const pool = createProcessPool({ size: 2, spawn: spawnCounted, log });
  const leave = new AbortController();
  const long = (orgId?: string) => pool.run(task('waitFor', 600_000), { orgId, signal: leave.signal }).catch(() => {});
  try {
    const first = Array.from({ length: 5 }, () => long('a'));
    expect(children).toHaveLength(2);
    expect(await pool.run(task('echo', 1), { orgId: 'b' })).toBe(1);
    const second = [long('b'), long('b')];
    expect(await pool.run(task('echo', 2), { orgId: 'c' })).toBe(2);
    const unnamed = long();
    expect(children.filter((child) => child.alive()).length).toBeLessThanOrEqual(4);
    leave.abort();
    await Promise.all([...first, ...second, unnamed]);
    expect(await pool.run(task('echo', 3))).toBe(3);
  } finally {
    await pool.close();
  }
});

test('a task that fails has ended once all that it handed over is taken', async () => {
  const settings = { sandbox: NO_SANDBOX, log: createLog('silent') };
  const child = spawnMediaProcess(settings);
  try {
    await child.started;
    const taken: unknown[] = [];
    const handover = async (value: unknown) => {
      await sleep(100);
      taken.push(value);
    };
    const module = TASKS.href;
    const ending = await child.run({ module, name: 'transferAndFail', args: {} }, { handover });
    expect(ending).toMatchObject({ kind: 'error', error: { message: 'a mistake after the last' } });
    expect(taken).toEqual([1, 2, 3]);
  } finally {
    child.kill();
    await child.exited;
  }
});

test('aborting kills a task at work, and takes one that waits out of the line', async () => {
  const atWork = new AbortController();
  const inLine = new AbortController();
  const working = media.run(task('busyLoop'), { signal: atWork.signal });
  const waiting = media.run(task('echo', 1), { signal: inLine.signal });
  const next = media.run(task('echo', 2));
  inLine.abort(new Error('changed my mind'));
  await expect(waiting).rejects.toThrow('changed my mind');
  setTimeout(() => atWork.abort(new Error('enough')), 300);
  await expect(working).rejects.toThrow('enough');
  expect(await next).toBe(2);
  await expect(media.run(task('echo', 3), { signal: AbortSignal.abort() })).rejects.toThrow();
});

test('a task that asks for all the memory there is loses its process, not the machine', async () => {
  const outcome = await media.run(task('exhaustMemory')).then(
    (gigabytes) => gigabytes,
    (error: Error) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  expect(await media.run(task('echo', 1))).toBe(1);
});

test('probes and pictures need not wait for whole videos', async () => {
  const stop = new AbortController();
  const busy = media.run(task('busyLoop'), { signal: stop.signal });
  expect((await media.probe(await sceneClip())).video.width).toBe(480);
  stop.abort(new Error('done'));
  await expect(busy).rejects.toThrow('done');
});

test('processes die with a parent that is killed', async () => {
  const script = `
    import { createTestMedia } from ${JSON.stringify(fileURLToPath(new URL('../../../../test/media/clips.ts', import.meta.url)))};
    const media = await createTestMedia();
    console.log(await media.run({ module: new URL(${JSON.stringify(TASKS.href)}), name: 'processId', args: {} }));
    await media.run({ module: new URL(${JSON.stringify(TASKS.href)}), name: 'busyLoop', args: {} });`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const child = Number(String(line));
  expect(isRunning(child)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  // With `setpriv` the system kills the process. Without it, it exits at its next turn of the event loop, which a
  // busy loop never reaches.
  if ((await findSandbox()).level !== 'none') await expect.poll(() => isRunning(child), { timeout: 5_000 }).toBe(false);
  else process.kill(child, 'SIGKILL');
});

test('closing ends what is at work and what waits', async () => {
  const closing = await createTestMedia();
  const outcomes = Promise.allSettled([closing.run(task('busyLoop')), closing.run(task('busyLoop'))]);
  await closing.run(task('echo', 1), { signal: AbortSignal.timeout(200) }).catch(() => {});
  await closing.close();
  for (const { status } of await outcomes) expect(status).toBe('rejected');
});

test('where the binding does not load, the error states its reason and where to read more', async () => {
  const log = createLog('silent');
  // The binding then looks only for one that was compiled on this machine.
  const spawn = () =>
    spawnMediaProcess({ sandbox: { ...NO_SANDBOX, command: () => ['env', 'AV_FROM_SOURCE=1'] }, log });
  const pool = createProcessPool({ size: 1, spawn, log });
  try {
    await expect(pool.run(task('echo', 1))).rejects.toMatchObject({
      code: 'media_engine_unavailable',
      message: expect.stringMatching(/^The media engine .*could not load.*node-av.* docs\/ffmpeg\.md lists/is),
    });
  } finally {
    await pool.close();
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
