/**
 * Latency of a segment of a long video that is not cached, after a seek into its middle: copied (H.264 in MP4, Matroska
 * and MPEG-TS) and encoded. Compared with the playing time of the segment; one-time costs per video are compared with
 * the video's length.
 * `npm run bench -- playback [HOURS]`
 */
import { stat } from 'node:fs/promises';
import { createTestMedia, flatClip, loopedClip, remuxedClip, sceneClip } from '../../server/test/media/clips.ts';
import { median, timed } from '../lib/measure.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 5;

export async function run([hours = '3']: string[]): Promise<BenchmarkRow[]> {
  const seconds = Number(hours) * 3600;
  const media = await createTestMedia();
  try {
    const video = await loopedClip(await sceneClip(), seconds);
    const sideways = await flatClip({ times: Array.from({ length: 100 }, (_, i) => i * 0.1), endS: 10, rotation: 90 });
    const videos = {
      'copied from MP4': video,
      'copied from Matroska': await remuxedClip(video, 'matroska'),
      'copied from a transport stream': await remuxedClip(video, 'mpegts'),
      'encoded, as it lies on its side': await loopedClip(sideways, seconds),
    };
    const rows: BenchmarkRow[] = [];
    for (const [name, path] of Object.entries(videos)) {
      const plan = await media.planSegments(path);
      const planned = await timed(() => media.planSegments(path));
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const at = Math.floor(plan.startsS.length * (0.4 + round * 0.04));
        const cut = {
          fromS: plan.startsS[at]!,
          untilS: plan.startsS[at + 1]!,
          video: plan.video,
          output: 'segment',
          maxSide: 1280,
        } as const;
        times.push(await timed(async () => (await media.trim(path, cut))[Symbol.asyncDispose]()));
      }
      const { size } = await stat(path);
      const ms = median(times);
      const playsS = seconds / plan.startsS.length;
      rows.push(
        {
          name: `a segment from the middle, ${name}`,
          value: ms / 1000 / playsS,
          unit: '× its length',
          bar: { max: 0.5 },
          note: `${ms.toFixed(0)} ms; ${hours} h, ${(size / 1e6).toFixed(0)} MB`,
        },
        {
          name: `the plan of all segments, once for a video, ${name}`,
          value: planned / 1000 / seconds,
          unit: '× its length',
          bar: { max: 0.005 },
          note: `${planned.toFixed(0)} ms`,
        },
      );
    }
    return rows;
  } finally {
    await media.close();
  }
}
