/**
 * A detector against YOLOX-Nano: per class, how many of the objects that a person labeled in the clips each of them
 * finds (prompts for a class alone; `accuracy/score.ts` defines when one is found), and how many events are wrong; and
 * the computation of a frame, in turns in one process. The answers of a detector to all prompts are measured by `npm
 * run bench -- accuracy --detector NAME`, the reliability of its tracks by `npm run bench -- tracks --detector NAME`.
 *
 * Of a detector that sees a larger copy of frames, also the share of labeled frames in which it finds what is small.
 *
 * `npm run bench -- detectors [--detector NAME] [--fresh]`; without a name, the detector that comes with the
 * installation.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine, Plan } from '../server/src/engine/index.ts';
import { CATALOG } from '../server/src/engine/models/index.ts';
import { openNetwork } from '../server/src/engine/observe/objects/detector/network.ts';
import { detectorOf, toDetectorSize, weightsNameOf } from '../server/src/engine/observe/objects/detectors.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia, type Media } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import type { LabeledClip } from './accuracy/ask.ts';
import { ROAD } from './accuracy/road.ts';
import { ROBOTICS } from './accuracy/robotics.ts';
import { score, timesOf } from './accuracy/score.ts';
import { SECURITY } from './accuracy/security.ts';
import { measureCpu } from './lib/analysis.ts';
import { median } from './lib/measure.ts';
import { observed } from './lib/observed.ts';
import { locateModel, openEngine } from './lib/open-engine.ts';
import type { FrameScores } from './lib/scales.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const MODELS = join(SHARED, 'models');
const dataPath = (file: string) => join(SHARED, 'data', file);
const CLIPS: readonly LabeledClip[] = [...ROAD, ...SECURITY, ...ROBOTICS];
const KINDS = ['signals', 'objects', 'fine_objects'] as const;
const BASE = 'yolox_nano';
const SCALES = new URL('./lib/scales.ts', import.meta.url);
const FRAMES = 30;
const FRAME = { width: 1920, height: 1080 };

type Counts = { found: number; labeled: number; wrong: number };

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const named = args.includes('--detector') ? args[args.indexOf('--detector') + 1]! : null;
  const name = named ?? CATALOG.find(({ isFallback }) => isFallback)!.name;
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  try {
    const counts = new Map<string, Map<string, Counts>>();
    for (const detector of [name, BASE]) {
      const engine = openEngine({ media, log, models: MODELS, args: ['--detector', detector] });
      counts.set(detector, await countObjects(engine, media, args.includes('--fresh')));
    }
    const [own, base] = [counts.get(name)!, counts.get(BASE)!];
    const known = [...own].filter(([className]) => detectorOf(name).classes.includes(className));
    const rows = known.map(
      ([className, { found, labeled, wrong }]): BenchmarkRow => ({
        name: `${className}: found`,
        value: found / labeled,
        unit: '',
        note: `${found} of ${labeled}, ${wrong} wrong; ${BASE}: ${base.get(className)?.found} and ${base.get(className)?.wrong}`,
      }),
    );
    const small = detectorOf(name).fineSide === undefined ? [] : await smallObjectRows(media, name);
    return [...rows, ...small, await costRow(name)];
  } finally {
    await media.close();
  }
}

/** The class that a prompt asks for alone; null if it asks for anything else. */
function classOf({ searches }: Plan): string | null {
  const [search, ...others] = searches;
  const [step, ...later] = search?.steps ?? [];
  if (!step || others.length > 0 || later.length > 0 || step.what.kind !== 'object') return null;
  const { subject, action, relation } = step.what;
  const isPlain =
    action === 'present' && relation === null && subject.colors.length === 0 && !subject.place && !subject.state;
  return isPlain && subject.classes.length === 1 && !step.negated ? subject.classes[0]! : null;
}

async function countObjects(engine: Engine, media: Media, fresh: boolean): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>();
  for (const clip of CLIPS.filter(({ file }) => existsSync(dataPath(file)))) {
    const path = dataPath(clip.file);
    const { durationS } = await media.probe(path);
    const artifacts = await observed(engine, path, { fresh, pass: 'dense', kinds: KINDS });
    const frames = clip.labels ? await labelsOf(dataPath(clip.labels.file)) : new Map<string, number[]>();
    const seen = new Set<string>();
    for (const expectation of clip.expectations) {
      const plan = engine.plan(expectation.prompt);
      const className = classOf(plan);
      // Synonyms ask for the same objects again.
      if (className === null || seen.has(className)) continue;
      seen.add(className);
      const times = timesOf(expectation, frames, clip.labels?.fps ?? 1);
      const { events } = engine.answer(plan, artifacts);
      const { expected, missed, wrong } = score(times, events, { durationS, toleranceS: clip.toleranceS });
      const sum = counts.get(className) ?? { found: 0, labeled: 0, wrong: 0 };
      counts.set(className, {
        found: sum.found + expected - missed.length,
        labeled: sum.labeled + expected,
        wrong: sum.wrong + wrong.length,
      });
    }
  }
  return counts;
}

/** Clips of which a person labeled the share of each class in every frame, and their frames per second. */
const SMALL_CLIPS = [
  { name: 'road/camvid_0006R0_carpark_1fps', fps: 1 },
  { name: 'road/camvid_0016E5_cyclists_15fps', fps: 15 },
] as const;
/** Classes of the labels, and those of the detector that show them. */
const SMALL_CLASSES = {
  person: { labels: ['pedestrian', 'bicyclist'], found: ['person'] },
  bicycle: { labels: ['bicyclist'], found: ['bicycle'] },
  car: { labels: ['car'], found: ['car', 'truck', 'bus'] },
} as const;
/** Shares of a frame between which a class is small in it: less may be a mistake of the labels. */
const [LEAST_SHARE, SMALL_SHARE] = [0.001, 0.01];
const MIN_SCORE = 0.3;

/** Frames in which a class is small: how many of them the detector finds it in, without tracking. */
async function smallObjectRows(media: Media, name: string): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const frames: { labels: Map<string, number>; scores: Record<string, Record<string, number>> }[] = [];
  for (const clip of SMALL_CLIPS) {
    const columns = await labelsOf(dataPath(`${clip.name}.labels.csv`));
    const path = dataPath(`${clip.name}.mp4`);
    const { video } = await media.probe(path);
    const weights = await locateModel(MODELS, BASE);
    const args = { path, displaySize: video, weights, detectors: [BASE, name] };
    const seen = await media.run<FrameScores[]>({ module: SCALES, name: 'scoreFrames', args });
    for (const { timeS, scores } of seen) {
      const labels = new Map([...columns].map(([column, values]) => [column, values[Math.round(timeS * clip.fps)]!]));
      if (labels.values().every((value) => value !== undefined)) frames.push({ labels, scores });
    }
  }
  for (const [className, { labels, found }] of Object.entries(SMALL_CLASSES)) {
    const shareOf = (frame: (typeof frames)[number]) =>
      labels.reduce((sum, column) => sum + (frame.labels.get(column) ?? 0), 0);
    const small = frames.filter((frame) => shareOf(frame) > LEAST_SHARE && shareOf(frame) < SMALL_SHARE);
    const none = frames.filter((frame) => shareOf(frame) === 0);
    const count = (of: typeof frames, detector: string) =>
      of.filter(({ scores }) => found.some((each) => (scores[detector]![each] ?? 0) > MIN_SCORE)).length;
    rows.push({
      name: `frames with a small ${className}: found`,
      value: count(small, name) / small.length,
      unit: '',
      note: `${count(small, name)} of ${small.length}, ${BASE}: ${count(small, BASE)}; of ${none.length} frames without any: ${count(none, name)}, ${BASE}: ${count(none, BASE)}`,
    });
  }
  return rows;
}

async function costRow(name: string): Promise<BenchmarkRow> {
  const ms = new Map<string, number[]>();
  const networks = await Promise.all(
    [name, BASE].flatMap((each) => {
      const { side, fineSide } = detectorOf(each);
      return [side, ...(fineSide === undefined ? [] : [fineSide])].map(async (longest) => {
        const frame = toDetectorSize(FRAME, { side: longest });
        const weights = await locateModel(MODELS, weightsNameOf(each));
        const network = await openNetwork({ ...detectorOf(each), weights, frame });
        return { name: each, network, rgb: new Uint8Array(3 * frame.width * frame.height).fill(128) };
      });
    }),
  );
  for (let turn = 0; turn < FRAMES; turn++) {
    for (const each of [name, BASE]) {
      const spent = await measureCpu(async () => {
        for (const { network, rgb } of networks.filter((one) => one.name === each)) await network(rgb);
      });
      if (turn > 0) ms.set(each, [...(ms.get(each) ?? []), spent]);
    }
  }
  const [own, base] = [name, BASE].map((each) => median(ms.get(each)!));
  return {
    name: `computation of a frame, against ${BASE}`,
    value: own! / base!,
    unit: '×',
    note: `${own!.toFixed(1)} ms of CPU`,
  };
}

/** Columns of a CSV file of hand-labeled frames. */
async function labelsOf(path: string): Promise<Map<string, number[]>> {
  const [head, ...lines] = (await readFile(path, 'utf8')).trim().split('\n');
  const rows = lines.map((line) => line.split(','));
  return new Map(head!.split(',').map((column, i) => [column.trim(), rows.map((row) => Number(row[i]))]));
}
