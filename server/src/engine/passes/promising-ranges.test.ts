import { describe, expect, test } from 'vitest';
import { createScene } from '../find/index.ts';
import { objects, observations, signalsAt, still } from '../find/observations.fixture.ts';
import type { KeyframeScan, SparsePass } from '../observe/observations.ts';
import { createPlanner } from '../plan/index.ts';
import { CELL_S, CLOSER_LOOK_S, selectPromisingRanges } from './promising-ranges.ts';
import { selectCloserLook } from './select-pass.ts';

const { planQuery } = createPlanner();
const HOUR_S = 3600;
const INTERVAL_S = 2;

type Content = {
  durationS?: number;
  /** Times at which the sampled frames show a person. */
  persons?: number[];
  /** Bytes of packets at a time. */
  bytesAt?: (timeS: number) => number;
  quiet?: { startS: number; endS: number }[];
};

/** A video after its sparse pass, in which a frame was sampled every two seconds. */
function sampledVideo({ durationS = HOUR_S, persons = [], bytesAt = () => 1000, quiet = [] }: Content) {
  const times = Array.from({ length: durationS / INTERVAL_S }, (_, i) => i * INTERVAL_S);
  const sampled: SparsePass = {
    signals: signalsAt(times),
    objects: objects(
      durationS,
      persons.map((timeS) => ({ className: 'person', from: timeS, to: timeS, at: still(0.5, 0.5) })),
      1 / INTERVAL_S,
    ),
    sound: null,
    quiet,
  };
  const packets = Array.from({ length: durationS }, (_, i) => i);
  const keyframeScan: KeyframeScan = {
    packetS: Float64Array.from(packets),
    packetBytes: Int32Array.from(packets, bytesAt),
    packetKey: new Uint8Array(packets.length),
    timeS: Float64Array.from(times),
    pts: Float64Array.from(times),
    difference: new Float32Array(times.length),
    cells: new Uint8Array(times.length),
    rows: 1,
    columns: 1,
  };
  return { ...observations(durationS, sampled), sparsePass: sampled, keyframeScan };
}

const select = (prompt: string, content: Content) => {
  const plan = planQuery(prompt);
  return selectPromisingRanges(plan.searches, plan, createScene(sampledVideo(content)));
};
const contains = (ranges: readonly { fromS: number; untilS: number }[], timeS: number) =>
  ranges.some(({ fromS, untilS }) => timeS >= fromS && timeS < untilS);

describe('the ranges of a long video for a closer look', () => {
  test('have whole cells, are apart, and take ten minutes in all', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const durationS = 700 + seed * 97;
      const ranges = select('a person walks', {
        durationS: durationS - (durationS % INTERVAL_S),
        persons: [(seed * 346) % 600],
        bytesAt: (timeS) => (timeS * seed * 7919) % 5000,
      });
      const lengthS = ranges.reduce((sum, { fromS, untilS }) => sum + untilS - fromS, 0);
      expect(lengthS).toBe(CLOSER_LOOK_S);
      for (const [at, { fromS, untilS }] of ranges.entries()) {
        expect([fromS % CELL_S, untilS % CELL_S]).toEqual([0, 0]);
        expect(fromS).toBeGreaterThan(ranges[at - 1]?.untilS ?? -1);
      }
    }
  });

  test('contain every cell in which the requested object was seen', () => {
    const persons = [30, 900, 1804, 3590];
    const ranges = select('a person walks', {
      persons,
      bytesAt: (timeS) => (timeS > 2000 && timeS < 3000 ? 9000 : 10),
    });
    for (const timeS of persons) expect(contains(ranges, timeS), `${timeS} s`).toBe(true);
  });

  test('then those in which most changes, or for the camera changes most suddenly', () => {
    const bytesAt = (timeS: number) => (timeS >= 1200 && timeS < 1260 ? 90_000 : 1000 + (timeS % 7));
    expect(contains(select('a person walks', { bytesAt }), 1230)).toBe(true);
    // A drive that stops at 33 minutes: fewer bytes than anywhere else.
    const stopping = (timeS: number) => (timeS >= 1980 && timeS < 2040 ? 100 : 50_000 + ((timeS * 31) % 97));
    expect(contains(select('the camera stops', { bytesAt: stopping }), 1985)).toBe(true);
  });

  test('are spread over a video in which nothing stands out', () => {
    const ranges = select('a person walks', {});
    for (let quarter = 0; quarter < 4; quarter++) {
      const [fromS, untilS] = [(quarter * HOUR_S) / 4, ((quarter + 1) * HOUR_S) / 4];
      const lengthS = ranges
        .filter((range) => range.fromS >= fromS && range.fromS < untilS)
        .reduce((sum, range) => sum + range.untilS - range.fromS, 0);
      expect(lengthS).toBeGreaterThanOrEqual(CLOSER_LOOK_S / 8);
    }
  });

  test('leave out what did not change, and what the prompt does not ask about', () => {
    const quiet = [{ startS: 300, endS: 3300 }];
    const ranges = select('a person walks', { quiet });
    expect(ranges).toEqual([
      { fromS: 0, untilS: 300 },
      { fromS: 3300, untilS: 3600 },
    ]);
    const first = select('a person walks in the first five minutes', {});
    expect(Math.max(...first.map(({ untilS }) => untilS))).toBeLessThanOrEqual(330);
  });
});

describe('a closer look at a long video', () => {
  const content: Content = { persons: [100, 102, 104, 2000] };

  test.each([
    ['a person walks', true],
    ['a dog', true],
    ['what happens?', true],
    ['how many people are there?', true],
    ['a person', false],
    // Parts of a video do not show what never or always holds.
    ['no person walks', false],
    ['a pothole in the road', false],
  ])('for "%s": %s', (prompt, expected) => {
    const ranges = selectCloserLook(planQuery(prompt), createScene(sampledVideo(content)));
    expect(Array.isArray(ranges)).toBe(expected);
  });

  test('is taken once: the same question finds its ranges observed, another one only adds to them', () => {
    const plan = planQuery('a person walks');
    const whole = sampledVideo(content);
    const ranges = selectCloserLook(plan, createScene(whole));
    if (!Array.isArray(ranges)) throw new Error('no ranges');
    const observed = ranges.map((range) => ({
      ...observations(HOUR_S, { signals: signalsAt([range.fromS, range.fromS + 1]), objects: objects(0, []) }),
      video: { ...whole.video, range },
    }));
    const scene = createScene(whole, observed);
    expect(selectCloserLook(plan, scene)).toBeNull();
    const more = selectCloserLook(planQuery('the camera stops'), scene);
    for (const { fromS, untilS } of Array.isArray(more) ? more : []) {
      expect(ranges.some((range) => range.fromS < untilS && range.untilS > fromS)).toBe(false);
    }
  });
});
