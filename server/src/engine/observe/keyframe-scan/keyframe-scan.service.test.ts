import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia, flatClip, STILL, sceneClip, stillClip } from '#test/media/clips';
import { createEngine, createModelFolder, type Engine } from '../../index.ts';
import { decodeObservation } from '../decode-observation.ts';
import { COLUMNS, ROWS } from './collector.ts';
import type { KeyframeScan } from './observation.ts';
import { keyframeScan as observer } from './observer.ts';
import { findQuietIntervals } from './quiet-intervals.ts';

const SIZE = { width: 640, height: 360 };

/** A minute with a keyframe every two seconds, 25 packets a second of 15 bytes, and no changes. */
function still(change: (scan: KeyframeScan) => void = () => {}): KeyframeScan {
  const timeS = Float64Array.from({ length: 31 }, (_, i) => 2 * i);
  const packetS = Float64Array.from({ length: 62 * 25 }, (_, i) => i / 25);
  const packetKey = Uint8Array.from(packetS, (_, i) => Number(i % 50 === 0));
  const scan: KeyframeScan = {
    packetS,
    packetKey,
    packetBytes: Int32Array.from(packetKey, (key) => (key ? 20_000 : 15)),
    timeS,
    pts: timeS.map((time) => time * 90_000),
    difference: new Float32Array(timeS.length),
    cells: new Uint8Array(timeS.length * ROWS * COLUMNS).fill(100),
    rows: ROWS,
    columns: COLUMNS,
  };
  change(scan);
  return scan;
}

const quiet = (change?: (scan: KeyframeScan) => void) =>
  findQuietIntervals(still(change), SIZE).map(({ startS, endS }) => [startS, endS]);

describe('a quiet interval', () => {
  test('lasts until the last keyframe of a still video', () => expect(quiet()).toEqual([[0, 60]]));

  test('ends where packets grow slightly', () => {
    const visit = ({ packetBytes }: KeyframeScan) => packetBytes.fill(20, 25 * 20.5, 25 * 21.5);
    expect(quiet(visit)).toEqual([
      [0, 20],
      [22, 60],
    ]);
  });

  test('ends where a small part of the frame changes', () => {
    const appears = ({ difference }: KeyframeScan) => {
      difference[10] = 9;
    };
    expect(quiet(appears)).toEqual([
      [0, 18],
      [20, 60],
    ]);
  });

  test('ends where slow changes add up', () => {
    const darkens = ({ cells }: KeyframeScan) => {
      for (let k = 0; k <= 30; k++) cells[k * ROWS * COLUMNS + 77] = 100 - k;
    };
    expect(Math.max(...quiet(darkens).map(([startS = 0, endS = 0]) => endS - startS))).toBe(8);
  });

  test('is not found in a noisy video or at a constant bit rate', () => {
    const filled = ({ packetBytes, packetKey }: KeyframeScan) => {
      for (let i = 0; i < packetBytes.length; i++) if (!packetKey[i]) packetBytes[i] = 400;
    };
    expect(quiet(filled)).toEqual([]);
  });

  test('excludes a gap of the recording', () => {
    const gap = (scan: KeyframeScan) => {
      scan.packetS = scan.packetS.map((time) => (time > 30 && time < 32 ? 30 : time));
    };
    expect(quiet(gap)).toEqual([
      [0, 30],
      [32, 60],
    ]);
  });

  test('is not found without keyframes', () => {
    const none = (scan: KeyframeScan) => {
      scan.timeS = scan.timeS.subarray(0, 0);
    };
    expect(quiet(none)).toEqual([]);
  });
});

describe('the keyframe scan of videos', () => {
  let media: Media;
  let engine: Engine;
  beforeAll(async () => {
    media = await createTestMedia();
    const log = createLog('silent');
    engine = createEngine({ media, models: createModelFolder('/nowhere'), vision: null, log });
  });
  afterAll(() => media.close());

  const observe = async (path: string) => {
    const { video, observation } = decodeObservation(observer, (await engine.observe(path, ['triage'])).get('triage')!);
    return { video, scan: observation };
  };
  const quietIn = async (path: string) => {
    const { scan, video } = await observe(path);
    return findQuietIntervals(scan, video);
  };

  test('has every packet and the keyframes in order, and is deterministic', async () => {
    const path = await stillClip();
    const { scan, video } = await observe(path);
    expect(video.durationS).toBeCloseTo(STILL.durationS, 2);
    expect(scan.packetS).toHaveLength(STILL.durationS * STILL.frameRate);
    expect([...scan.packetS]).toEqual([...scan.packetS.toSorted()]);
    expect([...scan.timeS]).toEqual(Array.from({ length: 13 }, (_, i) => expect.closeTo(2 * i, 5)));
    expect([...scan.timeS].map((t) => scan.packetKey[scan.packetS.indexOf(t)])).toEqual(Array(13).fill(1));
    const [once, again] = [await engine.observe(path, ['triage']), await engine.observe(path, ['triage'])];
    expect(Buffer.compare(once.get('triage')!, again.get('triage')!)).toBe(0);
  });

  test('finds the quiet intervals around a short visit and a slow start', async () => {
    const found = await quietIn(await stillClip());
    const { visit, creep } = STILL;
    for (const { startS, endS } of found) {
      for (const event of [visit, creep]) expect(startS >= event.endS || endS <= event.startS).toBe(true);
    }
    expect(found.map(({ startS, endS }) => [Math.round(startS), Math.round(endS)])).toEqual([
      [2, 6],
      [8, 14],
      [20, 24],
    ]);
  });

  test('finds nothing with coded noise or continuous changes', async () => {
    expect(await quietIn(await stillClip(2))).toEqual([]);
    expect(await quietIn(await sceneClip())).toEqual([]);
  });

  test('accepts a video with a single keyframe', async () => {
    const { scan } = await observe(await flatClip({ times: [0, 0.5, 1], endS: 1.5 }));
    expect(scan.timeS.length).toBeGreaterThan(0);
    expect(scan.packetS).toHaveLength(3);
  });

  /** Intervals of footage with visible changes. */
  const FOOTAGE: Record<string, [number, number][]> = {
    'road/intel_car_detection_topdown.mp4': [
      [4.4, 8.5],
      [14.5, 18.9],
      [25.3, 27.9],
    ],
    'road/bgs_topdown_road_outlines.avi': [
      [2, 8.6],
      [9.7, 12.1],
    ],
    'security/mpf_conference_people.mp4': [[0, 3]],
    'road/udacity_solidWhiteRight.mp4': [[0, 8.8]],
  };
  test.each(hasFootage ? Object.entries(FOOTAGE) : [])('hides nothing of %s', async (file, events) => {
    const found = await quietIn(footage(file));
    const hidden = found.filter((q) => events.some(([startS, endS]) => q.startS < endS && q.endS > startS));
    expect(hidden).toEqual([]);
  });

  const black = footage('tricky/androidx_mp4_silent-black-25s.mp4');
  test.runIf(hasFootage)('a black recording is quiet', async () => {
    expect(await quietIn(black)).toEqual([{ startS: 0, endS: expect.closeTo(16.67, 1) }]);
  });
});
