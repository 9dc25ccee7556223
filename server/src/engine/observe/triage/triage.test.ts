import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia, flatClip, STILL, sceneClip, stillClip } from '#test/clips';
import { footage, hasFootage } from '#test/footage';
import { createEngine, type Engine } from '../../index.ts';
import { decode } from '../encoding.ts';
import { COLUMNS, ROWS } from './index.ts';
import type { Triage } from './observation.ts';
import { triage as triageObserver } from './observer.ts';
import { quietIntervals } from './quiet.ts';

const SIZE = { width: 640, height: 360 };

/** Keyframes every two seconds for a minute, 25 packets a second of 15 bytes, and nothing in the picture. */
function still(change: (triage: Triage) => void = () => {}): Triage {
  const timeS = Float64Array.from({ length: 31 }, (_, i) => 2 * i);
  const packetS = Float64Array.from({ length: 62 * 25 }, (_, i) => i / 25);
  const packetKey = Uint8Array.from(packetS, (_, i) => Number(i % 50 === 0));
  const triage: Triage = {
    packetS,
    packetKey,
    packetBytes: Int32Array.from(packetKey, (key) => (key ? 20_000 : 15)),
    timeS,
    pts: timeS.map((time) => time * 90_000),
    difference: new Float32Array(timeS.length),
    pictures: new Uint8Array(timeS.length * ROWS * COLUMNS).fill(100),
    rows: ROWS,
    columns: COLUMNS,
  };
  change(triage);
  return triage;
}

const quiet = (change?: (triage: Triage) => void) =>
  quietIntervals(still(change), SIZE).map(({ startS, endS }) => [startS, endS]);

describe('quiet', () => {
  test('is a still video, up to its last keyframe', () => expect(quiet()).toEqual([[0, 60]]));

  test('is not where packets grow, however little', () => {
    const visit = ({ packetBytes }: Triage) => packetBytes.fill(20, 25 * 20.5, 25 * 21.5);
    expect(quiet(visit)).toEqual([
      [0, 20],
      [22, 60],
    ]);
  });

  test('is not where one small part of the picture is another one', () => {
    const appears = ({ difference }: Triage) => {
      difference[10] = 9;
    };
    expect(quiet(appears)).toEqual([
      [0, 18],
      [20, 60],
    ]);
  });

  test('ends where slow changes add up', () => {
    const darkens = ({ pictures }: Triage) => {
      for (let k = 0; k <= 30; k++) pictures[k * ROWS * COLUMNS + 77] = 100 - k;
    };
    expect(Math.max(...quiet(darkens).map(([startS = 0, endS = 0]) => endS - startS))).toBe(8);
  });

  test('is nowhere in a noisy video, or at a constant bit rate: packets tell nothing there', () => {
    const filled = ({ packetBytes, packetKey }: Triage) => {
      for (let i = 0; i < packetBytes.length; i++) if (!packetKey[i]) packetBytes[i] = 400;
    };
    expect(quiet(filled)).toEqual([]);
  });

  test('is not where the recording has a gap', () => {
    const gap = (triage: Triage) => {
      triage.packetS = triage.packetS.map((time) => (time > 30 && time < 32 ? 30 : time));
    };
    expect(quiet(gap)).toEqual([
      [0, 30],
      [32, 60],
    ]);
  });

  test('is not said of a video without keyframes', () => {
    const none = (triage: Triage) => {
      triage.timeS = triage.timeS.subarray(0, 0);
    };
    expect(quiet(none)).toEqual([]);
  });
});

describe('triage of videos', () => {
  let media: Media;
  let engine: Engine;
  beforeAll(async () => {
    media = await createTestMedia();
    const log = createLog('silent');
    engine = createEngine({ media, modelsDir: '/nowhere', modelsDownload: false, vision: null, log });
  });
  afterAll(() => media.close());

  const observe = async (path: string) => {
    const { video, observation } = decode(triageObserver, (await engine.observe(path, ['triage'])).get('triage')!);
    return { video, triage: observation };
  };
  const quietIn = async (path: string) => {
    const { triage, video } = await observe(path);
    return quietIntervals(triage, video);
  };

  test('holds every packet and the keyframes, in order, and is the same bytes each time', async () => {
    const path = await stillClip();
    const { triage, video } = await observe(path);
    expect(video.durationS).toBeCloseTo(STILL.durationS, 2);
    expect(triage.packetS).toHaveLength(STILL.durationS * STILL.frameRate);
    expect([...triage.packetS]).toEqual([...triage.packetS.toSorted()]);
    expect([...triage.timeS]).toEqual(Array.from({ length: 13 }, (_, i) => expect.closeTo(2 * i, 5)));
    expect([...triage.timeS].map((t) => triage.packetKey[triage.packetS.indexOf(t)])).toEqual(Array(13).fill(1));
    const [once, again] = [await engine.observe(path, ['triage']), await engine.observe(path, ['triage'])];
    expect(Buffer.compare(once.get('triage')!, again.get('triage')!)).toBe(0);
  });

  test('finds the quiet stretches around a short visit and a slow start, and passes over neither', async () => {
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

  test('claims nothing where noise is coded, and nothing where things go on', async () => {
    expect(await quietIn(await stillClip(2))).toEqual([]);
    expect(await quietIn(await sceneClip())).toEqual([]);
  });

  test('takes a video with a single keyframe', async () => {
    const { triage } = await observe(await flatClip({ times: [0, 0.5, 1], endS: 1.5 }));
    expect(triage.timeS.length).toBeGreaterThan(0);
    expect(triage.packetS).toHaveLength(3);
  });

  /** Where something happens in footage, by eye; all of it is to stay outside of quiet. */
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
