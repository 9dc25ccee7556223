import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMedia, flatClip, remuxedClip, sceneClip } from '#test/media/clips';
import { mediaProcesses, sweepMediaProcesses } from '#test/media/memory-shortage';
import type { Media } from './index.ts';

const TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);

let media: Media;
beforeAll(async () => {
  media = await createTestMedia({ isIsolated: true });
});
afterAll(() => media.close());

const picture = async () => media.frameImage(await sceneClip(), { timeS: 1 });

const record = async () => {
  const segments: number[] = [];
  await media.capture(
    {
      source: { kind: 'bytes', body: createReadStream(await remuxedClip(await sceneClip(), 'mpegts')) },
      startS: 0,
      previous: null,
      segmentS: 2,
      clockMs: null,
      stallS: 30,
    },
    {
      onSegment: async ({ durationS }) => void segments.push(durationS),
      signal: new AbortController().signal,
      stop: new AbortController().signal,
    },
  );
  return segments.length;
};

/** Every use of a media process. */
const USES: Record<
  Exclude<keyof Media, 'close' | 'capture' | 'receiveRtmp' | 'load' | 'sandbox'>,
  () => Promise<unknown>
> = {
  probe: async () => media.probe(await sceneClip()),
  frameImage: picture,
  contactSheet: async () =>
    media.contactSheet(await sceneClip(), { times: [1, 2], columns: 2, tile: { width: 64, height: 48 } }),
  pictureClip: async () => media.pictureClip([await picture(), await picture()], { stepS: 1 }),
  captions: async () => media.captions(await sceneClip()),
  trim: async () => {
    await using file = await media.trim(await sceneClip(), { fromS: 1, untilS: 3, video: 'encode', output: 'mp4' });
    return file.headerBytes;
  },
  planSegments: async () => media.planSegments(await flatClip({ times: [0, 1, 2, 3], endS: 4 })),
  run: () => media.run({ module: TASKS, name: 'waitFor', args: 300 }),
};

test.each(Object.entries(USES))('%s outlives two processes that the system kills', async (_, use) => {
  const expected = await use();
  const [result] = await Promise.all([use(), sweepMediaProcesses(2)]);
  expect(result).toEqual(expected);
});

test('a recording whose process is killed reports it as the doing of the system, so that it reconnects', async () => {
  expect(await record()).toBeGreaterThan(1);
  const options = { signal: 'SIGTERM', spared: mediaProcesses() } as const;
  const [problem] = await Promise.all([record().catch((error: unknown) => error), sweepMediaProcesses(1, options)]);
  expect(problem).toMatchObject({ code: 'media_killed', status: 503 });
});

test.each([
  ...(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const).map((signal) => [signal, 'done'] as const),
  ...(['SIGSEGV', 'SIGABRT', 'SIGSYS', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGXCPU'] as const).map(
    (signal) => [signal, 'media_crashed'] as const,
  ),
])('a process at work that ends by %s: %s', async (signal, outcome) => {
  const killed: number[] = [];
  // Only the task knows which process it is in, and that it is at work.
  const onEmit = async (pid: unknown) => {
    if (killed.length > 0) return;
    killed.push(pid as number);
    process.kill(pid as number, signal);
  };
  const working = media
    .run({ module: TASKS, name: 'sayProcessId', args: 1_000 }, { retryCrash: false, onEmit })
    .catch(({ code }) => code);
  expect(await working).toBe(outcome);
  expect(killed).toHaveLength(1);
});

test('a task that exceeds the memory limit of its process stays with the file', async () => {
  const problem = await media.run({ module: TASKS, name: 'exhaustMemory', args: {} }).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Error);
  expect(problem).not.toMatchObject({ code: 'media_killed' });
});
