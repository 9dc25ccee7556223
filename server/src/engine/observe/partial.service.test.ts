// Copies of what a pass has seen so far change nothing in its result.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia, sceneClip } from '#test/media/clips';
import { createModelFolder } from '../models/index.ts';
import { decodeObservations } from './encoding.ts';
import { constantModel } from './objects/detector/model.fixture.ts';
import { createObserve } from './observe.ts';
import { OBSERVERS } from './observers.ts';
import { createWeights } from './weights.ts';

const KINDS = ['signals', 'sound', 'objects'] as const;
/** Short, so that a short clip has several ranges. */
const RANGE_CPU_S = 0.05;

let media: Media;
let dir: string;
beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'partial '));
  await writeFile(join(dir, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

it('observations of the first seconds are the beginning of those of the whole video', async () => {
  const weights = createWeights({ models: createModelFolder(dir), log: createLog('silent') });
  const { observe } = createObserve({
    media,
    weights,
    observers: Object.values(OBSERVERS),
    rangeCpuS: RANGE_CPU_S,
  });
  const path = await sceneClip();
  const partial: { artifacts: ReadonlyMap<string, Uint8Array>; untilS: number | null }[] = [];
  const rangesOf = () => ({ load: async () => null, save: async () => {} });
  const made = await observe(path, KINDS, {
    rangesOf,
    onPartial: (artifacts, untilS) => partial.push({ artifacts, untilS }),
  });
  const without = await observe(path, KINDS, { rangesOf });
  for (const kind of KINDS) expect(Buffer.compare(made.get(kind)!, without.get(kind)!), kind).toBe(0);

  const whole = decodeObservations(made);
  const ends = partial.map(({ untilS }) => untilS!);
  expect(ends.length).toBeGreaterThan(2);
  for (const [index, end] of ends.entries()) expect(end).toBeGreaterThan(1.25 * (ends[index - 1] ?? 0));
  for (const { artifacts, untilS } of partial) {
    const { video, signals, sound, objects } = decodeObservations(artifacts);
    expect(video.durationS).toBe(untilS);
    expect([...signals!.luma]).toEqual([...whole.signals!.luma.subarray(0, signals!.luma.length)]);
    expect(signals!.timeS.at(-1)).toBeGreaterThanOrEqual(untilS!);
    expect([...sound!.levelDb]).toEqual([...whole.sound!.levelDb.subarray(0, sound!.levelDb.length)]);
    expect([...objects!.timeS]).toEqual([...whole.objects!.timeS.subarray(0, objects!.timeS.length)]);
    expect(objects!.timeS.at(-1)).toBe(untilS);
    const frames = objects!.tracks.flatMap(({ frame }) => [...frame]);
    expect(Math.max(...frames)).toBeLessThan(objects!.timeS.length);
  }
});
