/**
 * Recordings: a JPEG channel against the ffmpeg program on the same frames, an H.264 channel against reading the file
 * with the format's own library, memory and ranges of a large file.
 *
 * `npm run bench -- mcap [LARGE_MB]`; default 2,000 MB, twice of which must be free on the temporary disk.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRecordings } from '../server/src/engine/robot-logs/index.ts';
import type { Media } from '../server/src/platform/media/index.ts';
import { createTestMedia } from '../server/test/media/clips.ts';
import { bytesToFirstFrame, plainReading, realFrames, writeRecording } from './lib/mcap.ts';
import { interleave, median, timed } from './lib/measure.ts';
import type { BenchmarkRow } from './run.ts';

const execute = promisify(execFile);
const ROUNDS = 3;
const PICTURES = 200;
const SMALL_BYTES = 100e6;
const TASK = new URL('./lib/mcap-task.ts', import.meta.url);

async function measure(folder: string, media: Media, largeBytes: number): Promise<BenchmarkRow[]> {
  const recordings = createRecordings({ media });
  const convertChannel = (path: string) =>
    recordings.convertChannel({ place: { path }, channelId: 0, folder, chunkSizeS: null });

  const jpegs = await realFrames('jpeg');
  const pictures = join(folder, 'pictures.mcap');
  await writeRecording(pictures, jpegs, 'jpeg', { frames: PICTURES });
  const extracted = join(folder, 'extracted');
  await mkdir(extracted);
  for (let i = 0; i < PICTURES; i++) {
    await writeFile(join(extracted, `${String(i).padStart(5, '0')}.jpg`), jpegs[i % jpegs.length]!);
  }
  const plainFfmpeg = () =>
    execute('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-threads',
      '1',
      '-framerate',
      '30',
      '-i',
      join(extracted, '%05d.jpg'),
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '20',
      '-g',
      '60',
      '-threads',
      '1',
      '-movflags',
      '+faststart',
      join(folder, 'plain.mp4'),
    ]);
  await convertChannel(pictures);
  const encoding = await interleave(ROUNDS, {
    ours: () => timed(() => convertChannel(pictures)),
    ffmpeg: () => timed(plainFfmpeg),
  });

  const units = await realFrames('h264');
  const small = join(folder, 'small.mcap');
  await writeRecording(small, units, 'h264', { bytes: SMALL_BYTES });
  const copying = await interleave(ROUNDS, {
    ours: () => timed(() => convertChannel(small)),
    library: () => timed(() => plainReading(small)),
  });

  const large = join(folder, 'large.mcap');
  await writeRecording(large, units, 'h264', { bytes: largeBytes });
  const peaks: number[] = [];
  for (const path of [small, large]) {
    // A separate process each, so that peak memory is that of this file.
    const fresh = await createTestMedia();
    const args = { place: { path }, channelId: 0, folder, chunkSizeS: null };
    peaks.push((await fresh.run<{ peakBytes: number }>({ module: TASK, name: 'convertAndMeasure', args })).peakBytes);
    await fresh.close();
  }
  const ranges = await bytesToFirstFrame(large);

  const ratio = (times: { ours: number[] }, peer: number[]) => median(peer) / median(times.ours);
  const ms = (times: number[]) => `${Math.round(median(times))} ms`;
  return [
    {
      name: 'JPEG channel to H.264, speed against ffmpeg',
      value: ratio(encoding, encoding.ffmpeg),
      unit: '×',
      bar: { min: 0.7 },
      note: `${PICTURES} pictures, one thread each: ${ms(encoding.ours)} against ${ms(encoding.ffmpeg)}`,
    },
    {
      name: 'H.264 channel copied, speed against plain reading',
      value: ratio(copying, copying.library),
      unit: '×',
      bar: { min: 0.5 },
      note: `100 MB: ${ms(copying.ours)} against ${ms(copying.library)}`,
    },
    {
      name: 'peak memory, more for the large file than for 100 MB',
      value: (peaks[1]! - peaks[0]!) / 1e6,
      unit: 'MB',
      bar: { max: 100 },
      note: peaks.map((bytes) => `${Math.round(bytes / 1e6)} MB`).join(' and '),
    },
    {
      name: 'read over HTTP before the first frame',
      value: (ranges.bytes / ranges.size) * 100,
      unit: '%',
      bar: { max: 1 },
      note: `${Math.round(ranges.bytes / 1e3)} kB of ${Math.round(ranges.size / 1e6)} MB`,
    },
  ];
}

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-mcap-'));
  const media = await createTestMedia();
  try {
    return await measure(folder, media, Number(args[0] ?? 2_000) * 1e6);
  } finally {
    await media.close();
    await rm(folder, { recursive: true, force: true });
  }
}
