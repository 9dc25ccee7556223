import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import { temporaryFolder } from '#test/temporary-folder';
import { difference, mean, see } from './engine.fixture.ts';
import type { Media } from './index.ts';

/** The frames of our decoder against those of the `ffmpeg` program: an independent build, here of another version. */
const { ffmpeg } = inject('programs');
const run = promisify(execFile);

/** Different codecs, containers, frame rates, color ranges and bit depths. */
const CLIPS = [
  'tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4',
  'tricky/mediabunny_cursed-vfr.mp4',
  'tricky/torchcodec_bt709_full_range.mp4',
  'tricky/androidx_mkv_sample.mkv',
  'tricky/mpf_h265_aac.mp4',
  'tricky/mediabunny_frames.webm',
  'tricky/androidx_mp4_hdr10-av1.mp4',
  'tricky/androidx_ts_sample_h262_mpeg_audio.ts',
  'tricky/mpf_xvid_aac.avi',
  'security/intel_people_detection.gif',
];
const RGB = { width: 96, height: 64, format: 'rgb' } as const;
const GRAY = { width: 96, height: 64, format: 'gray' } as const;
type Picture = { width: number; height: number; format: 'rgb' | 'gray' };

/**
 * Tolerated mean distance in levels (of 255) between the pixels of a frame and the oracle's. Both builds decode to the
 * same pixels, and their scalers round differently: measured at most 0.32.
 */
const SAME = 0.5;
/** Tolerated distance of the means of a channel. Rounding has no direction: measured at most 0.07. */
const SHIFT = 0.2;

describe.runIf(ffmpeg)('the frames of the ffmpeg program', () => {
  let media: Media;
  beforeAll(async () => {
    media = await createTestMedia();
  });
  afterAll(() => media.close());

  test.runIf(hasFootage).each(CLIPS)('%s', async (file) => {
    const path = footage(file);
    const { summary, frames, others } = await see(media, { path, picture: RGB, other: GRAY });
    expect(summary).toMatchObject({ errors: 0, state: 'whole' });
    expect(frames.map(({ pts }) => pts)).toEqual(await oracleTimes(path));

    const colored = await oracleFrames(path, RGB);
    expect(colored).toHaveLength(frames.length);
    for (const [i, { data }] of frames.entries()) isSame(data, colored[i]!, 3, `frame ${i}`);
    for (const [i, data] of (await oracleFrames(path, GRAY)).entries()) isSame(others[i]!.data, data, 1, `luma ${i}`);
    // Where little moves, frames differ by less than `SAME` from the next ones, but by more than by rounding.
    const [own, next] = [0, 1].map((shift) =>
      mean(colored.slice(shift).map((data, i) => difference(frames[i]!.data, data))),
    );
    expect(own).toBeLessThan(next! / 2);
  });

  // Luma of 4:2:0 is downscaled by our own kernel, all else by FFmpeg's scaler. Odd sizes, full and limited range.
  test.each([
    ['641x479', 'yuv420p'],
    ['1279x719', 'yuv420p'],
    ['1922x1082', 'yuvj420p'],
    ['1280x720', 'yuv422p'],
    ['3840x2160', 'yuv420p'],
  ])('of %s in %s', async (size, pixelFormat) => {
    const path = join(await temporaryFolder(), 'large.mkv');
    const input = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=5:d=1`];
    await run(ffmpeg!, ['-v', 'error', ...input, '-c:v', 'ffv1', '-pix_fmt', pixelFormat, path]);
    const picture = { width: 416, height: 234, format: 'rgb' } as const;
    const { frames, others } = await see(media, { path, picture, other: GRAY });
    expect(frames).toHaveLength(5);
    for (const [i, data] of (await oracleFrames(path, picture)).entries()) isSame(frames[i]!.data, data, 3, `${i}`);
    for (const [i, data] of (await oracleFrames(path, GRAY)).entries()) isSame(others[i]!.data, data, 1, `luma ${i}`);
  });
});

function isSame(data: Uint8Array, oracle: Uint8Array, channels: number, name: string): void {
  expect(difference(data, oracle), name).toBeLessThan(SAME);
  for (let channel = 0; channel < channels; channel++) {
    const [ours, theirs] = [data, oracle].map((each) => mean(each.filter((_, at) => at % channels === channel)));
    expect(Math.abs(ours! - theirs!), `${name}, channel ${channel}`).toBeLessThan(SHIFT);
  }
}

/** Presentation times of all frames, in the stream's time base. */
async function oracleTimes(path: string): Promise<number[]> {
  const entries = ['-select_streams', 'v:0', '-show_entries', 'frame=best_effort_timestamp', '-of', 'csv=p=0'];
  const { stdout } = await run(ffmpeg!.replace(/ffmpeg$/, 'ffprobe'), ['-v', 'error', ...entries, path]);
  // Lines of frames with side data are followed by empty ones.
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(Number.parseFloat);
}

/** All frames, upright and scaled as ours. */
async function oracleFrames(path: string, { width, height, format }: Picture): Promise<Uint8Array[]> {
  const pixels = format === 'rgb' ? 'rgb24' : 'gray';
  const filter = `scale=${width}:${height}:flags=area+accurate_rnd,format=${pixels}`;
  const output = ['-map', '0:v:0', '-fps_mode', 'passthrough', '-vf', filter, '-f', 'rawvideo', '-'];
  const args = ['-v', 'error', '-nostdin', '-i', path, ...output];
  const { stdout } = await run(ffmpeg!, args, { encoding: 'buffer', maxBuffer: 2 ** 28 });
  const size = width * height * (format === 'rgb' ? 3 : 1);
  return Array.from({ length: stdout.length / size }, (_, i) => stdout.subarray(i * size, (i + 1) * size));
}
