/**
 * Memory and CPU time of an idle node: `npm start` with all its processes, on a new data folder. Then the cost of each
 * library that is loaded at start, by an import alone.
 *
 * `npm run bench -- idle [MODELS]`. MODELS: folder with weights, which are tried at start. Linux only. Starts a copy of
 * the Node program: other processes of the same file would share its pages, and each would count for less.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../server/src/platform/net/index.ts';
import { median } from '../lib/measure.ts';
import { type ProcessUsage, readProcessTree } from '../lib/process-tree.ts';
import type { BenchmarkRow } from '../run.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const STARTS = 3;
/** Longer than it takes until media processes end and the service returns memory. */
const SETTLE_S = 150;
const MEASURE_S = 30;
/** Cheaper libraries are counted, not listed. */
const MIN_LISTED_BYTES = 1e6;

const MB = 1e6;

export async function* run([models]: string[]): AsyncGenerator<BenchmarkRow> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-idle-'));
  try {
    const install = await copyInstall(folder);
    const env = {
      ...process.env,
      PATH: `${join(install, 'node_modules/.bin')}:${process.env.PATH}`,
      SIGHTLINE_DATA_DIR: join(folder, 'data'),
      SIGHTLINE_PORT: String(await freePort()),
      SIGHTLINE_MODELS_DOWNLOAD: 'false',
      ...(models ? { SIGHTLINE_MODELS_DIR: resolve(models) } : {}),
    };
    // The first start creates the database and, in a clone, the console; it also fills the cache of compiled modules.
    await (await startNode(install, env)).stop();
    const starts: { wallS: number; cpuS: number }[] = [];
    for (let n = 0; n < STARTS; n++) {
      const node = await startNode(install, env);
      starts.push(node);
      if (n < STARTS - 1) await node.stop();
      else yield* measureIdle(node, starts);
    }
    yield* measureModules(install, env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder in which `npm start` runs this checkout with a copy of this Node program. */
async function copyInstall(folder: string): Promise<string> {
  const install = join(folder, 'install');
  await mkdir(join(install, 'node_modules/.bin'), { recursive: true });
  await copyFile(process.execPath, join(install, 'node_modules/.bin/node'));
  await cp(join(REPOSITORY, 'package.json'), join(install, 'package.json'));
  await symlink(join(REPOSITORY, 'server'), join(install, 'server'));
  return install;
}

type RunningNode = { pid: number; wallS: number; cpuS: number; stop(): Promise<void> };

/** Starts a node and waits until it listens and has reported its models. */
async function startNode(
  cwd: string,
  env: NodeJS.ProcessEnv,
  [program, ...args]: readonly [string, ...string[]] = ['npm', 'start'],
): Promise<RunningNode> {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await untilReady(child);
  const pid = child.pid!;
  const wallS = (performance.now() - started) / 1000;
  const cpuS = sumOf(readProcessTree(pid), (each) => each.cpuS);
  return {
    pid,
    wallS,
    cpuS,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (!output.includes('is ready')) continue;
    child.stdout!.resume();
    return;
  }
  throw new Error(`the node ended before it was ready:\n${output}`);
}

async function* measureIdle(
  node: RunningNode,
  starts: readonly { wallS: number; cpuS: number }[],
): AsyncGenerator<BenchmarkRow> {
  try {
    yield {
      name: `start, median of ${STARTS}`,
      value: median(starts.map(({ wallS }) => wallS)),
      unit: 's',
      bar: { max: 4 },
      note: `${median(starts.map(({ cpuS }) => cpuS)).toFixed(1)} s of CPU time`,
    };
    await sleep(SETTLE_S * 1000);
    const before = readProcessTree(node.pid);
    const started = performance.now();
    await sleep(MEASURE_S * 1000);
    const after = readProcessTree(node.pid);
    const elapsedS = (performance.now() - started) / 1000;
    const shareOf = (group: readonly ProcessUsage[]) => {
      const earlier = new Map(before.map(({ pid, cpuS }) => [pid, cpuS]));
      return (100 * sumOf(group, ({ pid, cpuS }) => cpuS - (earlier.get(pid) ?? 0))) / elapsedS;
    };
    const pssOf = (group: readonly ProcessUsage[]) => sumOf(group, ({ pssBytes }) => pssBytes) / MB;
    yield { name: 'idle: memory of all processes (PSS)', value: pssOf(after), unit: 'MB', bar: { max: 350 } };
    yield { name: 'idle: CPU time of all processes', value: shareOf(after), unit: '% core', bar: { max: 1 } };
    for (const [name, group] of Map.groupBy(after, roleOf)) {
      const count = group.length > 1 ? `${group.length} processes, ` : '';
      const note = `${count}${shareOf(group).toFixed(2)} % of a core`;
      yield { name: `  ${name}`, value: pssOf(group), unit: 'MB', note };
    }
  } finally {
    await node.stop();
  }
}

function roleOf({ command }: ProcessUsage): string {
  if (/postgres/.test(command)) return 'PostgreSQL';
  if (/media\/process\/main/.test(command)) return 'media processes';
  return /server\/src\/main\.ts/.test(command) ? 'service' : 'npm';
}

const sumOf = (all: readonly ProcessUsage[], of: (each: ProcessUsage) => number) =>
  all.reduce((sum, each) => sum + of(each), 0);

/** The dependencies of the server that a start loads, each imported alone, the largest ones first. */
async function* measureModules(install: string, env: NodeJS.ProcessEnv): AsyncGenerator<BenchmarkRow> {
  const list = join(install, 'modules.txt');
  const hook = pathToFileURL(join(REPOSITORY, 'acceptance/harness/list-modules.ts')).href;
  const command = ['node', '--import', hook, 'server/src/main.ts', 'start'] as const;
  await (await startNode(install, { ...env, LOADED_MODULES: list }, command)).stop();
  const loaded = (await readFile(list, 'utf8')).split('\n');
  const own = loaded.filter((url) => url.includes('/server/src/'));
  const packages = Map.groupBy(loaded, (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? '');
  const { dependencies } = JSON.parse(await readFile(join(REPOSITORY, 'server/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  yield { name: 'modules at start, of this repository', value: own.length, unit: '' };
  yield { name: 'modules at start, of packages', value: loaded.length - own.length, unit: '' };
  const costs: (ModuleCost & { name: string })[] = [];
  for (const name of Object.keys(dependencies)) {
    const modules = packages.get(name);
    // Of some packages a start loads parts alone.
    const main = modules && import.meta.resolve(name);
    if (modules?.includes(main!)) costs.push({ name, ...(await costOf(main!)) });
  }
  const listed = costs.filter(({ pssBytes }) => pssBytes >= MIN_LISTED_BYTES);
  for (const { name, pssBytes, heapBytes, cpuMs } of listed.toSorted((a, b) => b.pssBytes - a.pssBytes)) {
    const note = `${(heapBytes / MB).toFixed(1)} MB of heap, ${cpuMs.toFixed(0)} ms, ${packages.get(name)!.length} modules`;
    yield { name: `  ${name}`, value: pssBytes / MB, unit: 'MB', note };
  }
}

type ModuleCost = { heapBytes: number; pssBytes: number; cpuMs: number };

/** The second import, with its modules in the cache. */
async function costOf(module: string): Promise<ModuleCost> {
  const script = fileURLToPath(new URL('../lib/module-cost.ts', import.meta.url));
  const args = ['--expose-gc', '--max-semi-space-size=2', script, module];
  const env = { ...process.env, NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/bench') };
  await promisify(execFile)(process.execPath, args, { env });
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as ModuleCost;
}
