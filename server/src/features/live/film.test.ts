import { expect, test } from 'vitest';
import { filmHeader } from './film.ts';

const segment = (i: number) => ({ startS: i * 2.002, durationS: 2.002, bytes: 1_000 + i, storageKey: `${i}` });

test('the index of a recording has all of it, each segment where it is', () => {
  const init = Buffer.from('tracks: vide soun');
  const segments = [0, 1, 2].map(segment);
  const header = filmHeader(init, segments);
  expect(header.subarray(0, init.length)).toEqual(init);
  const boxBytes = 40 + 3 * 12;
  expect(header.length).toBe(init.length + 2 * boxBytes);
  for (const [i, at] of [init.length, init.length + boxBytes].entries()) {
    expect(header.toString('latin1', at + 4, at + 8)).toBe('sidx');
    expect([header.readUInt32BE(at), header.readUInt32BE(at + 12), header.readUInt16BE(at + 38)]).toEqual([
      boxBytes,
      i + 1,
      3,
    ]);
    // Where the first segment is, from the end of the box.
    expect(Number(header.readBigUInt64BE(at + 28))).toBe(header.length - at - boxBytes);
    expect([0, 1, 2].map((n) => header.readUInt32BE(at + 40 + n * 12))).toEqual([1_000, 1_001, 1_002]);
    const ticks = [0, 1, 2].reduce((sum, n) => sum + header.readUInt32BE(at + 44 + n * 12), 0);
    expect(ticks).toBe(Math.round(3 * 2.002 * 90_000));
  }
});

test('a recording of days has an index that has room for it', () => {
  const days = Array.from({ length: 130_000 }, (_, i) => segment(i));
  const header = filmHeader(Buffer.from('vide'), days);
  const count = header.readUInt16BE(4 + 38);
  expect(count).toBe(Math.ceil(days.length / 3));
  let [bytes, ticks] = [0, 0];
  for (let i = 0; i < count; i++) {
    bytes += header.readUInt32BE(4 + 40 + i * 12);
    ticks += header.readUInt32BE(4 + 44 + i * 12);
  }
  expect(bytes).toBe(days.reduce((sum, each) => sum + each.bytes, 0));
  expect(Math.abs(ticks - 130_000 * 2.002 * 90_000)).toBeLessThan(2);
});
