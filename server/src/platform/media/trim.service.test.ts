import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia, flatClip, flatLevel, remuxedClip, sceneClip } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';
import type { Media, TrimRequest } from './index.ts';
import { findCopy } from './tasks/copy-range.ts';
import { decodeDelay, evenStarts, keyframeStarts } from './tasks/segment-plan.ts';

const TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);
const RATE = 16_000;
const SMALL = { width: 32, height: 24, format: 'gray' } as const;

describe('cutting', () => {
  let media: Media;
  let folder: string;
  beforeAll(async () => {
    media = await createTestMedia();
    folder = await temporaryFolder();
  });
  afterAll(() => media.close());

  const see = (path: string, args: Partial<DecodeClipArgs> = {}) =>
    media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args: { path, picture: SMALL, ...args } });
  async function cutOf(path: string, request: TrimRequest, args?: Partial<DecodeClipArgs>) {
    await using file = await media.trim(path, request);
    return { seen: await see(file.path, args), probe: await media.probe(file.path) };
  }
  /** Segments put together as a player does: the first one's header, then every fragment. */
  async function joined(path: string, bounds: number[], video: TrimRequest['video']): Promise<string> {
    const parts: Buffer[] = [];
    for (const [i, fromS] of bounds.slice(0, -1).entries()) {
      await using file = await media.trim(path, { fromS, untilS: bounds[i + 1]!, video, output: 'segment' });
      const bytes = await readFile(file.path);
      expect(file.headerBytes).toBeGreaterThan(100);
      if (i === 0) parts.push(bytes.subarray(0, file.headerBytes));
      parts.push(bytes.subarray(file.headerBytes));
    }
    const target = join(folder, `${newId()}.mp4`);
    await writeFile(target, Buffer.concat(parts));
    return target;
  }
  const round = (times: number[]) => times.map((time) => Math.round(time * 1e4) / 1e4);

  test('a clip begins and ends to the frame, at any rate of frames', async () => {
    // Frames of odd lengths; a keyframe every twelve.
    const times = Array.from({ length: 60 }, (_, i) => i * 0.1 + (i % 3) * 0.02);
    const path = await flatClip({ times, endS: 6 });
    for (const [fromS, untilS, first, last] of [
      // At a frame's own times, between frames, from the start, to the end.
      [times[5]!, times[20]!, 5, 19],
      [times[17]! + 0.03, times[40]! + 0.01, 17, 40],
      [0, 1, 0, 9],
      [5.5, 6, 54, 59],
    ] as const) {
      const { seen } = await cutOf(path, { fromS, untilS, video: 'encode', output: 'mp4' });
      const expected = times.slice(first, last + 1).map((time) => Math.max(0, time - fromS));
      expect(round(seen.frames.map(({ timeS }) => timeS)), `${fromS}`).toEqual(round(expected));
      for (const [i, { data }] of seen.frames.entries()) {
        expect(Math.abs(data[12 * 32 + 20]! - flatLevel(first + i)), `${fromS} ${i}`).toBeLessThan(5);
      }
      expect(seen.summary.endS).toBeCloseTo(untilS - fromS, 3);
    }
  });

  test('a cut states whether its frames are those of the video', async () => {
    const path = await sceneClip();
    const keyframeS = (await media.planSegments(path)).startsS[1]!;
    for (const [fromS, untilS, isCopied] of [
      [0, keyframeS, true],
      [0, keyframeS - 0.3, false],
      [0.3, keyframeS, false],
    ] as const) {
      await using file = await media.trim(path, { fromS, untilS, video: 'copy', output: 'mp4' });
      expect(file.copied, `${fromS} to ${untilS}`).toBe(isCopied);
    }
  });

  test('ranges in a row that start with new frames have each frame once', async () => {
    const times = Array.from({ length: 10 }, (_, i) => i * 0.7);
    const path = await flatClip({ times, endS: 7 });
    const counts: number[] = [];
    for (const [fromS, untilS] of [
      [0, 3],
      [3, 5.6],
      [5.6, 7],
    ] as const) {
      const { seen } = await cutOf(path, { fromS, untilS, video: 'encode', startWith: 'new', output: 'mp4' });
      counts.push(seen.frames.length);
    }
    expect(counts).toEqual([5, 3, 2]);
  });

  test('a clip has the audio of its time range', async () => {
    const path = await sceneClip();
    const whole = await see(path, { sampleRate: RATE });
    const { seen, probe } = await cutOf(
      path,
      { fromS: 3.1, untilS: 7.3, video: 'encode', output: 'mp4' },
      { sampleRate: RATE },
    );
    expect(probe.audio?.codec).toBe('aac');
    const [original, clipped] = [levels(whole, 3.1, 4.2), levels(seen, 0, 4.2)];
    expect(correlation(original, clipped)).toBeGreaterThan(0.95);
  });

  test.each(['mp4', 'matroska', 'mpegts', 'flv'] as const)(
    'segments of %s are its packets, in picture and sound, as if never cut',
    async (format) => {
      const scene = await sceneClip();
      const path = format === 'mp4' ? scene : await remuxedClip(scene, format);
      const whole = await see(scene, { sampleRate: RATE });
      const { video, startsS, endS } = await media.planSegments(path);
      expect(video).toEqual({ delayS: expect.any(Number) });
      expect(startsS.length).toBeGreaterThan(1);
      const seen = await see(await joined(path, [...startsS, endS], video), { sampleRate: RATE });
      expect(seen.summary.errors).toBe(0);
      expect(seen.frames.length).toBe(whole.frames.length);
      for (const [i, { timeS, data }] of whole.frames.entries()) {
        // Some containers count milliseconds.
        expect(Math.abs(seen.frames[i]!.timeS - timeS)).toBeLessThan(0.001);
        expect(data.every((value, k) => value === seen.frames[i]!.data[k])).toBe(true);
      }
      expect(correlation(levels(whole, 0, 15.5), levels(seen, 0, 15.5))).toBeGreaterThan(0.98);
    },
  );

  test('encoded segments are continuous too', async () => {
    const path = await sceneClip();
    const whole = await see(path, { sampleRate: RATE });
    const frames = whole.frames.map(({ timeS }) => timeS);
    const bounds = [0, frames[77]!, frames[200]!, 16];
    const seen = await see(await joined(path, bounds, 'encode'), { sampleRate: RATE });
    expect(round(seen.frames.map(({ timeS }) => timeS))).toEqual(round(frames));
    expect(seen.summary.errors).toBe(0);
    expect(correlation(levels(whole, 0, 15.5), levels(seen, 0, 15.5))).toBeGreaterThan(0.98);
  });

  test('an encoded cut is small enough, even-sided and 8 bits deep, and upright', async () => {
    const turned = await flatClip({ times: [0, 0.5, 1], endS: 1.5, width: 66, height: 50, rotation: 90 });
    const { probe } = await cutOf(turned, { fromS: 0, untilS: 1.5, video: 'encode', output: 'mp4', maxSide: 33 });
    expect(probe.video).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p', rotation: 0 });
    expect([probe.video.width, probe.video.height]).toEqual([24, 32]);
  });

  const ODD = [
    'tricky/androidx_mp4_hdr10-av1.mp4',
    'tricky/mpf_h265_aac.mp4',
    'tricky/torchcodec_h264_10bits.mp4',
    'tricky/androidx_avi_sample.avi',
  ];
  test.each(hasFootage ? ODD : [])('%s becomes H.264 that begins at its first frame', async (file) => {
    const { video, startsS } = await media.planSegments(footage(file));
    expect([video, startsS[0]]).toEqual(['encode', 0]);
    const { seen, probe } = await cutOf(footage(file), {
      fromS: 0.2,
      untilS: 0.6,
      video: 'encode',
      output: 'mp4',
      maxSide: 320,
    });
    expect(probe.video).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p' });
    expect(seen.frames[0]!.timeS).toBe(0);
    expect(seen.frames.length).toBeGreaterThan(3);
  });
});

describe('where segments begin', () => {
  const packets = (times: number[], keyEvery: number) =>
    times.map((timeS, i) => ({ timeS, bytes: 1000, keyframe: i % keyEvery === 0 }));
  const seconds = (count: number) => Array.from({ length: count }, (_, i) => i);

  test('at the first keyframe that is six seconds after the one before', () => {
    expect(keyframeStarts(packets(seconds(30), 4), 30)).toEqual([0, 8, 16, 24]);
  });
  test('not where keyframes are too far apart, too large, or the first frame is none', () => {
    expect(keyframeStarts(packets(seconds(30), 25), 30)).toBeNull();
    expect(keyframeStarts(packets(seconds(60), 15), 90)).toBeNull();
    expect(
      keyframeStarts(
        packets(seconds(30), 4).map((packet) => ({ ...packet, bytes: 2e7 })),
        30,
      ),
    ).toBeNull();
    expect(
      keyframeStarts(
        packets(seconds(30), 4).map((packet) => ({ ...packet, timeS: packet.timeS + 1 })),
        31,
      ),
    ).toBeNull();
    expect(keyframeStarts([], 0)).toBeNull();
  });
  test('every six seconds where they are encoded, without a splinter at the end', () => {
    expect(evenStarts(30)).toEqual([0, 6, 12, 18, 24]);
    expect(evenStarts(24.9)).toEqual([0, 6, 12, 18]);
    expect([evenStarts(0.04), evenStarts(7), evenStarts(7.1)]).toEqual([[0], [0], [0, 6]]);
  });
  test('decoding is as far ahead of showing as the order of frames asks for', () => {
    expect(decodeDelay(packets([0, 1, 2, 3], 4))).toBe(0);
    expect(decodeDelay(packets([0, 3, 1, 2, 6, 4, 5], 7))).toBe(1);
    expect(decodeDelay(packets([0, 4, 2, 1, 3], 5))).toBe(2);
    expect(decodeDelay(packets([0, 1, 1, 2], 5))).toBeNull();
  });
});

/** Loudness of the sound in steps of a fiftieth of a second. */
function levels({ sound }: DecodedClip, fromS: number, lengthS: number): number[] {
  const sums = new Float64Array(Math.floor(lengthS * 50));
  for (const { timeS, samples } of sound) {
    for (let i = 0; i < samples.length; i++) {
      const step = Math.floor((timeS + i / RATE - fromS) * 50);
      if (step >= 0 && step < sums.length) sums[step]! += samples[i]! ** 2;
    }
  }
  return [...sums].map(Math.sqrt);
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    ab += (value - ma) * (b[i]! - mb);
    aa += (value - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

describe('a range that is copied on its own', () => {
  const packet = (timeS: number, keyframe = false) => ({ timeS, keyframe, bytes: 1 });
  const closed = [packet(0, true), packet(1), packet(2, true), packet(4), packet(3)];

  test('starts and ends at keyframes, or ends with the video', () => {
    expect(findCopy(closed, { fromS: 0.0004, untilS: 2 })).toEqual({ fromS: 0, untilS: 2, video: { delayS: 1 } });
    expect(findCopy(closed, { fromS: 2, untilS: 5 })).toEqual({ fromS: 2, untilS: 5, video: { delayS: 1 } });
    expect(findCopy(closed, { fromS: 1, untilS: 5 })).toBeNull();
    expect(findCopy(closed, { fromS: 0, untilS: 3 })).toBeNull();
  });

  test('has no frames that depend on an earlier group of pictures', () => {
    const open = [packet(0, true), packet(2, true), packet(1), packet(3)];
    expect(findCopy(open, { fromS: 2, untilS: 4 })).toBeNull();
    expect(findCopy(open, { fromS: 0, untilS: 2 })).toBeNull();
    expect(findCopy(open, { fromS: 0, untilS: 4 })).toMatchObject({ untilS: 4 });
  });
});
