/**
 * Cost of the sandbox of media processes: time to start one, and CPU time to decode a clip, isolated and with limits
 * only, in turn.
 *
 * `npm run bench -- sandbox`
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createLog } from '../server/src/platform/log.ts';
import {
  compilerFor,
  findSandboxes,
  listCode,
  type Sandbox,
  spawnMediaProcess,
} from '../server/src/platform/media/process/index.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { median } from './lib/measure.ts';
import type { BenchmarkRow } from './run.ts';

const STARTS = 15;
const DECODES = 15;
/** The compiler waits some seconds for more modules. */
const COMPILE_MS = 15_000;
const PROBE = new URL('../server/src/platform/media/tasks/tasks.ts', import.meta.url);
const DECODE = new URL('../server/test/media/decode-cost.ts', import.meta.url);

export async function run(): Promise<BenchmarkRow[]> {
  // As the service does, whose processes load compiled modules.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
  const log = createLog('error');
  const found = await findSandboxes();
  const [isolated, limits] = ['isolated', 'limits'].map((level) => found.find((each) => each.level === level));
  if (!isolated || !limits) throw new Error('This machine does not offer the levels `isolated` and `limits`.');
  const readable = listCode();
  const open = (sandbox: Sandbox) => spawnMediaProcess({ sandbox, readable, log });
  const compiler = compilerFor({ sandbox: isolated, readable, log });
  for (const module of [PROBE, DECODE]) compiler?.add(module.href);
  await new Promise((resolve) => setTimeout(resolve, COMPILE_MS));

  async function start(sandbox: Sandbox): Promise<number> {
    const startedAt = performance.now();
    const child = open(sandbox);
    const failure = await child.started;
    const ms = performance.now() - startedAt;
    child.kill();
    await child.exited;
    if (failure) throw new Error(failure.reason);
    return ms;
  }
  const starts = { isolated: [] as number[], limits: [] as number[] };
  for (let i = -1; i < STARTS; i++) {
    const [first, second] = [await start(isolated), await start(limits)];
    if (i < 0) continue;
    starts.isolated.push(first);
    starts.limits.push(second);
  }

  const path = await sceneClip();
  const children = { isolated: open(isolated), limits: open(limits) };
  const decode = async (name: 'isolated' | 'limits'): Promise<number> => {
    const child = children[name];
    const prepared = await child.prepare({ path }, { reads: [path] });
    const task = { module: DECODE.href, name: 'decodeCost', args: prepared.args };
    const outcome = await child.run(task, {});
    await prepared.clear();
    if (outcome.kind !== 'value') throw outcome.kind === 'error' ? outcome.error : new Error(outcome.how);
    return outcome.value as number;
  };
  const ratios: number[] = [];
  try {
    for (const child of Object.values(children)) await child.started;
    for (let i = -1; i < DECODES; i++) {
      // In the other order every time, so that neither profits from the warm file.
      const first = i % 2 === 0 ? 'isolated' : 'limits';
      const costs = { [first]: await decode(first) } as Record<'isolated' | 'limits', number>;
      const second = first === 'isolated' ? 'limits' : 'isolated';
      costs[second] = await decode(second);
      if (i >= 0) ratios.push(costs.isolated / costs.limits);
    }
  } finally {
    for (const child of Object.values(children)) child.kill();
    await Promise.all(Object.values(children).map(({ exited }) => exited));
    await compiler?.close();
  }
  const differences = starts.isolated.map((ms, i) => ms - starts.limits[i]!);
  return [
    {
      name: 'start of a media process, isolated, more than with limits only',
      value: median(differences),
      unit: 'ms',
      bar: { max: 50 },
      note: `${Math.round(median(starts.isolated))} and ${Math.round(median(starts.limits))} ms`,
    },
    { name: 'decoding, CPU time isolated against limits only', value: median(ratios), unit: '×', bar: { max: 1.02 } },
  ];
}
