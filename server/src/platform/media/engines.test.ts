import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestMedia, flatClip, flatLevel, SCENE, sceneClip } from '#test/clips';
import { temporaryFolder } from '#test/folder';
import { footage, hasFootage } from '#test/footage';
import { type HostileFile, halfClip, hostileFiles } from '#test/hostile';
import type { SeeArgs, Seen } from '#test/media-tasks';
import { testedEngines } from '#test/programs';
import { createLog } from '../log.ts';
import { createMedia, type Media } from './index.ts';

/**
 * One suite for both engines: the same files, the same facts. The ffmpeg half needs the program on the PATH (docs/decisions/0003).
 */
const command = promisify(execFile);
const TASKS = new URL('../../../test/media-tasks.ts', import.meta.url);
const GRAY = { width: 32, height: 24, format: 'gray' } as const;
/** On several, pictures are decoded ahead of whoever looks at them. */
const THREADS = [1, 3];

const see = (media: Media, args: SeeArgs) => media.run<Seen>({ module: TASKS, name: 'see', args });
const mean = (data: ArrayLike<number>) => Array.from(data).reduce((sum, value) => sum + value, 0) / data.length;
const difference = (a: Uint8Array, b: Uint8Array) => mean(a.map((value, i) => Math.abs(value - b[i]!)));

/** Real files with what is known of them: probe facts, and the number of frames that decode. */
const KNOWN: [file: string, facts: object, frames: number][] = [
  [
    'tricky/pyscenedetect_counter.mp4',
    { container: 'mp4', codec: 'h264', width: 1920, height: 1080, durationS: 3 },
    30,
  ],
  ['tricky/mediabunny_cursed-vfr.mp4', { codec: 'h264', width: 3026, height: 1386, durationS: 8.7255 }, 63],
  ['tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4', { codec: 'h264', durationS: 4 }, 120],
  ['tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4', { startS: 10, durationS: 4 }, 120],
  ['tricky/androidx_mp4_edit_list_positive_shift.mp4', { startS: 1, durationS: 9, sound: 'aac' }, 270],
  ['tricky/androidx_mp4_sample_portrait.mp4', { width: 720, height: 1080, rotation: 0, sound: 'aac' }, 30],
  ['tricky/androidx_mp4_h265_with_metadata_track.mp4', { codec: 'hevc', width: 1080, height: 1920, rotation: 90 }, 3],
  ['tricky/androidx_mp4_sample_fragmented_seekable_multiple_sidx.mp4', { frames: null, durationS: 20 }, 600],
  ['tricky/androidx_mp4_trim_optimization_failure.mp4', { width: 518, height: 488, sound: 'aac' }, 167],
  ['tricky/androidx_avi_sample.avi', { container: 'avi', codec: 'mpeg4', sound: 'mp3' }, 96],
  ['tricky/androidx_flv_sample.flv', { container: 'flv', codec: 'h264', sound: 'aac' }, 30],
  ['tricky/androidx_mkv_sample.mkv', { container: 'matroska', codec: 'h264', sound: 'ac3' }, 30],
  ['tricky/androidx_ts_sample_h264.ts', { container: 'mpegts', codec: 'h264', sound: null }, 30],
  ['tricky/androidx_ts_sample_h262_mpeg_audio.ts', { codec: 'mpeg2video', sound: 'mp2' }, 3],
  ['tricky/androidx_ts_sample_with_junk', { container: 'mpegts', codec: 'mpeg2video' }, 3],
  ['tricky/mediabunny_frames.webm', { container: 'webm', codec: 'vp9', width: 1080, height: 1080 }, 100],
  ['tricky/mediabunny_sar_2x1.mp4', { width: 1280, height: 360 }, 150],
  ['tricky/mpf_h265_aac.mp4', { codec: 'hevc', sound: 'aac' }, 31],
  ['tricky/mpf_xvid_aac.avi', { codec: 'mpeg4', sound: 'mp3' }, 31],
  ['tricky/torchcodec_h264_10bits.mp4', { pixelFormat: 'yuv420p10le', width: 200, height: 200 }, 30],
  [
    'tricky/androidx_vp9_roadtrip-vp92-10bit.webm',
    { codec: 'vp9', pixelFormat: 'yuv420p10le', width: 426, height: 240 },
    72,
  ],
  ['tricky/androidx_mp4_hdr10-av1.mp4', { codec: 'av1', width: 720, height: 1280 }, 127],
  ['security/intel_people_detection.gif', { container: 'gif', codec: 'gif', sound: null, durationS: 1.91 }, 23],
  ['road/udacity_night_rural_5s.mp4', { codec: 'mpeg4', width: 1920, height: 1080 }, 157],
];
const SCENE_ROW: [file: string, facts: object, frames: number] = ['the drawn scene', {}, 400];
const present = hasFootage ? KNOWN : [];

describe.each(testedEngines())('the %s engine', (engine) => {
  let media: Media;
  beforeAll(async () => {
    media = await createTestMedia(engine);
  });
  afterAll(() => media.close());

  test('is the one that was asked for', () => expect(media.engine).toBe(engine));

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

  test.each(THREADS)(
    'gives every frame once, with its own time, at a variable rate, on threads: %i',
    async (threads) => {
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
    },
  );

  const { ffmpeg } = inject('programs');
  // Our own encoder writes no such sound.
  test.runIf(ffmpeg)('hears channels that the file does not name', async () => {
    const path = join(await temporaryFolder(), 'pcm.mkv');
    const inputs = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1', '-f', 'lavfi', '-i', 'sine=f=440:d=1'];
    await command(ffmpeg!, ['-v', 'error', ...inputs, '-ac', '2', '-c:a', 'pcm_s16le', path]);
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
    const centre = middle.subarray((32 * 64 + 32) * 3, (32 * 64 + 33) * 3);
    expect(centre[0]).toBeGreaterThan(150);
    expect(centre[1]).toBeLessThan(90);
    expect(sound.reduce((sum, { samples }) => sum + samples.length, 0)).toBeGreaterThan(15.9 * 16_000);
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
    const image = await pixels(await media.picture(path, { timeS: 0 }));
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

  test('tells of every packet, and decodes only the keyframes that somebody wants', async () => {
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
    expect(await media.run({ module: TASKS, name: 'hold', args })).toBe(1);
    await expect(media.run({ module: TASKS, name: 'stumble', args })).rejects.toThrow('the consumer failed');
    expect(await media.run({ module: TASKS, name: 'hold', args })).toBe(1);
  });

  test('tells progress up to the end', async () => {
    const seen: number[] = [];
    const args: SeeArgs = { path: await sceneClip(), picture: GRAY };
    await media.run({ module: TASKS, name: 'see', args }, { onProgress: (fraction) => seen.push(fraction) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  test('draws the very frame that is shown at a time', async () => {
    const times = Array.from({ length: 30 }, (_, i) => i * 0.1 + (i > 20 ? 0.37 : 0));
    const path = await flatClip({ times, endS: 4 });
    const shownAt = async (timeS: number) => {
      const { data } = await pixels(await media.picture(path, { timeS }));
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
    const plain = await pixels(await media.picture(path, { timeS: 5, maxSide: 240 }));
    const boxed = await pixels(await media.picture(path, { timeS: 5, maxSide: 240, boxes: [box] }));
    const named = await pixels(
      await media.picture(path, { timeS: 5, maxSide: 240, boxes: [{ ...box, label: 'red car' }] }),
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
    const large = await pixels(await media.picture(path, { timeS: 5 }));
    expect([large.width, large.height]).toEqual([SCENE.width, SCENE.height]);
  });

  test('plays half a video and says that it is damaged', async () => {
    const { summary } = await see(media, { path: await halfClip(), picture: GRAY });
    expect(summary.state).toBe('damaged');
    expect(summary.frames).toBeGreaterThan(150);
    expect(summary.frames).toBeLessThan(250);
  });

  test('refuses what is longer than allowed', async () => {
    const log = createLog('silent');
    const strict = await createMedia({ engine, processes: 1, ffmpegPath: 'ffmpeg', maxSeconds: 10, log });
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
    const files: HostileFile[] = await hostileFiles();
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
    for (let seed = 1; seed <= (engine === 'node-av' ? 40 : 8); seed++) {
      const bytes = Buffer.from(whole);
      for (let k = 0; k < 12; k++) bytes[(seed * 7_919 + k * k * 104_729) % bytes.length] = (seed * 31 + k * 17) % 256;
      await writeFile(path, bytes.subarray(0, seed % 5 === 0 ? bytes.length / 2 : bytes.length));
      const attempts = [
        () => media.probe(path),
        () => media.picture(path, { timeS: 1 }),
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
    for (let seed = 0; seed < (engine === 'node-av' ? 30 : 1); seed++) {
      const bytes = Buffer.from(whole);
      if (seed > 0) bytes[begin + ((seed * 7_919_237) % length)]! ^= 1 << (seed % 8);
      await writeFile(path, bytes);
      const args: SeeArgs = { path, picture: { ...GRAY, width: 160, height: 90 } };
      const several = await see(media, { ...args, threads: 3 });
      states.add(several.summary.state);
      if (several.summary.state === 'stopped') continue;
      const one = await see(media, args);
      expect(several.summary, `seed ${seed}`).toEqual(one.summary);
      expect(several.frames, `seed ${seed}`).toEqual(one.frames);
    }
    expect(states).toContain('whole');
    expect(states.has('stopped')).toBe(engine === 'node-av');
  });

  test('writes a video with its own times and sound', async () => {
    const times = [0, 0.1, 0.2, 0.7, 0.8, 1.8, 1.9];
    const path = join(await temporaryFolder(), 'written.mp4');
    await media.run({ module: TASKS, name: 'write', args: { path, times, endS: 2 } });
    expect(await media.probe(path)).toMatchObject({ video: { codec: 'h264', frames: 7 }, audio: { codec: 'aac' } });
    const { frames, sound } = await see(media, { path, picture: GRAY, sampleRate: 8_000 });
    expect(frames.map(({ timeS }) => Number(timeS.toFixed(3)))).toEqual(times);
    for (const [i, { data }] of frames.entries()) expect(Math.abs(mean(data) - (40 + i * 20))).toBeLessThan(6);
    const loud = sound.find(({ timeS }) => timeS > 1)!.samples;
    expect(Math.max(...loud)).toBeCloseTo(0.5, 1);
  });
});

const agreement = () => {
  let engines: [Media, Media];
  beforeAll(async () => {
    engines = await Promise.all([createTestMedia('node-av'), createTestMedia('ffmpeg')]);
  });
  afterAll(() => Promise.all(engines.map((media) => media.close())));

  test.each([...present, SCENE_ROW])('agree on %s', async (file, _, count) => {
    const path = file === SCENE_ROW[0] ? await sceneClip() : footage(file);
    const other = { width: 48, height: 48, format: 'rgb', letterbox: 114, minIntervalS: 0.5 } as const;
    const args: SeeArgs = { path, picture: GRAY, other, sampleRate: 16_000 };
    const [a, b] = await Promise.all([see(engines[0], args), see(engines[1], args)]);
    expect(a.summary).toMatchObject({ frames: count, errors: 0, state: 'whole' });
    expect(a.frames).toHaveLength(count);
    expect(a.frames[0]).toMatchObject({ timeS: 0, keyframe: true });
    expect(a.frames.every(({ timeS }, i) => i === 0 || timeS > a.frames[i - 1]!.timeS)).toBe(true);
    expect(a.summary.endS).toBeGreaterThan(a.frames.at(-1)!.timeS);
    expect(b.summary).toMatchObject({ frames: count, errors: 0, state: 'whole' });
    expect(b.frames.map(({ pts, keyframe }) => [pts, keyframe])).toEqual(
      a.frames.map(({ pts, keyframe }) => [pts, keyframe]),
    );
    // How many bytes end a GIF's last picture differs from one version of FFmpeg to the other.
    const rounded = ({ packets }: Seen) =>
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
      const loudest = ({ sound }: Seen) => sound.reduce((m, { samples }) => Math.max(m, ...samples.map(Math.abs)), 0);
      expect(loudest(b)).toBeCloseTo(loudest(a), 1);
    }
  });

  // What the one engine shrinks by itself, the other has its scaler do. Sizes come out uneven, and black is 0 or 16.
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
        const { data } = await pixels(await media.picture(path, { timeS: frames[i]!.timeS, maxSide: 64 }));
        const drawn = data.filter((_, k) => k % 4 !== 3);
        const distances = frames.map((frame) => difference(frame.data, drawn));
        // JPEG and rounding cost a little; no other frame may be nearer by more than that.
        expect(distances[i], `${media.engine}, frame ${i}`).toBeLessThan(Math.min(...distances) + 0.4);
        expect(distances[i]).toBeLessThan(8);
      }
    }
  });

  const keyframesOf = async (media: Media, path: string) => {
    const all = await see(media, { path, picture: GRAY });
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

async function pixels(jpeg: Buffer): Promise<{ width: number; height: number; data: Uint8Array }> {
  expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  const image = await loadImage(jpeg);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: new Uint8Array(data) };
}

function brightCorner(data: Uint8Array, width: number, height: number, channels: number): string {
  const at = (x: number, y: number) => data[(y * width + x) * channels]!;
  const corners = {
    'top left': at(1, 1),
    'top right': at(width - 2, 1),
    'bottom right': at(width - 2, height - 2),
    'bottom left': at(1, height - 2),
  };
  return Object.entries(corners).reduce((best, corner) => (corner[1] > best[1] ? corner : best))[0];
}
