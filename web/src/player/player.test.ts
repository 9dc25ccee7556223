import { describe, expect, test } from 'vitest';
import { isDisposable, lengthSizeOf } from './decoder/avc.ts';
import { frameNumber, insideFrame, shuttleSpeed, stepTime } from './frames.ts';
import { boxAt, boxesAt, containedArea } from './stage/boxes.ts';
import { parseStoryboard, tileAt } from './storyboard.ts';

describe('frames', () => {
  test.each([15, 23.976, 25, 29.97, 30, 59.94])('steps at %d fps reach every frame once, both ways', (rate) => {
    const start = (frame: number) => frame / rate;
    for (let frame = 0; frame < 200; frame++) {
      // The seek lands inside the next frame, and the browser reports the start of that frame.
      expect(frameNumber(stepTime(start(frame), 1, rate, 1e4), rate)).toBe(frame + 1);
      expect(frameNumber(stepTime(start(frame), -1, rate, 1e4), rate)).toBe(Math.max(0, frame - 1));
      expect(frameNumber(Math.round(start(frame) * 1000) / 1000, rate)).toBe(frame);
    }
  });

  test('steps end at both ends of the video', () => {
    expect(stepTime(0, -1, 25, 10)).toBe(0);
    expect(stepTime(9.96, 1, 25, 10)).toBeLessThan(10);
  });

  test('times at the start of a frame are moved into it, and others stay', () => {
    for (const rate of [15, 29.97, 59.94])
      for (const off of [-0.0019, -1e-6, 0, 1e-6, 0.0019])
        expect(insideFrame(77 / rate + off, rate)).toBeCloseTo(77 / rate + 0.002, 9);
    expect(insideFrame(77.5 / 30, 30)).toBe(77.5 / 30);
  });

  test('shuttle keys double the speed, and turn at once', () => {
    expect([0, 1, 2, 4, -1, 0.25].map((speed) => shuttleSpeed(speed, 1))).toEqual([1, 2, 4, 4, 1, 1]);
    expect([0, -1, -2, -4, 4].map((speed) => shuttleSpeed(speed, -1))).toEqual([-1, -2, -4, -4, -1]);
  });
});

describe('storyboard', () => {
  const vtt = `WEBVTT

00:00:00.000 --> 00:00:01.000
storyboard.jpg?token=a.b#xywh=0,0,192,108

01:00:01.500 --> 01:00:03.000
storyboard.jpg?token=a.b#xywh=192,108,192,108
`;

  test('is read with its image and times of more than an hour', () => {
    expect(parseStoryboard(vtt)).toEqual({
      image: 'storyboard.jpg?token=a.b',
      tiles: [
        { start: 0, end: 1, x: 0, y: 0, width: 192, height: 108 },
        { start: 3601.5, end: 3603, x: 192, y: 108, width: 192, height: 108 },
      ],
    });
    expect(parseStoryboard('WEBVTT\n')).toEqual({ image: null, tiles: [] });
  });

  test('each time has the thumbnail of its interval, also past the end', () => {
    const tiles = Array.from({ length: 100 }, (_, index) => ({
      start: index * 2,
      end: index * 2 + 2,
      x: index,
      y: 0,
      width: 1,
      height: 1,
    }));
    expect([-1, 0, 1.9, 2, 99.5, 1e6].map((time) => tileAt(tiles, time)?.x)).toEqual([0, 0, 0, 1, 49, 99]);
    expect(tileAt([], 3)).toBeUndefined();
  });
});

describe('boxes', () => {
  const at = (time: number, x: number) => ({ time, x, y: 0.5, width: 0.1, height: 0.2, confidence: 0.8 });
  const track = { id: '1', label: 'car', color: 1, points: [at(1, 0.1), at(2, 0.3), at(8, 0.5)] };

  test('are between their neighbors, and missing outside the track and in its gaps', () => {
    expect(boxAt(track, 1.5, 2)).toMatchObject({ x: 0.2, y: 0.5 });
    expect(boxAt(track, 5, 2)).toBeNull();
    expect(boxAt(track, 0.5, 2)).toBeNull();
    expect(boxAt(track, 8.03, 2)).toMatchObject({ x: 0.5 });
    expect(boxesAt([track], 1)).toMatchObject([{ id: '1', label: 'car', x: 0.1 }]);
  });

  test('are drawn where the picture is, with bars at its sides or above it', () => {
    expect(containedArea({ width: 1000, height: 500 }, { width: 500, height: 500 })).toEqual({
      x: 250,
      y: 0,
      width: 500,
      height: 500,
    });
    expect(containedArea({ width: 400, height: 500 }, { width: 800, height: 400 })).toEqual({
      x: 0,
      y: 150,
      width: 400,
      height: 200,
    });
  });
});

describe('H.264 packets', () => {
  /** Units with their types and whether other frames depend on them, behind lengths of four bytes. */
  const packet = (...units: [type: number, isReference: boolean][]) =>
    Uint8Array.from(units.flatMap(([type, isReference]) => [0, 0, 0, 3, (isReference ? 0x60 : 0) | type, 7, 7]));

  test('are disposable if no frame depends on any of their slices', () => {
    expect(isDisposable(packet([1, false]), 4)).toBe(true);
    expect(isDisposable(packet([6, false], [1, false], [1, false]), 4)).toBe(true);
    expect(isDisposable(packet([1, false], [1, true]), 4)).toBe(false);
    expect(isDisposable(packet([9, false], [5, true]), 4)).toBe(false);
    // Parameter sets alone, and packets that are cut off.
    expect(isDisposable(packet([7, true], [8, true]), 4)).toBe(false);
    expect(isDisposable(new Uint8Array([0, 0, 0]), 4)).toBe(false);
  });

  test('have lengths of the size that the configuration of the file states', () => {
    expect(lengthSizeOf(new Uint8Array([1, 100, 0, 40, 0xff, 0xe1]))).toBe(4);
    expect(lengthSizeOf(new Uint8Array([0, 1, 100, 0, 40, 0xfd, 0xe1]).subarray(1))).toBe(2);
    expect(lengthSizeOf(undefined)).toBeNull();
  });
});
