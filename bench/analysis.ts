/**
 * Cost of observation: signals against plain decoding, the detector against bare onnxruntime, whole passes against real
 * time, and memory. Uses the shared footage if present, otherwise generated clips. Rows on objects need the detector's
 * weights. `npm run bench -- analysis dense` runs one part: signals, detector, dense or load.
 *
 * `npm run bench -- analysis`
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeObservations } from '../server/src/engine/observe/encoding.ts';
import type { ObserveArgs } from '../server/src/engine/observe/observe-task.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia, type Media } from '../server/src/platform/media/index.ts';
import { loopedClip, sceneClip } from '../server/test/media/clips.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import type { DetectorCost, ObserveCost, SignalsCost } from './lib/analysis.ts';
import { median } from './lib/measure.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const WEIGHTS = join(SHARED, 'models/yolox_nano.onnx');
const TASKS = new URL('./lib/analysis.ts', import.meta.url);
const OBSERVE = new URL('../server/src/engine/observe/observe-task.ts', import.meta.url);
const REPEATS = 5;
/** Number of cores that the bar for dense observation assumes. */
const CORES = 2;

const CLIPS = [
  'road/udacity_solidWhiteRight.mp4',
  'road/udacity_vd_test_small2.mp4',
  'road/udacity_night_rural_5s.mp4',
  'road/intel_car_detection_topdown.mp4',
  'road/camvid_0016E5_cyclists_15fps.mp4',
  'road/kitti_seq1_10fps.mp4',
  'road/bgs_topdown_road_outlines.avi',
  'road/bgs_highway_traffic.avi',
  'security/mpf_marathon.mkv',
  'security/mpf_conference_people.mp4',
];

type Open = () => Promise<Media>;
type Part = (media: Media, clips: string[], open: Open) => Promise<BenchmarkRow[]>;

const PARTS: Record<string, Part> = {
  signals: signalsRows,
  detector: (media, [clip]) => (existsSync(WEIGHTS) ? detectorRows(media, clip!) : Promise.resolve([])),
  dense: (_, [clip], open) => denseRows(open, clip!),
  load: (media, [clip]) => loadRows(media, clip!),
};

export async function run(wanted: string[]): Promise<BenchmarkRow[]> {
  const footage = CLIPS.map((name) => join(SHARED, 'data', name)).filter((path) => existsSync(path));
  const clips = footage.length > 0 ? footage : [await sceneClip()];
  const log = createLog('error');
  const open = () => createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  const media = await open();
  const rows: BenchmarkRow[] = [];
  try {
    for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
      const part = PARTS[name];
      if (!part) throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
      rows.push(...(await part(media, clips, open)));
    }
  } finally {
    await media.close();
  }
  const [load] = loadavg();
  console.log(`load ${load!.toFixed(1)} on ${availableParallelism()} cores`);
  return rows;
}

async function argsFor(media: Media, path: string, kinds: { sound: boolean; objects: boolean }): Promise<ObserveArgs> {
  const { durationS, video, audio } = await media.probe(path);
  const { width, height, timeBase } = video;
  return {
    path,
    video: { durationS, width, height, timeBase, hasAudio: audio !== null },
    kinds: ['signals', ...(kinds.sound ? ['sound'] : []), ...(kinds.objects && existsSync(WEIGHTS) ? ['objects'] : [])],
    sidecar: null,
    settings: { objects: { weights: WEIGHTS, model: 'bench', threads: 1 } },
  };
}

async function signalsRows(media: Media, clips: string[]): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  let decode = 0;
  let signals = 0;
  for (const path of clips) {
    const args = { args: await argsFor(media, path, { sound: false, objects: false }), repeats: REPEATS };
    const cost = await media.run<SignalsCost>({ module: TASKS, name: 'signalsCost', args });
    const [plain, observed] = [median(cost.decodeMs), median(cost.signalsMs)];
    decode += plain;
    signals += observed;
    rows.push({
      name: `signals CPU / plain decode, ${basename(path)}`,
      value: observed / plain,
      unit: '×',
      note: `${(plain / cost.frames).toFixed(2)} and ${(observed / cost.frames).toFixed(2)} ms a frame`,
    });
  }
  return [
    ...rows,
    { name: 'signals CPU / plain decode, all clips', value: signals / decode, unit: '×', bar: { max: 1.25 } },
  ];
}

async function detectorRows(media: Media, path: string): Promise<BenchmarkRow[]> {
  const { video: shown } = await media.probe(path);
  const args = { path, weights: WEIGHTS, shown, repeats: REPEATS };
  const { bareMs, oursMs, pictures } = await media.run<DetectorCost>({ module: TASKS, name: 'detectorCost', args });
  return [
    {
      name: 'detector CPU / bare onnxruntime, same pictures',
      value: median(oursMs) / median(bareMs),
      unit: '×',
      bar: { max: 1.2 },
      note: `${(median(oursMs) / pictures).toFixed(1)} ms a picture`,
    },
  ];
}

/**
 * Whole passes over one minute of 1080p, including the start, and over ten minutes, each in a fresh process; and the
 * cost of signals at that size.
 */
export async function denseRows(open: Open, source: string): Promise<BenchmarkRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const media = await open();
  try {
    const large = join(folder, 'large.mp4');
    await media.run({ module: TASKS, name: 'enlarge', args: { source, path: `${large}.part` } });
    await rename(`${large}.part`, large);
    const signals = await signalsRows(media, [large]);
    const pass = async (seconds: number): Promise<ObserveCost> => {
      const clip = await loopedClip(large, seconds);
      const args = { args: await argsFor(media, clip, { sound: true, objects: true }) };
      const fresh = await open();
      try {
        return await fresh.run<ObserveCost>({ module: TASKS, name: 'observeCost', args });
      } finally {
        await fresh.close();
        await rm(clip);
      }
    };
    const minute = await pass(60);
    const cost = await pass(600);
    const what = existsSync(WEIGHTS) ? 'signals, sound and objects' : 'signals and sound';
    return [
      signals[0]!,
      {
        name: `${what} of 1080p30, times real time`,
        value: cost.videoS / cost.wallS,
        unit: '×',
        bar: { min: 6 },
        note: `${cost.cpuS.toFixed(1)} s of CPU for ${cost.videoS.toFixed(0)} s of video`,
      },
      { name: 'the same of one minute, start and all', value: minute.videoS / minute.wallS, unit: '×' },
      {
        name: `the same by CPU time, ${CORES} cores`,
        value: (CORES * cost.videoS) / cost.cpuS,
        unit: '×',
        note: 'what it could reach with both cores to itself',
      },
      {
        name: `peak memory of the process, ${what} of 1080p30`,
        value: cost.peakBytes / 1e6,
        unit: 'MB',
        bar: { max: 400 },
      },
    ];
  } finally {
    await media.close();
    await rm(folder, { recursive: true });
  }
}

/** Loads stored observations of ten minutes at 30 frames per second. */
async function loadRows(media: Media, source: string): Promise<BenchmarkRow[]> {
  const clip = await loopedClip(source, 600);
  const args = { ...(await argsFor(media, clip, { sound: true, objects: false })) };
  const made = await media.run<Record<string, Uint8Array>>({ module: OBSERVE, name: 'observe', args });
  await rm(clip);
  const artifacts = new Map(Object.entries(made));
  const times = Array.from({ length: 21 }, () => {
    const started = performance.now();
    decodeObservations(artifacts);
    return performance.now() - started;
  });
  const bytes = artifacts.values().reduce((sum, { byteLength }) => sum + byteLength, 0);
  return [
    {
      name: 'loading the observations of ten minutes',
      value: median(times),
      unit: 'ms',
      bar: { max: 10 },
      note: `${(bytes / 1e6).toFixed(1)} MB`,
    },
  ];
}
