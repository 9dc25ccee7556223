import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Media } from '#platform/media/index';
import { createTestMedia, sceneClip } from '#test/media/clips';
import { readExtent, readTracks } from './mp4-boxes.ts';
import { buildHeader } from './recording-file.ts';

const segment = (i: number) => ({ startS: i * 2.002, durationS: 2.002, bytes: 1_000 + i, storageKey: `${i}` });

let media: Media;
/** A segment as the media engine makes it: pictures, and audio of 48 kHz. */
let init: Buffer;
let fragment: Buffer;
beforeAll(async () => {
  media = await createTestMedia();
  await using file = await media.trim(await sceneClip(), { fromS: 0, untilS: 2, video: 'encode', output: 'segment' });
  const bytes = await readFile(file.path);
  [init, fragment] = [bytes.subarray(0, file.headerBytes), bytes.subarray(file.headerBytes)];
});
afterAll(() => media?.close());

/** The fields of the index that begins at `at`. */
function readIndex(header: Buffer, at: number) {
  const count = header.readUInt16BE(at + 38);
  const entries = Array.from({ length: count }, (_, i) => at + 40 + i * 12);
  return {
    length: header.readUInt32BE(at),
    type: header.toString('latin1', at + 4, at + 8),
    track: header.readUInt32BE(at + 12),
    timescale: header.readUInt32BE(at + 16),
    firstOffset: Number(header.readBigUInt64BE(at + 28)),
    bytes: entries.map((entry) => header.readUInt32BE(entry)),
    ticks: entries.map((entry) => header.readUInt32BE(entry + 4)),
  };
}
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

test('the tracks of a segment and their times are read', () => {
  const [video, audio] = readTracks(init);
  expect(video).toMatchObject({ id: 1, kind: 'vide' });
  expect(audio).toMatchObject({ id: 2, kind: 'soun' });
  for (const track of [video!, audio!]) {
    const { from, until } = readExtent(fragment, track)!;
    expect((until - from) / track.timescale).toBeCloseTo(2, 0);
  }
  expect(readExtent(fragment, { ...audio!, id: 3 })).toBeNull();
  expect(readTracks(Buffer.from('nothing of the kind'))).toEqual([]);
});

test('the index of each track counts in the timescale of that track, and is as long as the track', () => {
  const [video, audio] = readTracks(init);
  const segments = [0, 1, 2].map(segment);
  const samples = { from: 2_000, until: 2_000 + Math.round(5.5 * audio!.timescale) };
  const header = buildHeader(init, segments, samples);
  expect(header.subarray(0, init.length)).toEqual(init);
  const boxBytes = 40 + 3 * 12;
  expect(header.length).toBe(init.length + 2 * boxBytes);
  const [pictures, heard] = [init.length, init.length + boxBytes].map((at) => {
    const index = readIndex(header, at);
    expect(index).toMatchObject({ type: 'sidx', length: boxBytes, bytes: [1_000, 1_001, 1_002] });
    // Where the first segment is, from the end of the box.
    expect(index.firstOffset).toBe(header.length - at - boxBytes);
    return index;
  });
  expect(pictures).toMatchObject({ track: 1, timescale: video!.timescale });
  expect(sum(pictures!.ticks)).toBe(Math.round(3 * 2.002 * video!.timescale));
  expect(heard).toMatchObject({ track: 2, timescale: audio!.timescale });
  expect(sum(heard!.ticks)).toBe(samples.until - samples.from);
  expect(heard!.ticks[1]).toBe(Math.round(2.002 * audio!.timescale));
  expect(sum(readIndex(buildHeader(init, segments, null), init.length + boxBytes).ticks)).toBe(0);
});

test('a recording of days has an index that has room for it', () => {
  const { timescale } = readTracks(init)[0]!;
  const days = Array.from({ length: 130_000 }, (_, i) => segment(i));
  const { bytes, ticks } = readIndex(buildHeader(init, days, null), init.length);
  expect(bytes).toHaveLength(Math.ceil(days.length / 3));
  expect(sum(bytes)).toBe(days.reduce((all, each) => all + each.bytes, 0));
  expect(Math.abs(sum(ticks) - 130_000 * 2.002 * timescale)).toBeLessThan(2);
});
