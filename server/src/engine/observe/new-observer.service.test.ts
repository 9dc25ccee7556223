import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Media } from '#platform/media/index';
import { createTestMedia, SCENE, sceneClip } from '#test/media/clips';
import { blue, WITH_BLUE } from './blue.fixture.ts';
import { decodeObservation } from './decode-observation.ts';
import { createObserve } from './observe.ts';
import { OBSERVERS } from './observers.ts';

/** The example of CONTRIBUTING.md: one folder and one line. */
let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media.close());

const weights = { find: async () => ({ unavailable: 'not needed here' }) };

test('an additional observer adds a kind and changes no other', async () => {
  const tasks = new URL('./blue.fixture.ts', import.meta.url);
  const more = createObserve({ media, weights, observers: WITH_BLUE, tasks });
  expect(await more.observers()).toContainEqual({ kind: 'blue', depth: 'dense', version: 'blue-1' });

  const clip = await sceneClip();
  const made = await more.observe(clip, ['signals', 'sound', 'blue']);
  const without = await createObserve({ media, weights, observers: Object.values(OBSERVERS) }).observe(clip, [
    'signals',
    'sound',
  ]);
  for (const [kind, bytes] of without) expect(Buffer.compare(made.get(kind)!, bytes), kind).toBe(0);

  const { video, observation } = decodeObservation(blue, made.get('blue')!);
  expect(video.durationS).toBeCloseTo(SCENE.durationS, 1);
  expect(observation.timeS.length).toBeGreaterThan(SCENE.durationS * 1.8);
  const at = (timeS: number) => observation.blue[observation.timeS.findIndex((time) => time >= timeS)]!;
  expect(at((SCENE.dark.startS + SCENE.dark.endS) / 2)).toBeLessThan(20);
  expect(at(1)).toBeGreaterThan(30);
});

test('an unavailable observer reports why', async () => {
  const { observers, observe } = createObserve({ media, weights, observers: Object.values(OBSERVERS) });
  expect(await observers()).toContainEqual({
    kind: 'objects',
    depth: 'dense',
    ranged: true,
    family: expect.any(String),
    unavailable: 'not needed here',
  });
  await expect(observe(await sceneClip(), ['objects'])).rejects.toMatchObject({ code: 'observer_unavailable' });
});

test('two observers of one kind are rejected', () => {
  const listed = [...Object.values(OBSERVERS), { ...blue, kind: 'sound' }];
  expect(() => createObserve({ media, weights, observers: listed })).toThrow(/Two observers .* the kind "sound"/);
});
