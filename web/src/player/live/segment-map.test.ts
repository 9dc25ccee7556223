import { expect, test } from 'vitest';
import { type MappedSegment, toCaptureTime, toMediaTime, toStreamTime } from './segment-map.ts';

/** Two segments, ten seconds without any, one more, and the parts of one that is not complete. */
const segments: MappedSegment[] = [
  { start: 100, duration: 2, streamS: 30, capturedMs: 1_000_000 },
  { start: 102, duration: 2, streamS: 32, capturedMs: 1_002_000 },
  { start: 104, duration: 2, streamS: 44, capturedMs: 1_014_500 },
  { start: 106, duration: 0.6, streamS: null, capturedMs: null },
];

test.each([
  [100, 30, 1_000_000],
  [103.5, 33.5, 1_003_500],
  [104, 44, 1_014_500],
  [106.4, 46.4, 1_016_900],
  // The decoding lead of the first frame.
  [99.9, 29.9, 999_900],
])('media time %d is %d of the stream', (mediaTime, streamS, capturedMs) => {
  expect(toStreamTime(segments, mediaTime)).toBeCloseTo(streamS, 6);
  expect(toCaptureTime(segments, mediaTime)).toBeCloseTo(capturedMs, 3);
});

test.each([
  [30, 100],
  [33.5, 103.5],
  [46.4, 106.4],
  // In the gap, the first frame after it.
  [40, 104],
  [29, null],
])('%d of the stream is media time %d', (streamS, mediaTime) => {
  expect(toMediaTime(segments, streamS)).toBe(mediaTime);
});

test('is unknown without segments', () => {
  expect(toStreamTime([], 1)).toBeNull();
  expect(toMediaTime([], 1)).toBeNull();
});
