// A pass that is killed at any time and continued after its stored ranges gives the bytes of an uninterrupted one.
import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia, remuxedClip, sceneClip, stillClip } from '#test/media/clips';
import { createModelFolder } from '../models/index.ts';
import { constantModel } from './objects/detector/model.fixture.ts';
import { createObserve, type RangeStore } from './observe.ts';
import { OBSERVERS } from './observers.ts';
import type { StoredPass, StoredRange } from './range-saver.ts';
import type { TimeRange } from './types.ts';
import { createWeights } from './weights.ts';

const KINDS = ['signals', 'sound', 'objects'] as const;
/** Short, so that short clips have several ranges. */
const RANGE_CPU_S = 0.05;
/** Attempts that are killed. */
const KILLS = 3;

let media: Media;
let dir: string;
beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'resumed '));
  await writeFile(join(dir, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

function openObserve() {
  const log = createLog('silent');
  const weights = createWeights({ models: createModelFolder(dir), log });
  return createObserve({ media, weights, observers: Object.values(OBSERVERS), rangeCpuS: RANGE_CPU_S }).observe;
}

/** Stored ranges in memory. `onSave` is called after each. */
function memoryStore(onSave: () => void = () => {}) {
  let ranges: StoredRange[] = [];
  /** Number of ranges that each attempt continued after. */
  const continued: number[] = [];
  const store: RangeStore = {
    async load(): Promise<StoredPass | null> {
      continued.push(ranges.length);
      const state = ranges.at(-1)?.state;
      return state ? { added: ranges.map(({ added }) => added), state } : null;
    },
    async save(range) {
      ranges = [...ranges.slice(0, range.index), range];
      onSave();
    },
  };
  return {
    store,
    continued,
    ranges: () => ranges,
    damage: (change: (ranges: StoredRange[]) => void) => change(ranges),
  };
}

type PassOptions = { range?: TimeRange; detector?: string };

/** Observes a clip; `kills` attempts are killed, each some time after it has stored a range. */
async function observeWithKills(path: string, kills: number, random: () => number, options: PassOptions) {
  const observe = openObserve();
  let onSave = () => {};
  const memory = memoryStore(() => onSave());
  for (let attempt = 0; ; attempt++) {
    const kill = new AbortController();
    let left = Math.floor(random() * 3);
    onSave = () => {
      if (attempt < kills && left-- === 0) setTimeout(() => kill.abort(new Error('killed')), random() * 60);
    };
    try {
      const artifacts = await observe(path, KINDS, { ...options, signal: kill.signal, rangesOf: () => memory.store });
      return { artifacts, continued: memory.continued };
    } catch (error) {
      if (!kill.signal.aborted) throw error;
    }
  }
}

/** Compares a pass with kills to one without. Returns the number of ranges that each attempt continued after. */
async function compare(path: string, seed: number, options: PassOptions = {}): Promise<number[]> {
  const whole = await openObserve()(path, KINDS, options);
  const { artifacts, continued } = await observeWithKills(path, KILLS, randomFrom(seed), options);
  expectSame(artifacts, whole, basename(path));
  return continued;
}

function expectSame(made: ReadonlyMap<string, Uint8Array>, whole: ReadonlyMap<string, Uint8Array>, name: string) {
  for (const kind of KINDS) expect(Buffer.compare(made.get(kind)!, whole.get(kind)!), `${kind} of ${name}`).toBe(0);
}

it.each([
  ['MP4', () => sceneClip()],
  ['a fixed camera with noise', () => stillClip(3)],
  ['Matroska', async () => remuxedClip(await sceneClip(), 'matroska')],
  ['MPEG-TS', async () => remuxedClip(await sceneClip(), 'mpegts')],
])('%s: killed at any time, the pass continues after what was stored', async (_, clip) => {
  const continued = await compare(await clip(), 1);
  expect(continued.length).toBeGreaterThan(1);
  expect(continued.slice(1).every((ranges) => ranges > 0)).toBe(true);
});

it('a detector that also sees larger copies of frames', async () => {
  const continued = await compare(await sceneClip(), 6, { detector: 'yolox_nano_640' });
  expect(Math.max(...continued)).toBeGreaterThan(0);
});

it('a range of a video, and one of which the end is missing', async () => {
  const continued = await compare(await sceneClip(), 3, { range: { fromS: 4, untilS: 14 } });
  expect(Math.max(...continued)).toBeGreaterThan(0);
  const cut = join(dir, 'cut.ts');
  await copyFile(await remuxedClip(await sceneClip(), 'mpegts'), cut);
  await truncate(cut, 300_000);
  await compare(cut, 4);
});

/** The stored ranges of a pass that was killed. */
async function storedRangesOf(path: string) {
  const kill = new AbortController();
  const memory = memoryStore(() => memory.ranges().length === 2 && kill.abort(new Error('killed')));
  const observed = openObserve()(path, KINDS, { signal: kill.signal, rangesOf: () => memory.store });
  await expect(observed).rejects.toThrow('killed');
  return memory;
}

it('a pass starts again where its ranges are damaged, or those of another video', async () => {
  const path = await sceneClip();
  const whole = await openObserve()(path, KINDS);
  for (const part of ['added', 'state'] as const) {
    const memory = await storedRangesOf(path);
    memory.damage((ranges) => {
      const bytes = Buffer.from(ranges.at(-1)![part]);
      bytes[bytes.length >> 1]! ^= 1;
      ranges.at(-1)![part] = bytes;
    });
    const again = await openObserve()(path, KINDS, { rangesOf: () => memory.store });
    expectSame(again, whole, `damaged ${part}`);
    expect(memory.ranges()[0]!.index).toBe(0);
  }
  const { store } = await storedRangesOf(await stillClip());
  expectSame(await openObserve()(path, KINDS, { rangesOf: () => store }), whole, 'ranges of another video');
});

describe.runIf(hasFootage)('footage', () => {
  it.each([
    'tricky/androidx_avi_sample.avi',
    'tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4',
    'tricky/androidx_mp4_hdr10-av1.mp4',
    'tricky/mediabunny_hevc.ts',
    'tricky/mediabunny_missing-keyframe-labels.ts',
    'tricky/mediabunny_no-initial-keyframe.ts',
    'tricky/mediabunny_cursed-vfr.mp4',
    'tricky/mpf_xvid_aac.avi',
    'security/intel_people_detection.gif',
  ])('%s', async (name) => {
    await compare(footage(name), 5);
  });
});

function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
