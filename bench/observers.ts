/**
 * Share of each observer in the CPU and the memory of a pass, as ratios against plain decoding and the bare detector in
 * the same run. The pass grows by one observer at a time, so that each has what it adds. On a drive of 960 × 540 with
 * sound, in which every frame changes. Needs the shared footage, all models and ffmpeg.
 *
 * `npm run bench -- observers [cpu | triage | memory]`
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createModelFolder } from '../server/src/engine/index.ts';
import { measureLitLamp } from '../server/src/engine/observe/objects/lit-lamp.ts';
import type { ObserveArgs, ObserveResult } from '../server/src/engine/observe/observe-task.ts';
import { OBSERVERS } from '../server/src/engine/observe/observers.ts';
import type { AnyObserver } from '../server/src/engine/observe/types.ts';
import { createWeights } from '../server/src/engine/observe/weights.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia, type Media } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import type { DetectorCost, ObserveCost } from './lib/analysis.ts';
import { median } from './lib/measure.ts';
import type { PassCosts } from './lib/observers.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const CLIP = join(SHARED, 'data/road/udacity_solidWhiteRight.mp4');
const ANALYSIS = new URL('./lib/analysis.ts', import.meta.url);
const TASKS = new URL('./lib/observers.ts', import.meta.url);
/** Repetitions of the clip, which is 8.8 s long, after its first run. */
const LOOPS = 15;
const TURNS = 2;
/** Footage of 1080p, and its repetitions for the scan of keyframes. */
const LARGE_CLIP = join(SHARED, 'data/road/udacity_night_rural_5s.mp4');
const LARGE_LOOPS = 60;
/** Observers in the order in which they are added to a pass. `DEFAULT` run for every video. */
const DEFAULT = ['signals', 'objects', 'sound'];
const ADDED = [...DEFAULT, 'sounds', 'text'];
/** Observers with passes of their own. */
const ALONE = ['triage', 'glance', 'speech', 'fine_objects'];
const ALL = [...ADDED, ...ALONE];

type Open = () => Promise<Media>;

export async function run([part]: string[]): Promise<BenchmarkRow[]> {
  const log = createLog('error');
  const open = () => createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  const dir = await mkdtemp(join(tmpdir(), 'bench-observers-'));
  try {
    const argsOf = await prepareArgs(open, await looped(CLIP, LOOPS, dir));
    const rows: BenchmarkRow[] = [];
    const isIn = (name: string) => part === undefined || part === name;
    if (isIn('cpu')) rows.push(...(await cpuRows(open, argsOf)));
    if (isIn('triage'))
      rows.push(await triageRow(open, await prepareArgs(open, await looped(LARGE_CLIP, LARGE_LOOPS, dir))));
    if (isIn('memory')) rows.push(...(await memoryRows(open, argsOf)));
    return rows;
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Repeats a clip without encoding it again, with its audio. */
async function looped(source: string, loops: number, dir: string): Promise<string> {
  const path = join(dir, `${loops}.mp4`);
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-stream_loop', `${loops}`, '-i', source, '-c', 'copy', path]);
  return path;
}

/** Runs work in a fresh process, so that its peak memory is that of this work. */
async function fresh<T>(open: Open, work: (media: Media) => Promise<T>): Promise<T> {
  const media = await open();
  try {
    return await work(media);
  } finally {
    await media.close();
  }
}

type ArgsOf = (kinds: readonly string[], source?: Uint8Array | null) => ObserveArgs;

async function prepareArgs(open: Open, path: string): Promise<ArgsOf> {
  const weights = createWeights({ models: createModelFolder(join(SHARED, 'models')), log: createLog('error') });
  const settings: Record<string, unknown> = {};
  const observers: readonly AnyObserver[] = Object.values(OBSERVERS);
  for (const observer of observers.filter(({ kind }) => ALL.includes(kind))) {
    const prepared = await observer.prepare?.({ weights });
    if (prepared && 'unavailable' in prepared) throw new Error(prepared.unavailable);
    settings[observer.kind] = prepared?.settings ?? null;
  }
  const { durationS, video, audio } = await fresh(open, (media) => media.probe(path));
  const { width, height, timeBase } = video;
  const facts = { durationS, width, height, timeBase, hasAudio: audio !== null };
  return (kinds, source = null) => ({ path, video: facts, kinds, sidecar: null, settings, source });
}

/** The artifact of `objects`, from which `fine_objects` are made. */
async function observeObjects(open: Open, argsOf: ArgsOf): Promise<Uint8Array> {
  const module = new URL('../server/src/engine/observe/observe-task.ts', import.meta.url);
  const args = argsOf(['objects']);
  return (await fresh(open, (media) => media.run<ObserveResult>({ module, name: 'observe', args }))).objects!;
}

async function triageRow(open: Open, argsOf: ArgsOf): Promise<BenchmarkRow> {
  const args = { sets: { triage: argsOf(['triage']) }, repeats: 3 * TURNS, keyframes: true };
  const costs = await fresh(open, (media) => media.run<PassCosts>({ module: TASKS, name: 'passCosts', args }));
  const [triage, keyframes] = [median(costs.setsMs.triage!), median(costs.decodeMs)];
  return {
    name: 'triage / decoding the same keyframes',
    value: triage / keyframes,
    unit: '×',
    bar: { max: 1.3 },
    note: `${(triage / 1000).toFixed(2)} s of CPU for ${argsOf([]).video.durationS.toFixed(0)} s of 1080p`,
  };
}

async function cpuRows(open: Open, argsOf: ArgsOf): Promise<BenchmarkRow[]> {
  const passes = ADDED.map((_, at) => ADDED.slice(0, at + 1));
  const objects = await observeObjects(open, argsOf);
  const sets = Object.fromEntries(
    [...passes, ...ALONE.map((kind) => [kind])].map((kinds) => [kinds.join(), argsOf(kinds, objects)]),
  );
  const costs = await fresh(open, (media) =>
    media.run<PassCosts>({ module: TASKS, name: 'passCosts', args: { sets, repeats: TURNS } }),
  );
  const { path, video } = argsOf([]);
  const weights = join(SHARED, 'models/yolox_nano.onnx');
  const detector = await fresh(open, (media) =>
    media.run<DetectorCost>({
      module: ANALYSIS,
      name: 'detectorCost',
      args: { path, weights, shown: { width: video.width, height: video.height }, repeats: TURNS },
    }),
  );
  const cpu = (kinds: readonly string[]) => median(costs.setsMs[kinds.join()]!);
  const [decode, bare] = [median(costs.decodeMs), median(detector.bareMs)];
  const whole = cpu(ADDED);
  const shareOf = (name: string, ms: number): BenchmarkRow => ({
    name: `${name}, share of the pass`,
    value: ms / whole,
    unit: '',
    note: `${(ms / 1000).toFixed(2)} s of CPU for ${argsOf([]).video.durationS.toFixed(1)} s of video`,
  });
  const lampMs = lampCost();
  return [
    shareOf('decoding', decode),
    ...passes.map((kinds, at) => shareOf(kinds.at(-1)!, cpu(kinds) - (at === 0 ? decode : cpu(passes[at - 1]!)))),
    ...ALONE.map(
      (kind): BenchmarkRow => ({
        name: `${kind}, in a pass of its own / the pass`,
        value: cpu([kind]) / whole,
        unit: '×',
      }),
    ),
    {
      name: 'lamp of a traffic light / detecting the frame',
      value: lampMs / (bare / detector.pictures),
      unit: '×',
      bar: { max: 0.01 },
      note: `${lampMs.toFixed(3)} ms`,
    },
    {
      name: 'signals and objects / plain decode and bare detector',
      value: cpu(DEFAULT.slice(0, 2)) / (decode + bare),
      unit: '×',
      bar: { max: 1.25 },
    },
    { name: 'signals / plain decode', value: cpu(['signals']) / decode, unit: '×', bar: { max: 1.2 } },
    { name: 'with sounds and text / the default pass', value: whole / cpu(DEFAULT), unit: '×', bar: { max: 1.6 } },
  ];
}

/** CPU of reading the lamp of a traffic light of 20 × 50 pixels, in milliseconds. */
function lampCost(): number {
  const [width, height, rounds] = [416, 312, 2000];
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 7919) % 251);
  const boxes = Array.from({ length: 10 }, (_, n) => ({ x0: n * 0.08, y0: 0.3, x1: n * 0.08 + 0.05, y1: 0.46 }));
  const read = () => {
    for (const box of boxes) measureLitLamp({ width, height, rgb }, box);
  };
  for (let round = 0; round < rounds; round++) read();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) read();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / rounds / boxes.length;
}

/** Peak memory of the process of a pass as it grows, and of all processes of a node that runs every observer. */
async function memoryRows(open: Open, argsOf: ArgsOf): Promise<BenchmarkRow[]> {
  const objects = await observeObjects(open, argsOf);
  const peakOf = async (kinds: readonly string[]) => {
    const args = { args: argsOf(kinds, objects) };
    const cost = await fresh(open, (media) => media.run<ObserveCost>({ module: ANALYSIS, name: 'observeCost', args }));
    return cost.peakBytes / 1e6;
  };
  const peaks: number[] = [];
  for (const at of ADDED.keys()) peaks.push(await peakOf(ADDED.slice(0, at + 1)));
  const alone = new Map<string, number>();
  for (const kind of ALONE) alone.set(kind, await peakOf([kind]));
  const main = process.memoryUsage().rss / 1e6;
  const whole = peaks.at(-1)!;
  return [
    ...ADDED.map(
      (kind, at): BenchmarkRow => ({
        name: `${kind}, memory that it adds / that of the pass`,
        value: (peaks[at]! - (peaks[at - 1] ?? 0)) / whole,
        unit: '',
        note: `${peaks[at]!.toFixed(0)} MB with it`,
      }),
    ),
    ...[...alone].map(
      ([kind, peak]): BenchmarkRow => ({ name: `${kind}, memory of its process`, value: peak, unit: 'MB' }),
    ),
    {
      name: 'memory of the passes, speech and this process together',
      value: Math.max(whole, alone.get('fine_objects')!) + alone.get('speech')! + main,
      unit: 'MB',
      bar: { max: 1500 },
      note: 'enlarged frames are examined after the pass',
    },
  ];
}
