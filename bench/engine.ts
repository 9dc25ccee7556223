/**
 * Cost of the engine on long videos: keyframe scan of an hour of 1080p, cost and memory against length, second prompts
 * on ten minutes and three hours, and identical results from any number of threads. Uses the shared footage if present,
 * otherwise generated clips. Rows on objects need the detector's weights. Takes about ten minutes; `npm run bench --
 * engine triage` runs one part: triage, sparse, length, prompts, threads or dense.
 *
 * `npm run bench -- engine`
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from '../server/src/engine/answer.ts';
import { audio as soundObserver } from '../server/src/engine/observe/audio/observer.ts';
import { decodeObservations, encodeObservation } from '../server/src/engine/observe/encoding.ts';
import { objects as objectsObserver } from '../server/src/engine/observe/objects/observer.ts';
import type { Observations, VideoFacts } from '../server/src/engine/observe/observations.ts';
import type { ObserveArgs, ObserveResult } from '../server/src/engine/observe/observe-task.ts';
import { signals as signalsObserver } from '../server/src/engine/observe/signals/observer.ts';
import { createPlanner } from '../server/src/engine/plan/index.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia, type Media } from '../server/src/platform/media/index.ts';
import { loopedClip, sceneClip } from '../server/test/media/clips.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import { denseRows } from './analysis.ts';
import type { ObserveCost } from './lib/analysis.ts';
import { repeated, type TriageCost } from './lib/engine.ts';
import { median } from './lib/measure.ts';
import { PROMPTS } from './lib/prompts.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const WEIGHTS = join(SHARED, 'models/yolox_nano.onnx');
const FOOTAGE = join(SHARED, 'data/road/udacity_solidWhiteRight.mp4');
const TASKS = new URL('./lib/engine.ts', import.meta.url);
const ANALYSIS = new URL('./lib/analysis.ts', import.meta.url);
const OBSERVE = new URL('../server/src/engine/observe/observe-task.ts', import.meta.url);
const [MINUTES_10, HOUR, HOURS_3] = [600, 3_600, 10_800];
/** An hour may cost six times as much as ten minutes, plus 5 %. */
const LINEAR = 6.3;
const ROUNDS = 5;
const THREADS = [1, 2, 4];

const PARTS: Record<string, () => Promise<BenchmarkRow[]>> = {
  triage: triageRows,
  sparse: sparsePassRows,
  length: lengthRows,
  prompts: promptRows,
  threads: threadRows,
  dense: async () => denseRows(open, existsSync(FOOTAGE) ? FOOTAGE : await sceneClip()),
};

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const wanted = args.length > 0 ? args : Object.keys(PARTS);
  const rows: BenchmarkRow[] = [];
  for (const name of wanted) {
    const part = PARTS[name];
    if (!part) throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
    rows.push(...(await part()));
  }
  const [load] = loadavg();
  console.log(`load ${load!.toFixed(1)} on ${availableParallelism()} cores`);
  return rows;
}

const log = createLog('error');
const open = () => createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });

/** Runs work in a fresh process, so that peak memory is that of this work. */
async function fresh<T>(work: (media: Media) => Promise<T>): Promise<T> {
  const media = await open();
  try {
    return await work(media);
  } finally {
    await media.close();
  }
}

async function factsOf(media: Media, path: string): Promise<VideoFacts> {
  const { durationS, video, audio } = await media.probe(path);
  const { width, height, timeBase } = video;
  return { durationS, width, height, timeBase, hasAudio: audio !== null };
}

/** Clips of the given lengths at 1080p, like those of current cameras. */
async function largeClips(lengths: readonly number[]): Promise<string[]> {
  const source = existsSync(FOOTAGE) ? FOOTAGE : await sceneClip();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const path = join(folder, 'large.mp4');
  await fresh((media) => media.run({ module: ANALYSIS, name: 'enlarge', args: { source, path } }));
  const clips: string[] = [];
  for (const seconds of lengths) clips.push(await loopedClip(path, seconds));
  await rm(folder, { recursive: true });
  return clips;
}

async function triageRows(): Promise<BenchmarkRow[]> {
  const clips = await largeClips([MINUTES_10, HOUR]);
  const costs: TriageCost[] = [];
  for (const path of clips) {
    const cost = await fresh(async (media) => {
      const video = await factsOf(media, path);
      const args: ObserveArgs = { path, video, kinds: ['triage'], sidecar: null, settings: {} };
      return media.run<TriageCost>({ module: TASKS, name: 'triageCost', args: { args } });
    });
    costs.push(cost);
    await rm(path);
  }
  const [short, long] = costs as [TriageCost, TriageCost];
  return [
    {
      name: 'triage of an hour of 1080p, one process',
      value: long.wallS,
      unit: 's',
      bar: { max: 40 },
      note: `${long.cpuS.toFixed(1)} s of CPU, ${long.keyframes} keyframes`,
    },
    { name: 'triage: CPU of an hour / ten minutes', value: long.cpuS / short.cpuS, unit: '×', bar: { max: LINEAR } },
    ...memoryRows('triage', short, long),
  ];
}

/** First prompt on ten minutes of 1080p in fast and in thinking mode, each in its own process. */
async function sparsePassRows(): Promise<BenchmarkRow[]> {
  const [path] = (await largeClips([MINUTES_10])) as [string];
  const cost = (args: Omit<ObserveArgs, 'path' | 'video' | 'sidecar'>) =>
    fresh(async (media) => {
      const whole: ObserveArgs = { path, video: await factsOf(media, path), sidecar: null, ...args };
      return media.run<ObserveCost>({ module: ANALYSIS, name: 'observeCost', args: { args: whole } });
    });
  const detector = { weights: WEIGHTS, model: 'bench' };
  const isThere = existsSync(WEIGHTS);
  const sparse = () => cost({ kinds: ['triage', 'glance'], settings: { glance: isThere ? detector : null } });
  const before = await sparse();
  const dense = await cost({
    kinds: ['signals', 'sound', ...(isThere ? ['objects'] : [])],
    settings: { objects: detector },
  });
  const after = await sparse();
  await rm(path);
  const fastS = (before.wallS + after.wallS) / 2;
  return [
    {
      name: 'first prompt on ten minutes of 1080p: thinking / fast',
      value: dense.wallS / fastS,
      unit: '×',
      bar: { min: 5 },
      note: `${dense.wallS.toFixed(1)} s and ${fastS.toFixed(1)} s; ${dense.cpuS.toFixed(0)} and ${after.cpuS.toFixed(0)} s of CPU`,
    },
  ];
}

/** Only the results grow with length: a few megabytes an hour, and the buffers that collect them. */
const memoryRows = (what: string, short: { peakBytes: number }, long: { peakBytes: number }): BenchmarkRow[] => [
  {
    name: `${what}: peak memory of an hour / ten minutes`,
    value: long.peakBytes / short.peakBytes,
    unit: '×',
    bar: { max: 1.25 },
    note: `${(short.peakBytes / 1e6).toFixed(0)} and ${(long.peakBytes / 1e6).toFixed(0)} MB`,
  },
];

/** All observers on a small frame size, so that an hour finishes in reasonable time. */
async function lengthRows(): Promise<BenchmarkRow[]> {
  const source = await sceneClip();
  const costs: ObserveCost[] = [];
  for (const seconds of [MINUTES_10, HOUR]) {
    const path = await loopedClip(source, seconds);
    const cost = await fresh(async (media) => {
      const args = await denseArgs(media, path, 1);
      return media.run<ObserveCost>({ module: ANALYSIS, name: 'observeCost', args: { args } });
    });
    costs.push(cost);
    await rm(path);
  }
  const [short, long] = costs as [ObserveCost, ObserveCost];
  const what = existsSync(WEIGHTS) ? 'signals and objects' : 'signals';
  return [
    { name: `${what}: CPU of an hour / ten minutes`, value: long.cpuS / short.cpuS, unit: '×', bar: { max: LINEAR } },
    ...memoryRows(what, short, long),
  ];
}

async function denseArgs(media: Media, path: string, threads: number): Promise<ObserveArgs> {
  const kinds = ['signals', 'sound', ...(existsSync(WEIGHTS) ? ['objects'] : [])];
  const settings = { objects: { weights: WEIGHTS, model: 'bench', threads } };
  return { path, video: await factsOf(media, path), kinds, sidecar: null, settings };
}

/**
 * Cost of a second prompt in the engine: loading, planning, finding and describing on repeated observations of footage.
 */
async function promptRows(): Promise<BenchmarkRow[]> {
  if (!existsSync(WEIGHTS) || !existsSync(FOOTAGE)) {
    console.log('without footage and weights beside the repository there is nothing to prompt');
    return [];
  }
  const seen = await fresh(async (media) => {
    const args = await denseArgs(media, FOOTAGE, 1);
    return decodeObservations(artifactsOf(await media.run({ module: OBSERVE, name: 'observe', args })));
  });
  const quiet = {
    startS: 0,
    stepS: 0.1,
    levelDb: new Float32Array(88).fill(-50),
    peakDb: new Float32Array(88).fill(-40),
  };
  const rows: BenchmarkRow[] = [];
  for (const [seconds, name, max] of [
    [MINUTES_10, 'ten minutes', 150],
    [HOURS_3, 'three hours', 500],
  ] as const) {
    const artifacts = encoded(repeated({ ...seen, sound: seen.sound ?? quiet }, seconds));
    const times = PROMPTS.map((prompt) => timesOf(prompt, artifacts));
    const medians = times.map(median);
    const slowest = medians.indexOf(Math.max(...medians));
    const megabytes = artifacts.values().reduce((sum, { byteLength }) => sum + byteLength, 0) / 1e6;
    const note = `"${PROMPTS[slowest]}"; ${median(medians).toFixed(0)} ms in the median; ${megabytes.toFixed(0)} MB`;
    rows.push({
      name: `second prompt on ${name}, the slowest, CPU`,
      value: medians[slowest]!,
      unit: 'ms',
      bar: { max },
      note,
    });
  }
  return rows;
}

/**
 * CPU of one prompt from stored bytes to the answer. It runs on one thread without waiting, so an idle machine needs
 * the same time by the clock.
 */
function timesOf(prompt: string, artifacts: ReadonlyMap<string, Uint8Array>): number[] {
  const planner = createPlanner();
  const run = () => answer(planner.planQuery(prompt), decodeObservations(artifacts));
  run();
  return Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

function encoded({ video, signals, sound, objects }: Observations): Map<string, Uint8Array> {
  return new Map([
    ['signals', encodeObservation(signalsObserver, video, signals!)],
    ['sound', encodeObservation(soundObserver, video, sound)],
    ['objects', encodeObservation(objectsObserver, video, objects!)],
  ]);
}

const artifactsOf = (made: ObserveResult) => new Map(Object.entries(made));

/** Results must be identical for any number of detector threads. */
async function threadRows(): Promise<BenchmarkRow[]> {
  if (!existsSync(WEIGHTS)) return [];
  const path = existsSync(FOOTAGE) ? FOOTAGE : await sceneClip();
  const made: Buffer[] = [];
  for (const threads of THREADS) {
    const result = await fresh(async (media) => {
      const args = await denseArgs(media, path, threads);
      return media.run<ObserveResult>({ module: OBSERVE, name: 'observe', args });
    });
    made.push(Buffer.concat([...artifactsOf(result).values()]));
  }
  const different = made.filter((bytes) => !bytes.equals(made[0]!)).length;
  return [
    { name: 'observations that differ on 1, 2 and 4 detector threads', value: different, unit: '', bar: { max: 0 } },
  ];
}
