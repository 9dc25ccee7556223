import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createModelFolder } from '../../server/src/engine/index.ts';
import { CATALOG } from '../../server/src/engine/models/index.ts';
import { createDetector } from '../../server/src/engine/observe/objects/detector/detector.ts';
import { detectorOf } from '../../server/src/engine/observe/objects/detectors.ts';
import type { ObserveArgs } from '../../server/src/engine/observe/observe-task.ts';
import { openTextReader, type TextModel } from '../../server/src/engine/observe/text/reader.ts';
import type { Media } from '../../server/src/platform/media/index.ts';
import type { BenchmarkRow } from '../run.ts';
import type { ObserveCost } from './analysis.ts';

const TASKS = new URL('./analysis.ts', import.meta.url);
/** A drive, in which every frame changes. */
const CLIP = 'road/udacity_solidWhiteRight.mp4';
const REPEATS = 10;
/** Frames of the detector that one repetition is compared with. */
const FRAMES = 10;
const SIDE = 416;
/** Size at which lines are detected in a wide video. */
const IMAGE = { width: 960, height: 544 };
/** The whole of it. */
const FRAME = { x0: 0, y0: 0, x1: IMAGE.width, y1: IMAGE.height };
const LINE = { x0: 100, y0: 100, x1: 340, y1: 148 };

/** CPU of detecting the lines of a frame and of reading one, in frames of the detector; and that of the whole pass. */
export async function costRows(media: Media, shared: string): Promise<BenchmarkRow[]> {
  const weights = join(shared, 'models/yolox_nano.onnx');
  const files = await locateFiles();
  const reader = await openTextReader(files);
  const detector = await createDetector({
    weights,
    spec: detectorOf('yolox_nano'),
    width: SIDE,
    height: SIDE,
    threads: 1,
  });
  const frame = new Uint8Array(SIDE * SIDE * 3).fill(128);
  const image = {
    ...IMAGE,
    data: Uint8Array.from({ length: IMAGE.width * IMAGE.height * 3 }, (_, at) => (at * 7919) % 251),
  };
  const cost = { detect: 0, read: 0, frame: 0 };
  for (let turn = 0; turn <= REPEATS; turn++) {
    const spent = {
      detect: await measureCpu(() => reader.detect(image, 1, FRAME)),
      read: await measureCpu(() => reader.recognize(image, LINE)),
      frame: await measureCpu(async () => {
        for (let at = 0; at < FRAMES; at++) await detector.detect(frame);
        await detector.finish();
      }),
    };
    // The first turn warms up.
    if (turn > 0) for (const name of ['detect', 'read', 'frame'] as const) cost[name] += spent[name];
  }
  await reader.close();
  await detector.close();
  const perFrame = cost.frame / FRAMES;
  const path = join(shared, 'data', CLIP);
  const { video, durationS, audio } = await media.probe(path);
  const facts = {
    durationS,
    width: video.width,
    height: video.height,
    timeBase: video.timeBase,
    hasAudio: audio !== null,
  };
  const runPass = async (settings: Record<string, unknown>) => {
    const args: ObserveArgs = { path, video: facts, kinds: Object.keys(settings), sidecar: null, settings };
    return (await media.run<ObserveCost>({ module: TASKS, name: 'observeCost', args: { args } })).cpuS;
  };
  const dense = await runPass({ signals: null, sound: null, objects: { weights, model: 'bench' } });
  const text = await runPass({ text: { files, model: 'bench' } });
  return [
    { name: 'CPU of detecting the lines of a frame of 960 × 544', value: cost.detect / perFrame, unit: 'frames' },
    { name: 'CPU of reading a line', value: cost.read / perFrame, unit: 'frames' },
    { name: 'CPU of reading a drive, against the pass over every frame', value: text / dense, unit: '×' },
  ];
}

async function locateFiles(): Promise<TextModel> {
  const model = CATALOG.find(({ task }) => task === 'text')!;
  const folder = createModelFolder(fileURLToPath(new URL('../../no-models', import.meta.url)));
  const [detector, recognizer, characters] = await Promise.all(
    model.files.map(async (file) => (await folder.locate(model, file))!.path),
  );
  return { detector: detector!, recognizer: recognizer!, characters: characters! };
}

async function measureCpu(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
