import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readContainer, readName } from './readings.ts';

const NOW = new Date('2026-11-29T12:00:00Z');

describe('the name of a file', () => {
  test.each([
    ['20261127_080010.mp4', '2026-11-27T08:00:10.000', null],
    ['VID_20261127_080010.mp4', '2026-11-27T08:00:10.000', null],
    ['VID-20261127-080010.mp4', '2026-11-27T08:00:10.000', null],
    ['PXL_20261127_080010123.mp4', '2026-11-27T08:00:10.123', 0],
    ['2026-11-27_08-00-10-front.mp4', '2026-11-27T08:00:10.000', null],
    ['2026-11-27 08.00.10.mov', '2026-11-27T08:00:10.000', null],
    ['WhatsApp Video 2026-11-27 at 08.00.10.mp4', '2026-11-27T08:00:10.000', null],
    ['DJI_20261127080010_0001_D.MP4', '2026-11-27T08:00:10.000', null],
    ['RecM01_20261127_080010_080140_0.mp4', '2026-11-27T08:00:10.000', null],
    ['ch01_2026-11-27T08-00-10Z.mkv', '2026-11-27T08:00:10.000', 0],
    ['gate 2026-11-27T08:00:10.5+0530.mp4', '2026-11-27T08:00:10.500', 330],
    ['gate-2026-11-27T08:00:10-03:00.mp4', '2026-11-27T08:00:10.000', -180],
    ['1764230410.512-x7.mp4', '2025-11-27T08:00:10.512', 0],
  ])('%s', (name, time, offsetMin) => {
    expect(readName(name, NOW)).toEqual({ source: 'name', time, offsetMin });
  });

  test.each([
    ['a date without a time', '2026-11-27.mp4'],
    ['no date of the calendar', '20261131_080010.mp4'],
    ['an hour that no day has', '20261127_250010.mp4'],
    ['a number that is longer', '120261127080010.mp4'],
    ['a time that has not come yet', '20270527_080010.mp4'],
    ['no number', 'gate.mp4'],
    ['a resolution', 'gate_1920x1080_30fps.mp4'],
    ['part of a longer number', '17642304101234.mp4'],
  ])('says nothing with %s', (_, name) => {
    expect(readName(name, NOW)).toBeNull();
  });

  test('says nothing with an identifier or a digest', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'));
    // Some contain ten digits that could be seconds.
    expect(names.filter((name) => /(?<!\d)1\d{9}(?!\d)/.test(name)).length).toBeGreaterThan(20);
    const read = names
      .flatMap((name) => [`${name}.mp4`, `${name.slice(0, 32)}.mp4`])
      .filter((name) => readName(name, NOW));
    expect(read).toEqual([]);
  });
});

describe('the container', () => {
  const createdAt = '2026-11-27T08:00:00.000Z';
  const stated = { source: 'container', time: '2026-11-27T08:00:00.000', offsetMin: 0, isDoubtful: true };

  test('states UTC, in which many cameras write local time', () => {
    expect(readContainer({ createdAt, tags: {} })).toEqual(stated);
  });

  test('is exact where it states an offset', () => {
    const tags = { 'com.apple.quicktime.creationdate': '2026-11-27T09:00:00+0100' };
    expect(readContainer({ createdAt, tags })).toEqual({
      source: 'container',
      time: '2026-11-27T09:00:00.000',
      offsetMin: 60,
    });
  });

  test('states nothing if it has no time, and ignores text that is not a time', () => {
    expect(readContainer({ createdAt: null, tags: {} })).toBeNull();
    expect(readContainer({ createdAt, tags: { 'com.apple.quicktime.creationdate': 'yesterday' } })).toEqual(stated);
  });
});
