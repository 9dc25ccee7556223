import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestMedia, flatClip, remuxedClip } from '#test/media/clips';
import { temporaryFolder } from '#test/temporary-folder';
import type { CapturedSegment } from '../engine/index.ts';
import type { Media } from '../index.ts';

const { ffmpeg } = inject('programs');

let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media.close());

const never = new AbortController().signal;
const asItComes = { startS: 0, previous: null, segmentS: 2, clockMs: null, stallS: 15 };

/** Null packets of a transport stream (ISO/IEC 13818-1, PID 0x1fff). */
function nothing(): Buffer {
  const packets = Buffer.alloc(188 * 2_000);
  for (let at = 0; at < packets.length; at += 188) packets.writeUInt32BE(0x47_1f_ff_10, at);
  return packets;
}

test('what has been read of a stream is let go of, however long it lasts', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const clip = await readFile(await remuxedClip(await flatClip({ times: [0, 0.5, 1], endS: 1.5 }), 'mpegts'));
  const most = 50 * nothing().length;
  let held = 0;
  async function* body() {
    yield clip;
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200; i++) yield nothing();
    // Buffers are freed by the garbage collector some time after they become unreachable.
    for (let wait = 0; wait < 50; wait++) {
      collect();
      held = process.memoryUsage().arrayBuffers - before;
      if (held < most) break;
      await sleep(100);
    }
  }
  const segments: CapturedSegment[] = [];
  const onSegment = async (segment: CapturedSegment) => void segments.push(segment);
  const source = { kind: 'bytes' as const, body: body() };
  await media.capture({ source, ...asItComes }, { onSegment, signal: never, stop: never });
  expect(segments).toHaveLength(1);
  expect(held).toBeLessThan(most);
});

test('a source that sends bytes without frames counts as broken', async () => {
  const clip = await readFile(await remuxedClip(await flatClip({ times: [0, 0.5, 1], endS: 1.5 }), 'mpegts'));
  let closed = false;
  async function* body() {
    yield clip;
    try {
      for (;;) {
        yield nothing();
        await sleep(20);
      }
    } finally {
      closed = true;
    }
  }
  const segments: CapturedSegment[] = [];
  const onSegment = async (segment: CapturedSegment) => void segments.push(segment);
  const source = { kind: 'bytes' as const, body: body() };
  const capturing = media.capture({ source, ...asItComes, stallS: 1 }, { onSegment, signal: never, stop: never });
  await expect(capturing).rejects.toMatchObject({ code: 'media_source_broken' });
  expect(segments).toHaveLength(1);
  expect(closed).toBe(true);
});

test('it ends when it is stopped while nothing comes', async () => {
  const stop = new AbortController();
  let closed = false;
  async function* body() {
    try {
      setTimeout(() => stop.abort(), 100);
      yield Buffer.alloc(188, 0x47);
      await sleep(60_000, undefined, { signal: stop.signal }).catch(() => {});
    } finally {
      closed = true;
    }
  }
  const source = { kind: 'bytes' as const, body: body(), format: 'mpegts' };
  await media
    .capture({ source, ...asItComes }, { onSegment: async () => {}, signal: never, stop: stop.signal })
    .catch(() => {});
  expect(closed).toBe(true);
});

describe.runIf(ffmpeg)('sound that comes apart', () => {
  const PICTURES = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=10:duration=6',
    '-c:v',
    'libx264',
    '-g',
    '10',
    '-bf',
    '0',
  ];
  const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=6', '-c:a', 'aac'];
  const FRAGMENTS = ['-f', 'mp4', '-movflags', 'empty_moov+default_base_moof+frag_keyframe'];

  async function made(...args: string[]): Promise<Buffer> {
    const all = ['-v', 'error', '-nostdin', ...args, '-threads', '1', 'pipe:1'];
    return (await promisify(execFile)(ffmpeg!, all, { encoding: 'buffer', maxBuffer: 2 ** 26 })).stdout;
  }

  async function* whole(bytes: Buffer) {
    yield bytes;
  }

  async function captured(
    body: AsyncIterable<Uint8Array>,
    sound: AsyncIterable<Uint8Array>,
  ): Promise<CapturedSegment[]> {
    const segments: CapturedSegment[] = [];
    const onSegment = async (segment: CapturedSegment) => void segments.push(segment);
    const source = { kind: 'bytes' as const, body, sound };
    await media.capture({ source, ...asItComes, stallS: 60 }, { onSegment, signal: never, stop: never });
    return segments;
  }

  /** When the packets of sound of a file are heard, in seconds. */
  async function soundOf(...file: Uint8Array[]): Promise<number[]> {
    const path = join(await temporaryFolder(), 'segment.mp4');
    await writeFile(path, Buffer.concat(file));
    const packets = await made('-copyts', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'framecrc');
    return [...packets.toString().matchAll(/^0, +-?\d+, +(-?\d+),/gm)].map(([, pts]) => Number(pts) / 44_100);
  }

  test.each([
    ['MPEG-TS', ['-f', 'mpegts']],
    ['fragments of MP4', FRAGMENTS],
  ])('goes with its pictures, in %s', async (_, format) => {
    const [body, sound] = await Promise.all([made(...PICTURES, ...format), made(...TONE, ...format)]);
    async function* piecewise() {
      for (let at = 0; at < sound.length; at += 4_000) yield sound.subarray(at, at + 4_000);
    }
    const segments = await captured(whole(body), piecewise());
    expect(segments.map(({ durationS }) => Math.round(durationS))).toEqual([2, 2, 2]);
    const { init, codecs, leadS: lead } = segments[0]!.epoch!;
    expect(codecs).toMatch(/^avc1\.\w+,mp4a\.40\.2$/);
    for (const { data, startS } of segments) {
      const times = await soundOf(init, data);
      // Audio of a fragment of 2 s in packets of 23 ms: all of it, and none of the next one.
      expect(times.length).toBeGreaterThan(84);
      expect(times[0]).toBeLessThan(lead + startS + 0.03);
      expect(times.at(-1)).toBeLessThan(lead + startS + 2);
    }
  });

  test('and is late, broken, or none, is no reason to miss the pictures', async () => {
    const [body, sound] = await Promise.all([made(...PICTURES, '-f', 'mpegts'), made(...TONE, '-f', 'mpegts')]);
    async function* late() {
      yield sound.subarray(0, sound.length >> 1);
      await sleep(60_000, undefined, { ref: false });
    }
    async function* broken() {
      yield sound.subarray(0, sound.length >> 1);
      throw new Error('It broke off.');
    }
    async function* none() {
      await sleep(60_000, undefined, { ref: false });
      yield sound;
    }
    async function* noise() {
      yield Buffer.alloc(100_000, 7);
    }
    const all = await Promise.all([late(), broken(), none(), noise()].map((from) => captured(whole(body), from)));
    for (const segments of all) expect(segments.map(({ durationS }) => Math.round(durationS))).toEqual([2, 2, 2]);
    expect(all.map((segments) => segments[0]!.epoch!.codecs.includes('mp4a'))).toEqual([true, true, false, false]);
  });

  test('and comes later is heard from then on', async () => {
    const [body, sound] = await Promise.all([made(...PICTURES, '-f', 'mpegts'), made(...TONE, '-f', 'mpegts')]);
    async function* slowly() {
      for (let i = 0; i < 6; i++) {
        yield body.subarray((i * body.length) / 6, ((i + 1) * body.length) / 6);
        await sleep(1_500);
      }
    }
    async function* pausing() {
      yield sound.subarray(0, sound.length / 3);
      await sleep(5_000);
      yield sound.subarray(sound.length / 3);
    }
    async function* inTwo() {
      yield body.subarray(0, (2 * body.length) / 3);
      await sleep(8_000);
      yield body.subarray((2 * body.length) / 3);
    }
    async function* beginning() {
      await sleep(6_500);
      yield sound;
    }
    const [paused, started] = await Promise.all([captured(slowly(), pausing()), captured(inTwo(), beginning())]);
    expect(paused.filter(({ epoch }) => epoch)).toHaveLength(1);
    const all = await soundOf(paused[0]!.epoch!.init, ...paused.map(({ data }) => data));
    // The first packet is from before the first picture.
    expect(all.length).toBeGreaterThan(6 * 43 - 15);
    const epochs = started.flatMap(({ epoch }) => epoch ?? []);
    expect(epochs.map(({ codecs }) => codecs.includes('mp4a'))).toEqual([false, true]);
    expect((await soundOf(epochs[1]!.init, started.at(-1)!.data)).length).toBeGreaterThan(40);
  });

  test('stays with its pictures where the times of both jump ahead', async () => {
    // Ten seconds are missing: an HLS stream without a mark of discontinuity.
    const later = ['-output_ts_offset', '16', '-f', 'mpegts'];
    const [body, body2] = await Promise.all([made(...PICTURES, '-f', 'mpegts'), made(...PICTURES, ...later)]);
    const [sound, sound2] = await Promise.all([made(...TONE, '-f', 'mpegts'), made(...TONE, ...later)]);
    const segments = await captured(whole(Buffer.concat([body, body2])), whole(Buffer.concat([sound, sound2])));
    const epochs = segments.filter(({ epoch }) => epoch);
    expect(epochs).toHaveLength(2);
    const { init, leadS: lead } = segments[0]!.epoch!;
    for (const { data, startS, durationS } of segments) {
      const times = await soundOf(init, data);
      expect(times.length).toBeGreaterThan(43 * durationS - 6);
      expect(times[0]).toBeGreaterThan(lead + startS - 0.03);
      expect(times[0]).toBeLessThan(lead + startS + 0.06);
      expect(times.at(-1)).toBeLessThan(lead + startS + durationS);
    }
  });

  test('and has ended is no trouble when the capture is called off', async () => {
    const [body, sound] = await Promise.all([made(...PICTURES, ...FRAGMENTS), made(...TONE, '-f', 'mpegts')]);
    const over = new AbortController();
    async function* slowly() {
      yield body;
      await sleep(60_000, undefined, { signal: over.signal }).catch(() => {});
    }
    async function* much() {
      yield Buffer.concat([sound, sound]).subarray(0, 120_000);
    }
    const onSegment = async () => over.abort(new Error('Called off.'));
    const source = { kind: 'bytes' as const, body: slowly(), sound: much() };
    const capturing = media.capture({ source, ...asItComes }, { onSegment, signal: over.signal, stop: never });
    await expect(capturing).rejects.toThrow('Called off.');
  });
});
