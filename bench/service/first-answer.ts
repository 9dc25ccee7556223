/**
 * Time until the first preliminary event of a question about a new video, as a share of the time until its answer, and
 * the processor time of all processes with preliminary events against that without, in turn. Needs the shared footage
 * and the weights of the detector.
 *
 * `npm run bench -- first-answer [ROUNDS] [SECONDS]`; default: 3 rounds, a video of 60 seconds.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loopedClip } from '../../server/test/media/clips.ts';
import { unobserved } from '../../server/test/shared-observations.ts';
import { interleave, median } from '../lib/measure.ts';
import { readProcessTree } from '../lib/process-tree.ts';
import { startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));
const FOOTAGE = join(SHARED, 'data/road/udacity_solidWhiteRight.mp4');
const QUERY = 'a car';

export async function run([rounds = '3', seconds = '60']: string[] = []): Promise<BenchmarkRow[]> {
  const service = await startService({ models: join(SHARED, 'models') });
  const { client } = service;
  try {
    const clip = await readFile(await loopedClip(FOOTAGE, Number(seconds)));
    const shares: number[] = [];
    const firstS: number[] = [];
    const numbers = { reported: 0, withdrawn: 0 };
    /** Asks about a new video, and returns the processor time that it took. */
    const ask = async (preliminary: boolean) => {
      // Each question is about a file of its own.
      const { video_id } = await client.upload(new Blob([unobserved(clip)]), { name: 'road.mp4' });
      await client.ready(video_id);
      const [before, started] = [cpuS(), performance.now()];
      let first: number | null = null;
      const ids = new Set<unknown>();
      for await (const { kind, data } of client.ask({ query: QUERY, videoIds: [video_id], preliminary })) {
        if (kind === 'preliminary') {
          first ??= performance.now();
          ids.add((data.preliminary as { preliminary_id: string }).preliminary_id);
        }
        if (kind === 'preliminary_withdrawn') numbers.withdrawn++;
      }
      const [wallS, taken] = [(performance.now() - started) / 1000, cpuS() - before];
      console.log(`  ${preliminary ? 'with' : 'without'}: ${taken.toFixed(1)} s of CPU, ${wallS.toFixed(1)} s`);
      if (first !== null) {
        firstS.push((first - started) / 1000);
        shares.push(firstS.at(-1)! / wallS);
      }
      numbers.reported += ids.size;
      return taken;
    };
    // Starts the processes.
    await ask(false);
    const cpu = await interleave(Number(rounds), { without: () => ask(false), with: () => ask(true) });
    const withdrawn = `${numbers.withdrawn} of ${numbers.reported} events were withdrawn`;
    return [
      {
        name: 'first preliminary event against the answer',
        value: median(shares),
        unit: '×',
        bar: { max: 0.25 },
        note: `after ${median(firstS).toFixed(1)} s; ${withdrawn}`,
      },
      {
        name: 'processor time with preliminary events against without',
        value: median(cpu.with) / median(cpu.without),
        unit: '×',
        bar: { max: 1.08 },
        note: `${toText(cpu.with)} against ${toText(cpu.without)} s`,
      },
    ];
  } finally {
    await service.stop();
  }
}

const toText = (seconds: readonly number[]) => seconds.map((each) => each.toFixed(1)).join(', ');

/** Processor time of all processes so far, in seconds. */
const cpuS = () => readProcessTree(process.pid).reduce((sum, each) => sum + each.cpuS, 0);
