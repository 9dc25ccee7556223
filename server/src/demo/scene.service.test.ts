import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, createModelConverter, createModelFolder } from '#engine/index';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { MODELS } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import type { DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';
import { ROBOT, ROOM, renderDemoVideo, renderSample, SCENE } from './scene.ts';

const TASKS = new URL('../../test/media/media-tasks.ts', import.meta.url);

/** Events in the video as a person would describe them. Times in seconds. */
const SCENE_EVENTS: readonly { startS: number; endS: number; text: string }[] = [
  { ...SCENE.redCar, text: 'A red car enters from the left, passes, and leaves to the right.' },
  { ...SCENE.person, text: 'A person enters from the right and walks along the pavement.' },
  { ...SCENE.silence, text: 'There is no sound at all.' },
  { startS: SCENE.cutS, endS: SCENE.cutS, text: 'The picture cuts from day to evening.' },
  { ...SCENE.siren, text: 'A siren wails.' },
  { ...SCENE.bus, text: 'A yellow bus enters from the right, passes, and leaves to the left.' },
  { startS: SCENE.blueCar.startS, endS: SCENE.blueCar.stopsS, text: 'A blue car enters from the left and stops.' },
  { ...SCENE.dark, text: 'The lights go out: the picture is dark.' },
  { ...SCENE.frozen, text: 'The picture is frozen.' },
  { startS: SCENE.bangS, endS: SCENE.bangS + 0.4, text: 'There is a bang.' },
];

let media: Media;
let path: string;
beforeAll(async () => {
  media = await createTestMedia();
  path = join(await temporaryFolder(), 'scene.mp4');
  await renderDemoVideo(media, path);
}, 180_000);
afterAll(() => media?.close());

test('the demo clip shows its listed events', { timeout: 180_000 }, async () => {
  const { video, audio, durationS } = await media.probe(path);
  expect({ durationS, width: video.width, height: video.height }).toEqual({ durationS: 20, width: 960, height: 540 });
  expect(audio?.codec).toBe('aac');

  const picture = { width: 96, height: 54, format: 'rgb' } as const;
  const args = { path, picture, sampleRate: 8_000 };
  const { frames, sound } = await media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args });
  const at = (timeS: number) => frames[Math.round(timeS * SCENE.frameRate)]!.data;
  const changed = (timeS: number) => change(at(timeS - 1 / SCENE.frameRate), at(timeS));

  expect(redness(at(SCENE.redCar.startS + 1.8))).toBeGreaterThan(redness(at(0.5)) + 0.008);
  expect(redness(at(SCENE.redCar.endS + 0.5))).toBeLessThan(redness(at(0.5)) + 0.004);
  expect(changed(SCENE.cutS)).toBeGreaterThan(25);
  expect(changed(SCENE.cutS - 1)).toBeLessThan(6);
  expect(brightness(at(SCENE.dark.startS + 1))).toBeLessThan(15);
  expect(brightness(at(SCENE.dark.endS + 0.2))).toBeGreaterThan(50);
  expect(changed(SCENE.frozen.startS + 1)).toBeLessThan(0.1);
  expect(changed(SCENE.frozen.endS + 0.3)).toBeGreaterThan(0.3);

  const peak = (startS: number, endS: number) => {
    const heard = sound.filter(({ timeS }) => timeS >= startS && timeS < endS);
    return heard.reduce((most, { samples }) => Math.max(most, ...samples.map(Math.abs)), 0);
  };
  expect(peak(SCENE.silence.startS + 0.2, SCENE.silence.endS - 0.2)).toBeLessThan(0.001);
  expect(peak(SCENE.silence.endS + 0.2, SCENE.cutS)).toBeGreaterThan(0.003);
  expect(peak(SCENE.bangS - 0.1, SCENE.bangS + 0.3)).toBeGreaterThan(0.5);
  expect(peak(16, 18.5)).toBeLessThan(0.2);
});

/** Answers a prompt about the clip with the weights in a folder. */
async function answerOnClip(prompt: string, weights: string) {
  const engine = createEngine({ media, models: createModelFolder(weights), vision: null, log: createLog('silent') });
  const plan = engine.plan(prompt);
  return engine.answer(plan, await engine.observe(path, ['signals', ...engine.selectOnDemand(plan)]));
}

test('a sign that says STOP is read in the demo clip, without a download', { timeout: 180_000 }, async () => {
  const { events } = await answerOnClip('a sign that says STOP', await temporaryFolder());
  expect(events[0]).toMatchObject({ label: 'text "STOP"', startS: 0 });
  expect(events.some(({ startS, endS }) => startS < SCENE.cutS + 1 && endS > SCENE.bus.startS)).toBe(true);
});

test('the red car and the person are found without a download, each once', { timeout: 240_000 }, async () => {
  const log = createLog('silent');
  const models = createModelFolder(await temporaryFolder(), createModelConverter({ log }));
  const engine = createEngine({ media, models, vision: null, log });
  const artifacts = await engine.observe(path, ['signals', 'objects']);
  const ask = (prompt: string) => engine.answer(engine.plan(prompt), artifacts);
  const { redCar, person, cutS } = SCENE;
  expect(ask('a red car enters from the left').events).toMatchObject([{ startS: expect.closeTo(redCar.startS, 0) }]);
  const people = ask('a person').events.filter(({ startS }) => startS < cutS);
  expect(people).toHaveLength(1);
  expect(people[0]!.startS).toBeGreaterThan(person.startS);
  expect(people[0]!.endS).toBeLessThan(person.endS + 0.5);
  const { coverage, events } = ask('a bus');
  expect(events).toEqual([]);
  expect(coverage).toMatchObject([{ status: 'not_looked_for', reason: expect.stringContaining('yolox_nano does') }]);
});

test.skipIf(MODELS === null)('a siren is heard in the demo clip', { timeout: 180_000 }, async () => {
  const { events, candidates } = await answerOnClip('a siren', MODELS!);
  // Sirens are candidates: too few recordings were there to measure how reliably they are recognized.
  expect(events).toEqual([]);
  expect(candidates).toMatchObject([{ label: 'siren' }]);
  const { startS, endS } = candidates[0]!;
  expect(Math.abs(startS - SCENE.siren.startS)).toBeLessThan(1);
  expect(Math.abs(endS - SCENE.siren.endS)).toBeLessThan(1);
});

test('events are within the clip, in order', () => {
  for (const [i, { startS, endS, text }] of SCENE_EVENTS.entries()) {
    expect(startS).toBeLessThanOrEqual(endS);
    expect(endS).toBeLessThanOrEqual(SCENE.durationS);
    expect(startS).toBeGreaterThanOrEqual(SCENE_EVENTS[i - 1]?.startS ?? 0);
    expect(text).toMatch(/^[A-Z].*\.$/);
  }
});

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const brightness = (rgb: Uint8Array) => mean(rgb);
const change = (a: Uint8Array, b: Uint8Array) => mean(Array.from(a, (value, i) => Math.abs(value - b[i]!)));

/** Share of pixels that are plainly red. */
function redness(rgb: Uint8Array): number {
  let red = 0;
  for (let i = 0; i < rgb.length; i += 3) if (rgb[i]! > 130 && rgb[i + 1]! < 80 && rgb[i + 2]! < 80) red++;
  return red / (rgb.length / 3);
}

test.skipIf(MODELS === null).each([
  ['room', ROOM, ['a person enters from the left', 'the picture gets dark', 'nothing moves']],
  ['robot', ROBOT, ['something moves from left to right', 'nothing moves', 'the picture freezes']],
] as const)(
  'the sample of a %s answers what the console offers to ask',
  async (scene, { durationS }, questions) => {
    const sample = join(await temporaryFolder(), `${scene}.mp4`);
    await renderSample(media, scene, sample);
    expect((await media.probe(sample)).durationS).toBeCloseTo(durationS, 1);
    const models = createModelFolder(MODELS!);
    const engine = createEngine({ media, models, vision: null, log: createLog('silent') });
    const artifacts = await engine.observe(sample, ['signals', 'objects']);
    const found = questions.map((prompt) => [prompt, engine.answer(engine.plan(prompt), artifacts).events.length > 0]);
    expect(found).toEqual(questions.map((prompt) => [prompt, true]));
  },
  300_000,
);
