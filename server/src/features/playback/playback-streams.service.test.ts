import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { PROBE } from '#test/library';
import { sceneClip } from '#test/media/clips';
import type { DecodedClip } from '#test/media/media-tasks';
import { add, addClip, api, library, media, pathOf, play, sign, usePlayback } from './playback.fixture.ts';

usePlayback();

describe('a clip', () => {
  let id: string;
  beforeAll(async () => {
    id = await addClip(await sceneClip());
  });
  const signClip = (start?: unknown, end?: unknown) => sign(id, { kind: 'clip', start, end });

  test('is the range for which it was signed, made once, and nothing else', async () => {
    const make = vi.spyOn(media, 'trim');
    const path = pathOf(await signClip(2.5, 4));
    const answers = await Promise.all([play(path), play(path), play(path, {}, 'HEAD')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(make).toHaveBeenCalledTimes(1);
    make.mockRestore();
    const { headers, body } = answers[0]!;
    expect(headers.get('content-type')).toBe('video/mp4');
    const file = join(library.folder, 'clip.mp4');
    await writeFile(file, body);
    expect(await media.probe(file)).toMatchObject({ durationS: expect.closeTo(1.5, 1), audio: { codec: 'aac' } });
    expect((await play(path, { range: `bytes=${body.length}-` })).status).toBe(416);
    for (const other of [path.replace('start=2.5', 'start=0'), path.replace('end=4', 'end=16')]) {
      const { status, body } = await play(other);
      expect([status, JSON.parse(body.toString()).error]).toEqual([403, 'playback_url_invalid']);
    }
  });

  test('ends with the video at the latest', async () => {
    expect((await signClip(15, 99)).json.url).toMatch(/start=15&end=16(\.\d+)?&/);
  });

  test.each([
    [undefined, undefined],
    [1, undefined],
    [3, 3],
    [3, 2],
    [16.5, 20],
  ])('from %s to %s is none', async (start, end) => {
    expect(await signClip(start, end)).toMatchObject({ status: 400, json: { error: 'clip_invalid' } });
  });

  test('of more than five minutes is none', async () => {
    const long = await add(Buffer.from('long'), { probe: { ...PROBE, durationS: 4_000 } });
    expect((await sign(long, { kind: 'clip', start: 100, end: 400 })).status).toBe(200);
    expect(await sign(long, { kind: 'clip', start: 100, end: 400.1 })).toMatchObject({
      status: 400,
      json: { error: 'clip_invalid' },
    });
  });
});

describe('a stream', () => {
  /** Fetches all segments of a playlist and concatenates them. Checks the sum of durations. */
  async function watch(id: string) {
    const path = pathOf(await sign(id, { kind: 'hls' }));
    const { status, headers, body } = await play(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl']);
    const lines = body.toString().trim().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['#EXTM3U', '#EXT-X-ENDLIST']);
    const lengths = lines.flatMap((line) => /^#EXTINF:([\d.]+),$/.exec(line)?.[1] ?? []).map(Number);
    const target = Number(/TARGETDURATION:(\d+)/.exec(body.toString())![1]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(target);
    const names = [/MAP:URI="(.+)"/.exec(body.toString())![1]!, ...lines.filter((line) => line[0] !== '#')];
    expect(names.length).toBe(lengths.length + 1);
    const parts: Buffer[] = [];
    for (const name of names) {
      const part = await play(new URL(name, api.base + path).href.slice(api.base.length));
      expect([name, part.status]).toEqual([name, 200]);
      expect(part.headers.get('access-control-allow-origin')).toBe('*');
      parts.push(part.body);
    }
    const file = join(library.folder, `${id}.mp4`);
    await writeFile(file, Buffer.concat(parts));
    return { path, file, lengths };
  }
  const packetsOf = (path: string) =>
    media.run<DecodedClip>({
      module: new URL('../../../test/media/media-tasks.ts', import.meta.url),
      name: 'decodeClip',
      args: { path, picture: { width: 16, height: 16, format: 'gray' } },
      reads: [path],
    });

  test('of H.264 is the video itself, packet by packet, in segments', async () => {
    const clip = await sceneClip();
    const { file, lengths } = await watch(await addClip(clip));
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(16, 1);
    const [original, stream] = [await packetsOf(clip), await packetsOf(file)];
    expect(stream.packets.map(({ bytes }) => bytes)).toEqual(original.packets.map(({ bytes }) => bytes));
    for (const [i, { timeS }] of original.packets.entries()) expect(stream.packets[i]!.timeS).toBeCloseTo(timeS, 3);
    expect(stream.summary.errors).toBe(0);
  });

  test('names its segments in one way, and has no others', async () => {
    const id = await addClip(await sceneClip());
    const path = pathOf(await sign(id, { kind: 'hls' }));
    for (const [name, status] of [
      ['9999.m4s', 404],
      ['00.m4s', 404],
      ['x.m4s', 400],
      ['..%2Fsource', 400],
    ] as const) {
      expect([name, (await play(path.replace('index.m3u8', name))).status]).toEqual([name, status]);
    }
  });

  const odd = hasFootage ? ['tricky/mpf_h265_aac.mp4', 'tricky/torchcodec_h264_10bits.mp4'] : [];
  test.each(odd)('of %s, which not every browser plays, is H.264, frame by frame at the same times', async (name) => {
    const path = footage(name);
    const { file } = await watch(await addClip(path));
    expect((await media.probe(file)).video).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p' });
    const [original, stream] = [await packetsOf(path), await packetsOf(file)];
    expect(stream.frames.length).toBe(original.frames.length);
    for (const [i, { timeS }] of original.frames.entries()) expect(stream.frames[i]!.timeS).toBeCloseTo(timeS, 3);
  });
});
