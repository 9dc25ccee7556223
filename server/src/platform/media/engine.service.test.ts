import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia, flatClip, flatLevel, remuxedClip, SCENE, sceneClip } from '#test/media/clips';
import { type InvalidFile, truncatedClip, writeInvalidFiles } from '#test/media/invalid-files';
import type { DecodeClipArgs } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';
import { createLog } from '../log.ts';
import { brightCorner, difference, GRAY, mean, pixels, present, see, TASKS, THREADS } from './engine.fixture.ts';
import { createMedia, type Media } from './index.ts';

let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media.close());

test('probes the drawn scene', async () => {
  const probe = await media.probe(await sceneClip());
  expect(probe).toMatchObject({ container: 'mp4', startS: 0, createdAt: null, tags: { major_brand: 'isom' } });
  expect(probe.durationS).toBeCloseTo(SCENE.durationS, 3);
  expect(probe.video).toMatchObject({
    codec: 'h264',
    pixelFormat: 'yuv420p',
    width: SCENE.width,
    height: SCENE.height,
  });
  expect(probe.video).toMatchObject({
    rotation: 0,
    timeBase: [1, 90_000],
    frames: SCENE.durationS * SCENE.frameRate,
  });
  expect(probe.video.frameRate).toBeCloseTo(SCENE.frameRate);
  expect(probe.audio).toEqual({ codec: 'aac', sampleRate: 48_000, channels: 1 });
});

test.each(present)('probes %s', async (file, facts) => {
  const { video, audio, ...probe } = await media.probe(footage(file));
  const found = { ...probe, ...video, sound: audio?.codec ?? null };
  for (const [name, value] of Object.entries(facts)) {
    const actual = found[name as keyof typeof found];
    if (typeof value === 'number') expect(actual, name).toBeCloseTo(value, 2);
    else expect(actual, name).toBe(value);
  }
});

test.each(THREADS)('gives every frame once, with its own time, at a variable rate, on threads: %i', async (threads) => {
  const times = [0, 0.04, 0.08, 0.5, 0.51, 1.7, 1.75, 1.8, 3, 3.001, 3.5, 4.2, 4.21, 5];
  const path = await flatClip({ times, endS: 6 });
  const { frames, summary } = await see(media, { path, picture: GRAY, threads });
  expect(frames.map(({ timeS }) => Number(timeS.toFixed(4)))).toEqual(times);
  expect(frames.map(({ pts }) => pts)).toEqual(times.map((timeS) => Math.round(timeS * 90_000)));
  expect(frames[0]!.keyframe).toBe(true);
  expect(frames.slice(1).filter(({ keyframe }) => keyframe)).toHaveLength(2);
  for (const [i, { data }] of frames.entries()) {
    expect(Math.abs(mean(data.slice(data.length / 2)) - flatLevel(i)), `frame ${i}`).toBeLessThan(12);
  }
  expect(summary).toMatchObject({ frames: times.length, errors: 0, state: 'whole' });
  expect(summary.endS).toBeCloseTo(6, 2);
});

test('hears channels that the file does not name', async () => {
  const flat = await flatClip({ times: [0, 0.5], endS: 1 });
  const path = await remuxedClip(flat, 'matroska', { hertz: 440, peak: 1 / 8, seconds: 1 });
  const { sound } = await see(media, { path, picture: GRAY, sampleRate: 8_000 });
  const heard = sound.flatMap(({ samples }) => [...samples]);
  expect(heard.length).toBeGreaterThan(7_500);
  expect(Math.max(...heard)).toBeCloseTo(1 / 8, 1);
});

test('feeds several pictures and the sound from one pass', async () => {
  const { frames, others, sound } = await see(media, {
    path: await sceneClip(),
    picture: GRAY,
    other: { width: 64, height: 64, format: 'rgb', letterbox: 114, minIntervalS: 0.2 },
    sampleRate: 16_000,
  });
  expect(frames).toHaveLength(400);
  expect(others.map(({ timeS }) => Number(timeS.toFixed(3)))).toEqual(
    Array.from({ length: 80 }, (_, i) => Number((i * 0.2).toFixed(3))),
  );
  // 480 × 272 within 64 × 64 leaves bars of 14 rows above and below.
  const middle = others[11]!.data;
  expect([...middle.subarray(0, 3)]).toEqual([114, 114, 114]);
  expect([...middle.subarray(64 * 13 * 3, 64 * 14 * 3)].every((value) => value === 114)).toBe(true);
  expect([...middle.subarray(64 * 14 * 3, 64 * 15 * 3)].some((value) => value !== 114)).toBe(true);
  // The red block is in the middle of the picture at 2.2 s.
  const center = middle.subarray((32 * 64 + 32) * 3, (32 * 64 + 33) * 3);
  expect(center[0]).toBeGreaterThan(150);
  expect(center[1]).toBeLessThan(90);
  expect(sound.reduce((sum, { samples }) => sum + samples.length, 0)).toBeGreaterThan(15.9 * 16_000);
});

test('delivers only the frames at the requested times', async () => {
  const path = await sceneClip();
  const atS = [0.04, 0.2, 2.12, 7.4];
  const { frames, others } = await see(media, { path, picture: GRAY, other: { ...GRAY, atS } });
  expect(frames).toHaveLength(400);
  expect(others.map(({ timeS }) => Number(timeS.toFixed(3)))).toEqual(atS);
  for (const { timeS, data } of others) {
    const same = frames.find((frame) => Math.abs(frame.timeS - timeS) < 1e-6)!;
    expect(Buffer.compare(data, same.data)).toBe(0);
  }
  const range = { fromS: 2.12, untilS: 7.41 };
  const part = await see(media, { path, picture: { ...GRAY, atS: [2.12, 7.4] }, range });
  expect(part.frames.map(({ timeS }) => Number(timeS.toFixed(3)))).toEqual([2.12, 7.4]);
  expect((await see(media, { path, picture: { ...GRAY, atS: [] }, range })).frames).toEqual([]);
});

test('tells black from white, whatever the range they are coded in', async () => {
  const { frames } = await see(media, { path: await flatClip({ times: [0, 0.1], endS: 0.2 }), picture: GRAY });
  const { frames: dark } = await see(media, { path: await sceneClip(), picture: GRAY });
  expect(frames[0]!.data[0]).toBeGreaterThan(245);
  expect(mean(dark[Math.round((SCENE.dark.startS + 1) * SCENE.frameRate)]!.data)).toBeLessThan(14);
});

test('keeps the level and the time of sound', async () => {
  const { sound } = await see(media, { path: await sceneClip(), picture: GRAY, sampleRate: 16_000 });
  const level = (startS: number, endS: number) => {
    const squares: number[] = [];
    for (const { timeS, samples } of sound) {
      samples.forEach((sample, i) => {
        const at = timeS + i / 16_000;
        if (at >= startS && at < endS) squares.push(sample * sample);
      });
    }
    return 10 * Math.log10(mean(squares) + 1e-12);
  };
  const { tone, silence } = SCENE.sound;
  // A sine of peak 0.5 has -9.03 dB.
  expect(level(tone.startS + 0.05, tone.endS - 0.05)).toBeCloseTo(-9.03, 0);
  expect(level(silence.startS + 0.1, silence.endS - 0.1)).toBeLessThan(-70);
  expect(level(tone.startS - 0.3, tone.startS - 0.05)).toBeLessThan(-35);
  expect(level(tone.startS, tone.startS + 0.05)).toBeGreaterThan(-12);
  expect(Math.abs(sound[0]!.timeS)).toBeLessThan(0.05);
});

test.each([
  [undefined, 'top left'],
  [90, 'top right'],
  [180, 'bottom right'],
  [270, 'bottom left'],
] as const)('turns pictures upright: rotation %s puts the corner to the %s', async (rotation, corner) => {
  const path = await flatClip({ times: [0, 0.5], endS: 1, rotation });
  const { video } = await media.probe(path);
  const sideways = rotation === 90 || rotation === 270;
  expect(video).toMatchObject(sideways ? { width: 48, height: 64 } : { width: 64, height: 48 });
  expect(video.rotation).toBe(rotation ?? 0);
  const { frames } = await see(media, { path, picture: { width: 24, height: 24, format: 'gray' } });
  expect(brightCorner(frames[0]!.data, 24, 24, 1)).toBe(corner);
  const image = await pixels(await media.frameImage(path, { timeS: 0 }));
  expect([image.width, image.height]).toEqual([video.width, video.height]);
  expect(brightCorner(image.data, image.width, image.height, 4)).toBe(corner);
});

test('leaves out frames as asked, without moving the others', async () => {
  const path = await sceneClip();
  const all = await see(media, { path, picture: GRAY });
  const key = await see(media, { path, picture: GRAY, skip: 'non-key' });
  const some = await see(media, { path, picture: GRAY, skip: 'non-reference', skipDeblocking: 'all' });
  expect(key.frames.map(({ pts }) => pts)).toEqual(all.frames.filter((f) => f.keyframe).map(({ pts }) => pts));
  expect(some.frames.length).toBeLessThan(all.frames.length);
  const stamps = new Map(all.frames.map((frame) => [frame.pts, frame]));
  for (const { pts, data } of some.frames) expect(difference(data, stamps.get(pts)!.data)).toBeLessThan(3);
  for (const { summary } of [all, key, some]) expect(summary.state).toBe('whole');
});

test('leaves the deblocking out of frames that nothing refers to, and of no other', async () => {
  const path = await sceneClip();
  const all = await see(media, { path, picture: GRAY });
  const referred = await see(media, { path, picture: GRAY, skip: 'non-reference' });
  const quick = await see(media, { path, picture: GRAY, skipDeblocking: 'non-reference' });
  expect(quick.frames.map(({ pts }) => pts)).toEqual(all.frames.map(({ pts }) => pts));
  const changes = new Map(quick.frames.map(({ pts, data }, at) => [pts, difference(data, all.frames[at]!.data)]));
  for (const { pts } of referred.frames) expect(changes.get(pts)).toBe(0);
  expect(Math.max(...changes.values())).toSatisfy((most) => most > 0 && most < 1);
});

test('reports every packet, and decodes only the requested keyframes', async () => {
  const path = await flatClip({ times: Array.from({ length: 60 }, (_, i) => i / 10), endS: 6 });
  const { packets, frames } = await see(media, { path, picture: { ...GRAY, minIntervalS: 2 }, skip: 'non-key' });
  expect(packets.map(({ timeS }) => timeS).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 60 }, (_, i) => expect.closeTo(i / 10, 4)),
  );
  expect(packets.every(({ bytes }) => bytes > 0)).toBe(true);
  const keyframes = packets.filter(({ keyframe }) => keyframe).map(({ timeS }) => timeS);
  expect(keyframes.length).toBeGreaterThan(5);
  let last = Number.NEGATIVE_INFINITY;
  const wanted = keyframes.filter((timeS) => {
    if (timeS < last + 1.999) return false;
    last = timeS;
    return true;
  });
  expect(frames.map(({ timeS }) => timeS)).toEqual(wanted);
});

test.each(THREADS)('waits for a slow consumer, and reports one that fails, on threads: %i', async (threads) => {
  const args = { path: await flatClip({ times: [0, 0.1, 0.2, 0.3, 0.4], endS: 0.5 }), threads };
  expect(await media.run({ module: TASKS, name: 'countConcurrentFrames', args })).toBe(1);
  await expect(media.run({ module: TASKS, name: 'failInConsumer', args })).rejects.toThrow('the consumer failed');
  expect(await media.run({ module: TASKS, name: 'countConcurrentFrames', args })).toBe(1);
});

test('tells progress up to the end', async () => {
  const seen: number[] = [];
  const args: DecodeClipArgs = { path: await sceneClip(), picture: GRAY };
  await media.run({ module: TASKS, name: 'decodeClip', args }, { onProgress: (fraction) => seen.push(fraction) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
});

test('draws the very frame that is shown at a time', async () => {
  const times = Array.from({ length: 30 }, (_, i) => i * 0.1 + (i > 20 ? 0.37 : 0));
  const path = await flatClip({ times, endS: 4 });
  const shownAt = async (timeS: number) => {
    const { data } = await pixels(await media.frameImage(path, { timeS }));
    return mean(data.slice(data.length / 2).filter((_, i) => i % 4 === 0));
  };
  for (const i of [0, 1, 11, 12, 13, 20, 21, 29]) {
    expect(Math.abs((await shownAt(times[i]!)) - flatLevel(i)), `at ${times[i]}`).toBeLessThan(12);
    expect(Math.abs((await shownAt(times[i]! + 0.09)) - flatLevel(i)), `after ${times[i]}`).toBeLessThan(12);
  }
  expect(Math.abs((await shownAt(-5)) - flatLevel(0))).toBeLessThan(12);
  expect(Math.abs((await shownAt(1_000)) - flatLevel(29))).toBeLessThan(12);
});

test('draws boxes and labels, and no larger than asked', async () => {
  const path = await sceneClip();
  const box = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
  const plain = await pixels(await media.frameImage(path, { timeS: 5, maxSide: 240 }));
  const boxed = await pixels(await media.frameImage(path, { timeS: 5, maxSide: 240, boxes: [box] }));
  const named = await pixels(
    await media.frameImage(path, { timeS: 5, maxSide: 240, boxes: [{ ...box, label: 'red car' }] }),
  );
  expect([plain.width, plain.height]).toEqual([240, 136]);
  const changed = (a: typeof plain, b: typeof plain, x: number, y: number) => {
    const at = (Math.round(y * 136) * 240 + Math.round(x * 240)) * 4;
    return [0, 1, 2].some((k) => Math.abs(a.data[at + k]! - b.data[at + k]!) > 60);
  };
  expect(changed(plain, boxed, 0.25, 0.5)).toBe(true);
  expect(changed(plain, boxed, 0.5, 0.5)).toBe(false);
  // The label stands on a plate above the box: bright, with dark letters.
  const plate = Array.from({ length: 40 }, (_, i) => {
    const at = (Math.round(0.25 * 136 - 8) * 240 + 62 + i) * 4;
    return named.data[at + 1]!;
  });
  expect(Math.max(...plate)).toBeGreaterThan(120);
  expect(Math.min(...plate)).toBeLessThan(60);
  const large = await pixels(await media.frameImage(path, { timeS: 5 }));
  expect([large.width, large.height]).toEqual([SCENE.width, SCENE.height]);
});

test('draws a part of a frame, as large as asked', async () => {
  const path = await sceneClip();
  const whole = await pixels(await media.frameImage(path, { timeS: 5 }));
  const crop = { x: 0.5, y: 0.25, width: 0.25, height: 0.5 };
  const part = await pixels(await media.frameImage(path, { timeS: 5, crop }));
  expect([part.width, part.height]).toEqual([SCENE.width / 4, SCENE.height / 2]);
  const level = ({ data, width }: typeof part, x: number, y: number) => data[(y * width + x) * 4 + 1]!;
  for (const [x, y] of [
    [5, 5],
    [Math.round(SCENE.width / 8), Math.round(SCENE.height / 4)],
  ] as const)
    expect(Math.abs(level(part, x, y) - level(whole, x + SCENE.width / 2, y + SCENE.height / 4))).toBeLessThan(16);
  const small = await pixels(await media.frameImage(path, { timeS: 5, crop, maxSide: 60 }));
  expect(Math.max(small.width, small.height)).toBeLessThanOrEqual(61);
});

test('plays half a video and says that it is damaged', async () => {
  const { summary } = await see(media, { path: await truncatedClip(), picture: GRAY });
  expect(summary.state).toBe('damaged');
  expect(summary.frames).toBeGreaterThan(150);
  expect(summary.frames).toBeLessThan(250);
});

test('refuses what is longer than allowed', async () => {
  const log = createLog('silent');
  const strict = await createMedia({ processes: 1, maxSeconds: 10, log });
  try {
    await expect(strict.probe(await sceneClip())).rejects.toMatchObject({
      code: 'media_too_long',
      message: 'The video lasts 16 seconds; this server accepts at most 10 seconds.',
    });
  } finally {
    await strict.close();
  }
});

test('refuses every hostile file with its own sentence, and lives', async () => {
  const files: InvalidFile[] = await writeInvalidFiles();
  for (const { name, path, code } of files) {
    const outcome = await media.probe(path).then(
      () => 'accepted',
      (error: Error) => error,
    );
    expect(outcome, name).toMatchObject({ code, status: 400 });
    expect((outcome as Error).message, name).toMatch(/^The .*\.$/);
    // A single picture can be decoded; it is no video all the same.
    if (name === 'single-frame.gif') continue;
    await expect(see(media, { path, picture: GRAY }), name).rejects.toMatchObject({ code, status: 400 });
  }
});

test('meets damage anywhere in a file with a result or a Problem', async () => {
  const whole = await readFile(await flatClip({ times: Array.from({ length: 30 }, (_, i) => i / 10), endS: 3 }));
  const path = join(await temporaryFolder(), 'mutated.mp4');
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 40; seed++) {
    const bytes = Buffer.from(whole);
    for (let k = 0; k < 12; k++) bytes[(seed * 7_919 + k * k * 104_729) % bytes.length] = (seed * 31 + k * 17) % 256;
    await writeFile(path, bytes.subarray(0, seed % 5 === 0 ? bytes.length / 2 : bytes.length));
    const attempts = [
      () => media.probe(path),
      () => media.frameImage(path, { timeS: 1 }),
      () => see(media, { path, picture: GRAY }),
    ];
    for (const attempt of attempts) {
      const outcome = attempt().then(() => 'result');
      outcomes.add(await outcome.catch((error) => error.code ?? error.message));
    }
  }
  expect(
    [...outcomes].filter(
      (outcome) => !/^(result|media_(damaged|unreadable|no_video|dimensions|too_long|still_image))$/.test(outcome),
    ),
  ).toEqual([]);
  expect(outcomes).toContain('result');
  expect(outcomes).toContain('media_damaged');
});

test('sees on several threads what it sees on one, or stops at damage', async () => {
  const times = Array.from({ length: 30 }, (_, i) => i / 10);
  const whole = await readFile(
    hasFootage
      ? footage('tricky/torchcodec_bt709_full_range.mp4')
      : await flatClip({ times, endS: 3, width: 1280, height: 720 }),
  );
  const begin = whole.indexOf('mdat') + 4;
  const length = whole.readUInt32BE(begin - 8) - 8;
  const path = join(await temporaryFolder(), 'mutated.mp4');
  const states = new Set<string>();
  for (let seed = 0; seed < 30; seed++) {
    const bytes = Buffer.from(whole);
    if (seed > 0) bytes[begin + ((seed * 7_919_237) % length)]! ^= 1 << (seed % 8);
    await writeFile(path, bytes);
    const args: DecodeClipArgs = { path, picture: { ...GRAY, width: 160, height: 90 } };
    const several = await see(media, { ...args, threads: 3 });
    states.add(several.summary.state);
    if (several.summary.state === 'stopped') continue;
    const one = await see(media, args);
    expect(several.summary, `seed ${seed}`).toEqual(one.summary);
    expect(several.frames, `seed ${seed}`).toEqual(one.frames);
  }
  expect(states).toContain('whole');
  expect(states).toContain('stopped');
});

test('writes a video with its own times and sound', async () => {
  const times = [0, 0.1, 0.2, 0.7, 0.8, 1.8, 1.9];
  const path = join(await temporaryFolder(), 'written.mp4');
  await media.run({ module: TASKS, name: 'writeClip', args: { path, times, endS: 2 } });
  expect(await media.probe(path)).toMatchObject({ video: { codec: 'h264', frames: 7 }, audio: { codec: 'aac' } });
  const { frames, sound } = await see(media, { path, picture: GRAY, sampleRate: 8_000 });
  expect(frames.map(({ timeS }) => Number(timeS.toFixed(3)))).toEqual(times);
  for (const [i, { data }] of frames.entries()) expect(Math.abs(mean(data) - (40 + i * 20))).toBeLessThan(6);
  const loud = sound.find(({ timeS }) => timeS > 1)!.samples;
  expect(Math.max(...loud)).toBeCloseTo(0.5, 1);
});
