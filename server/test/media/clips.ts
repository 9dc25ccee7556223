import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createLog } from '#platform/log';
import { createMedia, type Media } from '#platform/media/index';

import type { SubtitleTrack } from './captions-task.ts';
import { DRIVES } from './drive-tasks.ts';
import type { Tone } from './remux-task.ts';
import { UNCONFINED } from './unconfined.ts';

export { flatLevel, SCENE, STILL } from './clip-tasks.ts';
export { DRIVES, posesOf } from './drive-tasks.ts';

/**
 * Generated clips with known content. Each is generated once and cached in the system's temporary folder, under a
 * name that changes with the generating code.
 */
const TASKS = new URL('./clip-tasks.ts', import.meta.url);
const LOOP = new URL('./loop-task.ts', import.meta.url);
const DRIVING = new URL('./drive-tasks.ts', import.meta.url);
const CAPTIONS = new URL('./captions-task.ts', import.meta.url);
const REMUX = new URL('./remux-task.ts', import.meta.url);
const CLIP_SOURCES = [
  TASKS,
  LOOP,
  CAPTIONS,
  REMUX,
  DRIVING,
  new URL('../../src/platform/media/libav/core/encoder.ts', import.meta.url),
  new URL('../../src/platform/media/libav/encode/encode.ts', import.meta.url),
];

/**
 * A pool of one media process. Unless `isIsolated`, its tasks read and write any file. The caller closes it.
 */
export function createTestMedia({ isIsolated = false } = {}): Promise<Media> {
  const sandbox = isIsolated ? {} : UNCONFINED;
  return createMedia({ processes: 1, maxSeconds: 86_400, sandbox, log: createLog('error') });
}

/** 16 s of street-like texture in which everything that `SCENE` lists happens. Returns its path. */
export const sceneClip = () => makeClip('scene.mp4', TASKS, 'sceneTask', {});

/** 26 s of a static camera with the events of `STILL`. `noise`: amplitude, of 255. Returns its path. */
export const stillClip = (noise = 0) => makeClip(`still-${noise}.mp4`, TASKS, 'stillTask', { noise });

/**
 * A clip of flat gray pictures (`flatLevel(i)`, top left corner white as coded) at the given times; a keyframe every
 * 12. Returns its path.
 */
export async function flatClip(clip: {
  times: number[];
  /** Gray levels of the pictures; default `flatLevel(i)`. */
  levels?: number[];
  endS: number;
  width?: number;
  height?: number;
  /** Clockwise degrees that players turn it by. */
  rotation?: 90 | 180 | 270;
}): Promise<string> {
  const { rotation, ...args } = { width: 64, height: 48, ...clip };
  const name = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 12);
  const path = await makeClip(`flat-${name}.mp4`, TASKS, 'flatTask', args);
  return rotation === undefined ? path : rotatedClip(path, rotation);
}

/** A video without sound that repeats `source` for at least `seconds`, by copying its packets. Returns its path. */
export async function loopedClip(source: string, seconds: number): Promise<string> {
  const { mtimeMs, size } = await stat(source);
  const name = createHash('sha256').update(`${source} ${mtimeMs} ${size} ${seconds}`).digest('hex').slice(0, 12);
  return makeClip(`loop-${name}.mp4`, LOOP, 'loopTask', { source, seconds });
}

/** `source` in another container (`matroska`, `mpegts`, `flv`), packet by packet. Returns its path. */
export async function remuxedClip(source: string, format: 'matroska' | 'mpegts' | 'flv', tone?: Tone): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([source, tone]))
    .digest('hex')
    .slice(0, 12);
  return makeClip(`remuxed-${name}.${format}`, REMUX, 'remuxTask', { source, format, tone });
}

/** One of `DRIVES`, drawn; `posesOf` says what a perfect instrument would have recorded. Returns its path. */
export const driveClip = (name: keyof typeof DRIVES) =>
  makeClip(`drive-${name}.mp4`, DRIVING, 'driveTask', { drive: DRIVES[name] });

/** The video of `source` with a track of captions in an MP4, one a second from its start on. Returns its path. */
export const captionedClip = (source: string, texts: string[]) =>
  subtitledClip(source, 'mp4', [
    { codec: 'mov_text', captions: texts.map((text, startS) => ({ startS, durationS: 1, data: timedText(text) })) },
  ]);

/** The video of `source` with tracks of subtitles. Returns its path. */
export async function subtitledClip(
  source: string,
  format: 'mp4' | 'matroska',
  tracks: readonly SubtitleTrack[],
): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([source, format, tracks]))
    .digest('hex')
    .slice(0, 12);
  return makeClip(`captions-${name}.${format}`, CAPTIONS, 'captionsTask', { source, format, tracks });
}

/** A packet of `mov_text`: the length of the text, the text, and boxes such as those of styles. */
export function timedText(text: string, ...boxes: Uint8Array[]): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes, ...boxes]);
}

async function makeClip(name: string, module: URL, task: string, args: object): Promise<string> {
  const hash = createHash('sha256');
  for (const file of CLIP_SOURCES) hash.update(await readFile(file));
  const folder = join(tmpdir(), `sightline-clips-${hash.digest('hex').slice(0, 12)}`);
  const path = join(folder, name);
  if (await exists(path)) return path;
  await mkdir(folder, { recursive: true });
  return replaceFile(path, async (draft) => {
    const media = await createTestMedia();
    try {
      await media.run({ module, name: task, args: { ...args, path: draft } });
    } finally {
      await media.close();
    }
  });
}

/** Makes a file under a name of its own: several tests may make the same one, and the last wins with the same bytes. */
async function replaceFile(path: string, write: (draft: string) => Promise<void>): Promise<string> {
  const draft = join(dirname(path), `${randomUUID()}-${basename(path)}`);
  await write(draft);
  await rename(draft, path);
  return path;
}

/** A copy of an MP4 whose track header tells players to turn it. */
export async function rotatedClip(path: string, rotation: 90 | 180 | 270): Promise<string> {
  const bytes = await readFile(path);
  const [a, b, c, d] = { 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] }[rotation] as [
    number,
    ...number[],
  ];
  // The matrix stands 40 bytes after the type of a version 0 track header: a b u, c d v in 16.16 fixed point.
  const matrix = bytes.indexOf('tkhd', 0, 'latin1') + 4 + 40;
  for (const [i, value] of [a, b, 0, c, d].entries()) bytes.writeInt32BE(value! * 65_536, matrix + i * 4);
  return replaceFile(path.replace(/\.mp4$/, `-${rotation}.mp4`), (draft) => writeFile(draft, bytes));
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
