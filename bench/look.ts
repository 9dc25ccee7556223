/**
 * Measures what the service makes of a vision-language model, without one: on the labeled clips, an oracle answers
 * truly about the frames that it is shown, which is a ceiling for any model, and adversaries misbehave. Nothing here
 * says how good a real model is. `npm run bench -- look [--only PARTS_OF_FILE_NAMES] [--every N] [--failures]`
 * `--every` measures each Nth clip. `--only` splits the run, for example by folder (`road/`, or `telemetry/,tricky/`);
 * `--only limits` measures only the hour and the slow model, `--only calibration` only the confidence of events.
 */
import { createMemoryLedger } from '../server/src/engine/vision/calls/index.ts';
import { createVisionSearch, type FrameSource } from '../server/src/engine/vision/index.ts';
import { profileOf } from '../server/src/engine/vision/oracle.fixture.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import { startVisionModel } from '../server/test/servers/vision-model.ts';
import { createVisionOracle, type VisionOracle } from '../server/test/servers/vision-oracle.ts';
import { adversaryRows } from './look/adversaries.ts';
import { calibrationRows } from './look/calibration.ts';
import { type OpenClip, openClips } from './look/clips.ts';
import { hourRow, slowModelRows } from './look/limits.ts';
import { askClip, EDGE_S } from './look/prompts.ts';
import { createReport } from './look/report.ts';
import type { BenchmarkRow } from './run.ts';

/** Clips that are measured at the same time. */
const PARALLEL = 2;

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1]! : '';
  const every = args.includes('--every') ? Number(args[args.indexOf('--every') + 1]) : 1;
  const log = createLog('error');
  const settings = { processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log } as const;
  if (only === 'calibration') return calibrationRows();
  if (only === 'limits') return [await hourRow(), ...(await slowModelRows())];
  // Images are drawn by one process each.
  const medias = await Promise.all(Array.from({ length: PARALLEL }, () => createMedia(settings)));
  try {
    const oracle = await createVisionOracle();
    const clips = await openClips(medias, oracle, only, every);
    const { outcomes, second } = await askOracle(clips, oracle);
    if (args.includes('--failures'))
      for (const { prompt, isRight, why } of outcomes) if (!isRight) console.log(`${prompt}: ${why}`);
    const edges = outcomes.flatMap(({ edgesS }) => edgesS).toSorted((a, b) => a - b);
    const right = outcomes.filter(({ isRight }) => isRight);
    const kinds = [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, own]) => {
      const rightOnes = own.filter(({ isRight }) => isRight);
      return `${kind}: ${rightOnes.length} of ${own.length}`;
    });
    return [
      { name: 'prompts', value: outcomes.length, unit: '', note: kinds.join(', ') },
      {
        name: 'oracle: share of prompts answered right',
        unit: '',
        bar: { min: 0.85 },
        value: right.length / outcomes.length,
        note: `${right.length} of ${outcomes.length}`,
      },
      { name: 'oracle: median edge error', value: edges[edges.length >> 1] ?? 0, unit: 's', bar: { max: 0.25 } },
      {
        name: 'oracle: edge error of 95 %',
        unit: 's',
        bar: { max: EDGE_S },
        value: edges[Math.floor(0.95 * edges.length)] ?? 0,
      },
      { name: 'second identical run: calls', value: second.calls, unit: '', bar: { max: 0 } },
      { name: 'second identical run: frames drawn', value: second.frames, unit: '', bar: { max: 0 } },
      { name: 'second identical run: slowest prompt', value: second.slowestS, unit: 's', bar: { max: 1 } },
      ...(await adversaryRows(clips, oracle)),
      ...(only === '' ? [await hourRow(), ...(await slowModelRows()), ...(await calibrationRows())] : []),
    ];
  } finally {
    await Promise.all(medias.map((media) => media.close()));
  }
}

/** Runs a function on all items, as many at a time as there are processes that draw. Results are in their order. */
async function inParallel<T, Result>(items: readonly T[], run: (item: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const runFrom = async (first: number) => {
    for (let i = first; i < items.length; i += PARALLEL) results[i] = await run(items[i]!);
  };
  await Promise.all(Array.from({ length: PARALLEL }, (_, i) => runFrom(i)));
  return results;
}

/** Asks all prompts about every clip; then all of it again. */
async function askOracle(clips: readonly OpenClip[], oracle: VisionOracle) {
  const model = await startVisionModel(oracle.script);
  const search = createVisionSearch(profileOf(model.url));
  const ledger = createMemoryLedger();
  let frames = 0;
  let slowestS = 0;
  try {
    const askAll = async (run: string) => {
      [frames, slowestS] = [0, 0];
      const report = createReport(`${run}: `, clips.length);
      const perClip = await inParallel(clips, async ({ clip, observations: seen, source }) => {
        const counting: FrameSource = {
          ...source,
          frame(...args) {
            frames++;
            return source.frame(...args);
          },
        };
        const own = await askClip(clip, seen, async (plan) => {
          const start = performance.now();
          const ofClip = { ...ledger, videoId: clip.file };
          const result = await search.search({ plan, observations: seen, source: counting, ledger: ofClip });
          slowestS = Math.max(slowestS, (performance.now() - start) / 1000);
          return result;
        });
        report(clip.file);
        return own;
      });
      return perClip.flat();
    };
    const outcomes = await askAll('oracle');
    const before = model.requests.length;
    await askAll('second run');
    return { outcomes, second: { calls: model.requests.length - before, frames, slowestS } };
  } finally {
    await model.close();
  }
}
