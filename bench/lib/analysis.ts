import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { editModel, reshaped } from '../../server/src/engine/models/onnx-model.ts';
import { decodeObservations } from '../../server/src/engine/observe/encoding.ts';
import { createDetector } from '../../server/src/engine/observe/objects/detector/detector.ts';
import {
  countCells,
  createInput,
  fillInput,
  toInputSize,
  VALUES_PER_CELL,
} from '../../server/src/engine/observe/objects/detector/yolox.ts';
import { detectorOf, toDetectorSize } from '../../server/src/engine/observe/objects/detectors.ts';
import { type ObserveArgs, observe } from '../../server/src/engine/observe/observe-task.ts';
import type { DecodeRequest, TaskContext } from '../../server/src/platform/media/index.ts';

/** Tasks of `analysis.ts` that run inside media processes, as in the product. */

/** Returns CPU milliseconds of this process: all threads, user and system. */
function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

export async function measureCpu(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return cpuMs(before);
}

export type SignalsCost = { decodeMs: number[]; signalsMs: number[]; frames: number };

/** Measures CPU of decoding a file alone and of computing its signals, in turns. */
export async function signalsCost(
  { args, repeats }: { args: ObserveArgs; repeats: number },
  context: TaskContext,
): Promise<SignalsCost> {
  const cost: SignalsCost = { decodeMs: [], signalsMs: [], frames: 0 };
  const nothing: DecodeRequest = { frames: [] };
  await observe(args, context);
  for (let turn = 0; turn < repeats; turn++) {
    const decode = async () => {
      cost.frames = (await context.decoder.decode(args.path, nothing)).frames;
    };
    cost.decodeMs.push(await measureCpu(decode));
    cost.signalsMs.push(await measureCpu(() => observe(args, context)));
  }
  return cost;
}

export type ObserveCost = { wallS: number; cpuS: number; videoS: number; peakBytes: number; bytes: number };

/** Measures one whole pass in its own process: time, CPU and peak memory. */
export async function observeCost({ args }: { args: ObserveArgs }, context: TaskContext): Promise<ObserveCost> {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const made = await observe(args, context);
  const artifacts = new Map(Object.entries(made));
  return {
    wallS: (performance.now() - started) / 1000,
    cpuS: cpuMs(cpu) / 1000,
    videoS: decodeObservations(artifacts).video.durationS,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    bytes: artifacts.values().reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}

export type DetectorCost = { bareMs: number[]; oursMs: number[]; pictures: number };

/**
 * Measures CPU of the same images in bare onnxruntime on one thread with prepared inputs, and in our detector with one
 * thread.
 */
export async function detectorCost(
  {
    path,
    weights,
    shown,
    repeats,
  }: { path: string; weights: string; shown: { width: number; height: number }; repeats: number },
  { decoder }: TaskContext,
): Promise<DetectorCost> {
  const spec = detectorOf('yolox_nano');
  const size = toDetectorSize(shown, spec);
  const input = toInputSize(size);
  const inputShape = [1, 3, input.height, input.width];
  const pictures: Uint8Array[] = [];
  const onFrame = ({ data }: { data: Uint8Array }) => void pictures.push(data.slice());
  await decoder.decode(path, { frames: [{ ...size, format: 'rgb', minIntervalS: 0.2, onFrame }] });
  const inputs = pictures.map((rgb) => {
    const planes = createInput(size);
    fillInput(planes, rgb, size);
    return new Tensor('float32', planes, inputShape);
  });
  const model = editModel(await readFile(weights), reshaped(inputShape, [1, countCells(size), VALUES_PER_CELL]));
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  const detector = await createDetector({ weights, spec, ...size, threads: 1 });
  const cost: DetectorCost = { bareMs: [], oursMs: [], pictures: pictures.length };
  const bare = async () => {
    for (const images of inputs) await session.run({ images });
  };
  const ours = async () => {
    for (const rgb of pictures) await detector.detect(rgb);
    await detector.finish();
  };
  await bare();
  await ours();
  for (let turn = 0; turn < repeats; turn++) {
    cost.bareMs.push(await measureCpu(bare));
    cost.oursMs.push(await measureCpu(ours));
  }
  await detector.close();
  return cost;
}

/**
 * Writes a copy of a clip at 1080p and 30 frames per second, like a current camera, with a keyframe every two seconds.
 * `seconds`: its longest duration.
 */
export async function enlarge(
  { source, path, seconds = Number.POSITIVE_INFINITY }: { source: string; path: string; seconds?: number },
  { decoder, encoder }: TaskContext,
): Promise<void> {
  const [width, height, fps] = [1920, 1080, 30];
  let frames = 0;
  const passed: { timeS: number; data: Uint8Array }[] = [];
  let decoded = Promise.withResolvers<void>();
  let wanted = Promise.withResolvers<void>();
  // The decoder waits for the encoder after each frame, so the clip is never in memory as a whole.
  const decoding = decoder.decode(source, {
    frames: [
      {
        width,
        height,
        format: 'rgb',
        onFrame: async ({ data }) => {
          if (frames >= seconds * fps) return;
          const rgba = new Uint8Array(width * height * 4);
          for (let from = 0, to = 0; to < rgba.length; from += 3, to += 4) {
            rgba[to] = data[from]!;
            rgba[to + 1] = data[from + 1]!;
            rgba[to + 2] = data[from + 2]!;
          }
          passed.push({ timeS: frames++ / fps, data: rgba });
          decoded.resolve();
          await wanted.promise;
          wanted = Promise.withResolvers();
        },
      },
    ],
  });
  const pictures = async function* () {
    const done = decoding.then(() => decoded.resolve());
    for (;;) {
      await decoded.promise;
      decoded = Promise.withResolvers();
      const picture = passed.shift();
      if (!picture) return void (await done);
      yield picture;
      wanted.resolve();
    }
  };
  await encoder.encode(path, {
    width,
    height,
    frames: pictures(),
    get endS() {
      return frames / fps;
    },
  });
}
