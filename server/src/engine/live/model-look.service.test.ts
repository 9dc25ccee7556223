import { afterEach, beforeEach, expect, it } from 'vitest';
import { ADVERSARIES, type Adversary } from '#test/servers/vision-adversaries';
import { startVisionModel, type VisionModel } from '#test/servers/vision-model';
import { createVisionOracle, type VisionOracle } from '#test/servers/vision-oracle';
import { signals } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { createMemoryLedger } from '../vision/calls/index.ts';
import { createVisionProfiles } from '../vision/index.ts';
import { profileOf } from '../vision/oracle.fixture.ts';
import { calibrationErrorOf } from '../vision/reliability/calibration.fixture.ts';
import { watchWithNoise } from './calibration.fixture.ts';
import { createLiveEngine } from './live-engine.ts';
import type { ObservedSegment } from './observed-segment.ts';
import { createStreamWindow } from './stream-window.ts';

const CHUNK_S = 2;
const PLAN = createPlanner().planQuery('a pothole');
/** The stream shows it in this range. */
const SEEN = [20, 44] as const;

let oracle: VisionOracle;
let model: VisionModel | null = null;
beforeEach(async () => {
  oracle = await createVisionOracle();
});
afterEach(async () => {
  await model?.close();
  model = null;
});

const chunk = (moves: boolean): ObservedSegment => ({
  video: { durationS: CHUNK_S, width: 1280, height: 720, timeBase: [1, 90_000], hasAudio: false },
  signals: signals(CHUNK_S, () => (moves ? { localMotion: 0.1 } : {})),
  sound: null,
  detections: null,
});

/** Follows a stream chunk by chunk; a call ends before the next chunk. Returns the answer after each. */
async function follow(seconds: number, { adversary, moves = true }: { adversary?: Adversary; moves?: boolean } = {}) {
  model = await startVisionModel((request, n) => {
    const truth = oracle.script(request, n);
    return adversary ? adversary(request, truth, n) : truth;
  });
  const looks = createVisionProfiles({ profiles: { only: profileOf(model.url) }, defaultProfile: 'only' });
  const media = {
    frameImage: async (path: string, { timeS }: { timeS: number }) => {
      const at = Number(path) + timeS;
      const shows = (text: string) => text === 'pothole' && at >= SEEN[0] && at <= SEEN[1];
      const jpeg = Buffer.from(`frame at ${at}`);
      oracle.learn(jpeg, [{ timeS: at, shows, facts: [] }]);
      return jpeg;
    },
  };
  const live = createLiveEngine({ media: media as never, weights: null as never, looks });
  const window = createStreamWindow(120);
  const { signal } = new AbortController();
  const look = live.createModelLook({ ledger: createMemoryLedger(), signal, settleMs: 120_000 });
  const answers = [];
  for (let startS = 0; startS < seconds; startS += CHUNK_S) {
    const segment = chunk(moves);
    await look.consider(PLAN, segment, String(startS), startS);
    window.add({ segment: { ...segment, sightings: look.collect() }, startS });
    await look.settle();
    answers.push(live.answer(PLAN, window));
  }
  window.addSightings(look.collect());
  return { answers, final: live.answer(PLAN, window) };
}

it('reports what the model sees, within chunks, and asks a cheap question while there is nothing', async () => {
  const { answers, final } = await follow(80);
  expect(final.events).toMatchObject([
    { search: 'pothole', event: { label: 'pothole', category: 'look', verification: { status: 'verified' } } },
  ]);
  const [{ event }] = final.events as [(typeof final.events)[number]];
  expect(event.startS).toBeGreaterThanOrEqual(SEEN[0] - CHUNK_S);
  expect(event.startS).toBeLessThanOrEqual(SEEN[0] + 10);
  expect(event.endS).toBeGreaterThan(SEEN[0]);
  expect(event.endS).toBeLessThanOrEqual(SEEN[1] + CHUNK_S);
  expect(final.coverage).toMatchObject([{ text: 'pothole', status: 'partly', by: ['look (eyes)'] }]);
  // While it continues, it lasts until the end of the known stream.
  expect(answers[15]!.events[0]!.event.endS).toBeCloseTo(32, 0);
  // Two controls, a gate every ten seconds, and a few more calls where it is seen.
  expect(model!.requests.length).toBeLessThan(40);
});

it('asks nothing about a still picture for a minute, and remembers what is there', async () => {
  const { final } = await follow(58, { moves: false });
  // A control, nine looks with statements of known truth, and one with the question.
  expect(model!.requests.length).toBe(11);
  expect(final.coverage).toMatchObject([{ status: 'partly' }]);
  expect(final.events).toEqual([]);
});

it.each(Object.keys(ADVERSARIES).filter((name) => name !== 'slow'))(
  'reports nothing false from an adversary: %s',
  async (name) => {
    const { final } = await follow(40, { adversary: ADVERSARIES[name]! });
    for (const { event } of final.events) expect(event.startS).toBeGreaterThanOrEqual(SEEN[0] - CHUNK_S);
    if (final.events.length === 0 && final.coverage[0]!.status === 'not_looked_for')
      expect(final.coverage[0]!.reason).toMatch(/look \(eyes\)/);
  },
);

it.each([
  ['any', 0],
  ['footage', 0.1],
] as const)(
  'states confidence that fits the share of right events: errors in %s answers, at a rate of %d',
  async (noise, rate) => {
    const events = await watchWithNoise(noise, rate, 4);
    expect(events.length).toBeGreaterThan(8);
    expect(calibrationErrorOf(events)).toBeLessThanOrEqual(0.1);
  },
  180_000,
);

it('does not wait for a slow model', async () => {
  const started = performance.now();
  const { answers } = await follow(4, { adversary: (_request, truth) => ({ ...truth, delayMs: 30 }) });
  expect(answers).toHaveLength(2);
  expect(performance.now() - started).toBeLessThan(5000);
});
