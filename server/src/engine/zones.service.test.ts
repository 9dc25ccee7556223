// Zones and lines on real footage of fixed cameras. The times were read from the frames by eye.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import { createEngine, createModelFolder, type Engine, type Zone } from './index.ts';

let media: Media;
let engine: Engine;
beforeAll(async () => {
  media = await createTestMedia();
  const models = createModelFolder(MODELS ?? 'no models');
  engine = createEngine({ media, models, vision: null, log: createLog('silent') });
});
afterAll(() => media?.close());

async function answerer(clip: string, zones: readonly Zone[]) {
  const artifacts = await engine.observe(footage(clip), ['signals', 'objects']);
  return (prompt: string) => engine.answer(engine.plan(prompt, zones), artifacts);
}
const near = (value: number) => expect.closeTo(value, 0);

describe.runIf(hasFootage)('real footage', () => {
  test('cars cross a line over a car park in both directions', async () => {
    const across = [
      { x: 0, y: 0.5 },
      { x: 1, y: 0.5 },
    ];
    const lane = [
      { x: 0, y: 0 },
      { x: 0.38, y: 0 },
      { x: 0.38, y: 1 },
      { x: 0, y: 1 },
    ];
    const ask = await answerer('road/intel_car_detection_topdown.mp4', [
      { name: 'A', kind: 'line', points: across },
      { name: 'lane', kind: 'polygon', points: lane },
    ]);
    const starts = (prompt: string) => ask(prompt).events.map(({ startS }) => startS);
    // Their lower edges cross the middle: up, down, up, down.
    expect(starts('a car crosses line A')).toEqual([7, 15.7, 17.6, 26].map(near));
    expect(starts('a car crosses line A inwards')).toEqual([15.7, 26].map(near));
    expect(starts('a car crosses line A outwards')).toEqual([7, 17.6].map(near));
    expect(starts('a red car crosses line A')).toEqual([near(17.6)]);
    expect(ask('how many cars crossed line A?').answer).toMatch(/^4\b/);
    // The cars that come down keep to the left.
    expect(starts('a car in zone lane')).toEqual([14.5, 25.3].map(near));
  }, 120_000);

  test('a worker walks over the tape on the floor and stays behind it', async () => {
    const tape = [
      { x: 0.515, y: 0.49 },
      { x: 0.21, y: 1 },
    ];
    const floor = [...tape, { x: 0, y: 1 }, { x: 0, y: 0.49 }];
    const ask = await answerer('security/intel_worker_zone_detection.gif', [
      { name: 'floor', kind: 'polygon', points: floor },
      { name: 'tape', kind: 'line', points: tape },
    ]);
    const entered = ask('a person enters zone floor').events;
    expect(entered.map(({ label, startS }) => [label, startS])).toEqual([['person enters zone floor', near(2.3)]]);
    expect(ask('a person crosses line tape').events.map(({ startS }) => startS)).toEqual([near(2.3)]);
    expect(ask('a person leaves zone floor').events).toEqual([]);
    expect(ask('is anyone in zone floor?').answer).toMatch(/^Yes/);
    expect(ask('no person in zone floor').events.map(({ startS, endS }) => [startS, endS])).toEqual([[0, near(2.3)]]);
  }, 120_000);
});
