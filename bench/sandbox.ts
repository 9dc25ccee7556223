/**
 * Cost of the sandbox of media processes: CPU time to start one, and to decode a clip, isolated and with limits only,
 * in turn. A start counts the time of the service until the process is ready, and that of the process and of the
 * programs that it was before.
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
  type MediaProcess,
  type Sandbox,
  spawnMediaProcess,
} from '../server/src/platform/media/process/index.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { median } from './lib/measure.ts';
import type { BenchmarkRow } from './run.ts';

const STARTS = 30;
const DECODES = 20;
/** The compiler waits some seconds for more modules. */
const COMPILE_MS = 20_000;
const COSTS = new URL('../server/test/media/decode-cost.ts', import.meta.url);

type Level = 'isolated' | 'limits';
type Pair = Record<Level, number>;

export async function run(): Promise<BenchmarkRow[]> {
  // As the service does, whose processes load compiled modules.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
  const log = createLog('error');
  const found = await findSandboxes();
  const sandboxOf = (level: Level): Sandbox => {
    const sandbox = found.find((each) => each.level === level);
    if (!sandbox) throw new Error(`This machine does not offer the level \`${level}\`.`);
    return sandbox;
  };
  const sandboxes = { isolated: sandboxOf('isolated'), limits: sandboxOf('limits') };
  const readable = listCode();
  const open = (level: Level) => spawnMediaProcess({ sandbox: sandboxes[level], readable, log });
  const compiler = compilerFor({ sandbox: sandboxes.isolated, readable, log });
  compiler?.add(COSTS.href);
  await new Promise((resolve) => setTimeout(resolve, COMPILE_MS));

  async function start(level: Level): Promise<{ cpuMs: number; ms: number }> {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    const child = open(level);
    const failure = await child.started;
    const ms = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(before);
    if (failure) throw new Error(failure.reason);
    const cpuMs = (user + system) / 1000 + (await runCost(child, 'cpuTime', {}));
    child.kill();
    await child.exited;
    return { cpuMs, ms };
  }
  const startCpu: Pair[] = [];
  const startMs: Pair[] = [];
  for (let i = -1; i < STARTS; i++) {
    const [first, second] = order(i);
    const starts = { [first]: await start(first), [second]: await start(second) } as Record<
      Level,
      { cpuMs: number; ms: number }
    >;
    if (i < 0) continue;
    startCpu.push({ isolated: starts.isolated.cpuMs, limits: starts.limits.cpuMs });
    startMs.push({ isolated: starts.isolated.ms, limits: starts.limits.ms });
  }

  const path = await sceneClip();
  const children = { isolated: open('isolated'), limits: open('limits') };
  const decodes: Pair[] = [];
  try {
    for (const child of Object.values(children)) await child.started;
    for (let i = -1; i < DECODES; i++) {
      const [first, second] = order(i);
      const costs = {
        [first]: await runCost(children[first], 'decodeCost', { path }, [path]),
        [second]: await runCost(children[second], 'decodeCost', { path }, [path]),
      } as Pair;
      if (i >= 0) decodes.push(costs);
    }
  } finally {
    for (const child of Object.values(children)) child.kill();
    await Promise.all(Object.values(children).map(({ exited }) => exited));
    await compiler?.close();
  }
  return [
    {
      name: 'start of a media process, CPU time isolated more than with limits only',
      value: median(startCpu.map(({ isolated, limits }) => isolated - limits)),
      unit: 'ms',
      bar: { max: 50 },
      note: describe(startCpu),
    },
    {
      name: 'start of a media process, by the clock',
      value: median(startMs.map(({ isolated, limits }) => isolated - limits)),
      unit: 'ms',
      note: describe(startMs),
    },
    {
      name: 'decoding, CPU time isolated against limits only',
      value: median(decodes.map(({ isolated, limits }) => isolated / limits)),
      unit: '×',
      bar: { max: 1.02 },
      note: describe(decodes),
    },
  ];
}

/** In the other order every time, so that neither profits from warm files. */
const order = (i: number): [Level, Level] => (i % 2 === 0 ? ['isolated', 'limits'] : ['limits', 'isolated']);

const describe = (pairs: readonly Pair[]): string =>
  `medians ${Math.round(median(pairs.map(({ isolated }) => isolated)))} and ${Math.round(median(pairs.map(({ limits }) => limits)))} ms`;

/** Runs a task that measures CPU time in milliseconds. */
async function runCost(child: MediaProcess, name: string, args: object, reads: string[] = []): Promise<number> {
  const prepared = await child.prepare(args, { reads });
  const outcome = await child.run({ module: COSTS.href, name, args: prepared.args }, {});
  await prepared.clear();
  if (outcome.kind === 'value') return outcome.value as number;
  throw outcome.kind === 'error' ? outcome.error : new Error(outcome.how);
}
