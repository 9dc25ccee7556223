import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMedia, flatClip, remuxedClip } from '#test/clips';
import type { Media } from './index.ts';
import type { LiveSegment } from './live.ts';

let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media.close());

const never = new AbortController().signal;
const asItComes = { startS: 0, before: null, segmentS: 2, clockMs: null, stallS: 15 };

/** Packets of nothing (ISO/IEC 13818-1, PID 0x1fff): read, and skipped. */
function nothing(): Buffer {
  const packets = Buffer.alloc(188 * 2_000);
  for (let at = 0; at < packets.length; at += 188) packets.writeUInt32BE(0x47_1f_ff_10, at);
  return packets;
}

test('what has been read of a stream is let go of, however long it lasts', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const clip = await readFile(await remuxedClip(await flatClip({ times: [0, 0.5, 1], endS: 1.5 }), 'mpegts'));
  let held = 0;
  async function* body() {
    yield clip;
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200; i++) yield nothing();
    collect();
    held = process.memoryUsage().arrayBuffers - before;
  }
  const segments: LiveSegment[] = [];
  const onSegment = async (segment: LiveSegment) => void segments.push(segment);
  const source = { kind: 'bytes' as const, body: body() };
  await media.capture({ source, ...asItComes }, { onSegment, signal: never, stop: never });
  expect(segments).toHaveLength(1);
  expect(held).toBeLessThan(50 * nothing().length);
});

test('bytes that go on without pictures are a source that broke', async () => {
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
  const segments: LiveSegment[] = [];
  const onSegment = async (segment: LiveSegment) => void segments.push(segment);
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
