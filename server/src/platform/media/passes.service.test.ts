import { afterAll, beforeAll, expect, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia, sceneClip } from '#test/media/clips';
import type { DecodedClip } from '#test/media/media-tasks';
import { difference, GRAY, pixels, present, SCENE_ROW, see } from './engine.fixture.ts';
import type { Media } from './index.ts';

/** Passes over a part of a file, and images of single frames, against a pass over all frames. */
let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media.close());

const passes = new Map<string, Promise<DecodedClip>>();
/** A pass over all frames of a file, decoded once for all tests. */
function whole(path: string): Promise<DecodedClip> {
  const pass = passes.get(path) ?? see(media, { path, picture: GRAY, sampleRate: 16_000 });
  passes.set(path, pass);
  return pass;
}

test.each([...present, SCENE_ROW])('every frame of %s has its own time', async (file, facts, count) => {
  const path = file === SCENE_ROW[0] ? await sceneClip() : footage(file);
  const { summary, frames, packets, sound } = await whole(path);
  expect(summary).toMatchObject({ frames: count, errors: 0, state: 'whole' });
  expect(frames).toHaveLength(count);
  expect(frames[0]).toMatchObject({ timeS: 0, keyframe: true });
  expect(frames.every(({ timeS }, i) => i === 0 || timeS > frames[i - 1]!.timeS)).toBe(true);
  expect(summary.endS).toBeGreaterThan(frames.at(-1)!.timeS);
  expect(packets.length).toBeGreaterThanOrEqual(count);
  if ('sound' in facts) expect(sound.length > 0).toBe(facts.sound !== null);
});

const ORDERED = /pyramid_3b|edit_list_positive|cursed-vfr|h264\.ts|roadtrip|avi_sample|\.gif/;
const ordered = present.map(([file]) => footage(file)).filter((path) => ORDERED.test(path));
test.each(ordered)('images of single frames are those of the pass: %s', async (path) => {
  const { video } = await media.probe(path);
  const width = 64;
  const height = Math.round((64 * video.height) / video.width);
  const { frames } = await see(media, { path, picture: { width, height, format: 'rgb' } });
  for (const i of [0, 1, Math.floor(frames.length / 2), frames.length - 1]) {
    const { data } = await pixels(await media.frameImage(path, { timeS: frames[i]!.timeS, maxSide: 64 }));
    const drawn = data.filter((_, k) => k % 4 !== 3);
    const distances = frames.map((frame) => difference(frame.data, drawn));
    // JPEG and rounding cost a little; no other frame may be nearer by more than that.
    expect(distances[i], `frame ${i}`).toBeLessThan(Math.min(...distances) + 0.4);
    expect(distances[i]).toBeLessThan(8);
  }
});

// Files with many and few keyframes, with open groups of pictures, fragments, and without timestamps.
const RANGED = /pyramid_3b|firstpts_10|edit_list_positive|cursed-vfr|h264\.ts|avi_sample|multiple_sidx|\.gif/;
const ranged = [...present.map(([file]) => file).filter((file) => RANGED.test(file)), 'road/bgs_highway_traffic.avi'];
test.runIf(hasFootage).each(ranged)('ranges have the frames of the pass: %s', async (file) => {
  const path = footage(file);
  const { frames } = await whole(path);
  const { timeS: lastS } = frames.at(-1)!;
  for (const [from, until] of [
    [0, 0.3],
    [0.35, 0.7],
    [0.8, 2],
  ] as const) {
    const range = { fromS: from * lastS, untilS: until * lastS };
    const expected = frames.filter(({ timeS }) => timeS >= range.fromS && timeS < range.untilS);
    const found = await see(media, { path, picture: GRAY, range });
    expect(found.summary).toMatchObject({ frames: expected.length, state: 'whole' });
    expect(found.frames.map(({ pts }) => pts)).toEqual(expected.map(({ pts }) => pts));
    for (const [i, { data }] of found.frames.entries()) {
      expect(difference(data, expected[i]!.data), `${expected[i]!.timeS} s`).toBeLessThan(1);
    }
  }
});

async function keyframesOf(path: string) {
  const all = await whole(path);
  const { frames } = await see(media, { path, picture: GRAY, skip: 'non-key' });
  return { wanted: all.frames.filter(({ keyframe }) => keyframe), found: frames };
}

test.each(ordered)('a pass over keyframes finds those of the whole pass: %s', async (path) => {
  const { wanted, found } = await keyframesOf(path);
  expect(found.map(({ pts }) => pts)).toEqual(wanted.map(({ pts }) => pts));
  for (const [i, { data }] of found.entries()) expect(difference(data, wanted[i]!.data)).toBeLessThan(1);
});

// Reordered frames in a file that gives decoding times only: a keyframe's time is known to a few frames.
const unstamped = footage('road/bgs_highway_traffic.avi');
test.runIf(hasFootage)('keyframes are found near their times where a file gives none', async () => {
  const { wanted, found } = await keyframesOf(unstamped);
  expect(wanted.length).toBeGreaterThan(5);
  for (const { timeS, data } of wanted) {
    const same = found.filter((frame) => Math.abs(frame.timeS - timeS) < 0.1);
    expect(Math.min(...same.map((frame) => difference(frame.data, data))), `${timeS}`).toBeLessThan(1);
  }
});
