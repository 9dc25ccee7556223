/**
 * How soon a player has a segment of a long film that nobody has asked for before, after a jump into its middle: copied (H.264 in MP4, Matroska and a transport stream),
 * and encoded. Against how long the segment plays, and what comes once for a film against the length of the film: a player waits for nothing else.
 * `npm run bench -- playback [HOURS]`
 */
import { stat } from 'node:fs/promises';
import { createTestMedia, flatClip, loopedClip, remuxedClip, sceneClip } from '../server/test/clips.ts';
import { median, timed } from './lib/measure.ts';
import type { Row } from './run.ts';

const ROUNDS = 5;

export async function run([hours = '3']: string[]): Promise<Row[]> {
  const seconds = Number(hours) * 3600;
  const media = await createTestMedia();
  try {
    const film = await loopedClip(await sceneClip(), seconds);
    const sideways = await flatClip({ times: Array.from({ length: 100 }, (_, i) => i * 0.1), endS: 10, rotation: 90 });
    const films = {
      'copied from MP4': film,
      'copied from Matroska': await remuxedClip(film, 'matroska'),
      'copied from a transport stream': await remuxedClip(film, 'mpegts'),
      'encoded, as it lies on its side': await loopedClip(sideways, seconds),
    };
    const rows: Row[] = [];
    for (const [name, path] of Object.entries(films)) {
      const plan = await media.segments(path);
      const planned = await timed(() => media.segments(path));
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const at = Math.floor(plan.startsS.length * (0.4 + round * 0.04));
        const cut = {
          fromS: plan.startsS[at]!,
          untilS: plan.startsS[at + 1]!,
          video: plan.video,
          as: 'segment',
          maxSide: 1280,
        } as const;
        times.push(await timed(async () => (await media.cut(path, cut))[Symbol.asyncDispose]()));
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
          name: `the plan of all segments, once for a film, ${name}`,
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
