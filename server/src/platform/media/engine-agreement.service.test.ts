import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia, sceneClip } from '#test/media/clips';
import type { DecodedClip } from '#test/media/media-tasks';
import { testedEngines } from '#test/programs';
import { temporaryFolder } from '#test/temporary-folder';
import { command, difference, GRAY, pixels, present, SCENE_ROW, see } from './engines.fixture.ts';
import type { Media } from './index.ts';

const agreement = () => {
  let engines: [Media, Media];
  beforeAll(async () => {
    engines = await Promise.all([createTestMedia('node-av'), createTestMedia('ffmpeg')]);
  });
  afterAll(() => Promise.all(engines.map((media) => media.close())));

  const passes = new Map<string, Promise<DecodedClip>>();
  /** A whole pass over a file, decoded once for all tests. */
  function whole(media: Media, path: string): Promise<DecodedClip> {
    const key = `${media.engine} ${path}`;
    const other = { width: 48, height: 48, format: 'rgb', letterbox: 114, minIntervalS: 0.5 } as const;
    const pass = passes.get(key) ?? see(media, { path, picture: GRAY, other, sampleRate: 16_000 });
    passes.set(key, pass);
    return pass;
  }

  test.each([...present, SCENE_ROW])('agree on %s', async (file, _, count) => {
    const path = file === SCENE_ROW[0] ? await sceneClip() : footage(file);
    const [a, b] = await Promise.all([whole(engines[0], path), whole(engines[1], path)]);
    expect(a.summary).toMatchObject({ frames: count, errors: 0, state: 'whole' });
    expect(a.frames).toHaveLength(count);
    expect(a.frames[0]).toMatchObject({ timeS: 0, keyframe: true });
    expect(a.frames.every(({ timeS }, i) => i === 0 || timeS > a.frames[i - 1]!.timeS)).toBe(true);
    expect(a.summary.endS).toBeGreaterThan(a.frames.at(-1)!.timeS);
    expect(b.summary).toMatchObject({ frames: count, errors: 0, state: 'whole' });
    expect(b.frames.map(({ pts, keyframe }) => [pts, keyframe])).toEqual(
      a.frames.map(({ pts, keyframe }) => [pts, keyframe]),
    );
    // The number of trailing bytes in a GIF's last frame differs between versions of FFmpeg.
    const rounded = ({ packets }: DecodedClip) =>
      packets.map((packet) => ({ ...packet, bytes: Math.round(packet.bytes / 4) }));
    expect(rounded(b)).toEqual(rounded(a));
    for (const [i, { timeS, data }] of a.frames.entries()) {
      expect(b.frames[i]!.timeS).toBeCloseTo(timeS, 6);
      expect(difference(data, b.frames[i]!.data), `frame ${i}`).toBeLessThan(2);
    }
    expect(b.others.map(({ timeS }) => timeS)).toEqual(a.others.map(({ timeS }) => timeS));
    for (const [i, { data }] of a.others.entries()) expect(difference(data, b.others[i]!.data)).toBeLessThan(3);
    expect(Math.abs(b.summary.endS - a.summary.endS)).toBeLessThan(0.1);
    expect(b.sound.length > 0).toBe(a.sound.length > 0);
    if (a.sound.length > 0) {
      expect(b.sound[0]!.timeS).toBeCloseTo(a.sound[0]!.timeS, 1);
      const loudest = ({ sound }: DecodedClip) =>
        sound.reduce((m, { samples }) => Math.max(m, ...samples.map(Math.abs)), 0);
      expect(loudest(b)).toBeCloseTo(loudest(a), 1);
    }
  });

  // One engine uses its own kernel for downscaling, the other FFmpeg's scaler. Odd sizes, full and limited range.
  const { ffmpeg } = inject('programs');
  test.runIf(ffmpeg).each([
    ['641x479', 'yuv420p'],
    ['1279x719', 'yuv420p'],
    ['1922x1082', 'yuvj420p'],
    ['1280x720', 'yuv422p'],
    ['3840x2160', 'yuv420p'],
  ])('agree on the pictures of %s in %s', async (size, pixels) => {
    const path = join(await temporaryFolder(), 'large.mkv');
    const input = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=5:d=1`];
    await command(ffmpeg!, ['-v', 'error', ...input, '-c:v', 'ffv1', '-pix_fmt', pixels, path]);
    const other = { width: 416, height: 234, format: 'rgb' } as const;
    const [a, b] = await Promise.all(engines.map((media) => see(media, { path, picture: GRAY, other })));
    expect(a!.frames).toHaveLength(5);
    for (const [i, { data }] of a!.frames.entries()) expect(difference(data, b!.frames[i]!.data)).toBeLessThan(1);
    for (const [i, { data }] of a!.others.entries()) expect(difference(data, b!.others[i]!.data)).toBeLessThan(1);
  });

  const ORDERED = /pyramid_3b|edit_list_positive|cursed-vfr|h264\.ts|roadtrip|avi_sample|\.gif/;
  const ordered = present.map(([file]) => footage(file)).filter((path) => ORDERED.test(path));
  test.each(ordered)('draw the frames that they decode: %s', async (path) => {
    for (const media of engines) {
      const { video } = await media.probe(path);
      const width = 64;
      const height = Math.round((64 * video.height) / video.width);
      const { frames } = await see(media, { path, picture: { width, height, format: 'rgb' } });
      for (const i of [0, 1, Math.floor(frames.length / 2), frames.length - 1]) {
        const { data } = await pixels(await media.frameImage(path, { timeS: frames[i]!.timeS, maxSide: 64 }));
        const drawn = data.filter((_, k) => k % 4 !== 3);
        const distances = frames.map((frame) => difference(frame.data, drawn));
        // JPEG and rounding cost a little; no other frame may be nearer by more than that.
        expect(distances[i], `${media.engine}, frame ${i}`).toBeLessThan(Math.min(...distances) + 0.4);
        expect(distances[i]).toBeLessThan(8);
      }
    }
  });

  // Files with many and few keyframes, with open groups of pictures, fragments, and without timestamps.
  const RANGED = /pyramid_3b|firstpts_10|edit_list_positive|cursed-vfr|h264\.ts|avi_sample|multiple_sidx|\.gif/;
  const ranged = [...present.map(([file]) => file).filter((file) => RANGED.test(file)), 'road/bgs_highway_traffic.avi'];
  test.runIf(hasFootage).each(ranged)('decode ranges as in a whole pass: %s', async (file) => {
    const path = footage(file);
    for (const media of engines) {
      const { frames } = await whole(media, path);
      const { timeS: lastS } = frames.at(-1)!;
      for (const [from, until] of [
        [0, 0.3],
        [0.35, 0.7],
        [0.8, 2],
      ]) {
        const range = { fromS: from! * lastS, untilS: until! * lastS };
        const expected = frames.filter(({ timeS }) => timeS >= range.fromS && timeS < range.untilS);
        const found = await see(media, { path, picture: GRAY, range });
        expect(found.summary).toMatchObject({ frames: expected.length, state: 'whole' });
        expect(found.frames.map(({ pts }) => pts)).toEqual(expected.map(({ pts }) => pts));
        for (const [i, { data }] of found.frames.entries()) {
          expect(difference(data, expected[i]!.data), `${media.engine}, ${expected[i]!.timeS} s`).toBeLessThan(1);
        }
      }
    }
  });

  const keyframesOf = async (media: Media, path: string) => {
    const all = await whole(media, path);
    const { frames } = await see(media, { path, picture: GRAY, skip: 'non-key' });
    return { wanted: all.frames.filter(({ keyframe }) => keyframe), found: frames };
  };

  test.each(ordered)('find the keyframes among all frames: %s', async (path) => {
    for (const media of engines) {
      const { wanted, found } = await keyframesOf(media, path);
      expect(found.map(({ pts }) => pts)).toEqual(wanted.map(({ pts }) => pts));
      for (const [i, { data }] of found.entries()) expect(difference(data, wanted[i]!.data)).toBeLessThan(1);
    }
  });

  // Reordered frames in a file that gives decoding times only: a keyframe's time is known to a few frames.
  const unstamped = footage('road/bgs_highway_traffic.avi');
  test.runIf(hasFootage)('find keyframes near their times where a file gives none', async () => {
    for (const media of engines) {
      const { wanted, found } = await keyframesOf(media, unstamped);
      expect(wanted.length).toBeGreaterThan(5);
      for (const { timeS, data } of wanted) {
        const same = found.filter((frame) => Math.abs(frame.timeS - timeS) < 0.1);
        expect(
          Math.min(...same.map((frame) => difference(frame.data, data))),
          `${media.engine}, ${timeS}`,
        ).toBeLessThan(1);
      }
    }
  });
};
if (testedEngines().length === 2) describe('both engines', agreement);
