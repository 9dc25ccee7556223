import { Worker } from 'node:worker_threads';
import type { DetectorSpec } from '../detectors.ts';
import type { Detection } from './detection.ts';

export type DetectorWorkerSettings = {
  /** Path of the ONNX file. */
  weights: string;
  spec: DetectorSpec;
  slots: SharedArrayBuffer;
  /** Size of the frames in pixels. */
  width: number;
  height: number;
};
export type DetectorRequest = { slot: number };
export type DetectorResponse =
  | { ready: true }
  | { slot: number; detections: Detection[]; colors: Float32Array }
  | { slot: number; failure: string };

/** Detections in one frame; `colors` holds the shares of the color names for each detection, one after the other. */
export type FrameDetections = { detections: Detection[]; colors: Float32Array };

/** Detects objects in frames on its own threads, so that detection overlaps decoding. */
export type Detector = {
  /**
   * Copies a frame (RGB) and queues it. Resolves once there is room for the next one: awaiting it keeps decoding from
   * running ahead. Results keep the order of the frames.
   */
  detect(rgb: Uint8Array): Promise<void> | void;
  /** Results of the next frames, as far as available. Each result is returned once. */
  takeResults(): FrameDetections[];
  /** Waits for all remaining results. */
  finish(): Promise<FrameDetections[]>;
  close(): Promise<void>;
};

/**
 * Queued frames per thread: enough to keep it busy when decoding falls behind, and not to block decoding when it gets
 * ahead.
 */
const SLOTS_PER_THREAD = 12;
/**
 * Memory limits of a thread in MB. By default each reserves 512 MB for compiled code, which counts against the limit
 * of the process, and a third thread would exceed it.
 */
const THREAD_LIMITS = { codeRangeSizeMb: 16, maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

export async function createDetector(settings: {
  /** Path of the ONNX file. */
  weights: string;
  spec: DetectorSpec;
  /** Size of the frames, from `toDetectorSize`. */
  width: number;
  height: number;
  threads: number;
}): Promise<Detector> {
  const { weights, spec, width, height, threads } = settings;
  const bytes = width * height * 3;
  const slotCount = threads * SLOTS_PER_THREAD;
  const slots = new SharedArrayBuffer(bytes * slotCount);
  const memory = new Uint8Array(slots);
  const free = Array.from({ length: slotCount }, (_, slot) => slot);
  /** The frame in a slot, by number. */
  const frameInSlot = new Int32Array(slotCount);
  /** Results that were not returned yet, by frame number. */
  const found = new Map<number, FrameDetections>();
  let frameCount = 0;
  let done = 0;
  let returned = 0;
  let failure: Error | null = null;
  let changed = Promise.withResolvers<void>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const fail = (error: Error) => {
    failure ??= error;
    notify();
  };

  const workerData: DetectorWorkerSettings = { weights, spec, slots, width, height };
  const idle: Worker[] = [];
  const waiting: number[] = [];
  const workers = Array.from({ length: threads }, () => {
    return new Worker(new URL('./detector-worker.ts', import.meta.url), { workerData, resourceLimits: THREAD_LIMITS });
  });
  /** Threads that load the model or process a frame. */
  const busy = new Set(workers);
  const assign = () => {
    while (idle.length > 0 && waiting.length > 0) {
      const worker = idle.pop()!;
      busy.add(worker);
      worker.postMessage({ slot: waiting.shift()! } satisfies DetectorRequest);
    }
  };
  for (const worker of workers) {
    worker.on('error', (error) => {
      busy.delete(worker);
      fail(error);
    });
    worker.on('message', (message: DetectorResponse) => {
      busy.delete(worker);
      if ('failure' in message) return fail(new Error(`The detector failed: ${message.failure}`));
      if ('slot' in message) {
        const { slot, detections, colors } = message;
        found.set(frameInSlot[slot]!, { detections, colors });
        free.push(slot);
        done++;
      }
      idle.push(worker);
      assign();
      notify();
    });
  }
  const until = async (condition: () => boolean) => {
    while (!condition()) {
      if (failure) throw failure;
      await changed.promise;
    }
    if (failure) throw failure;
  };

  const ready = () => {
    const next: FrameDetections[] = [];
    for (let one = found.get(returned); one; one = found.get(returned)) {
      next.push(one);
      found.delete(returned++);
    }
    return next;
  };

  return {
    takeResults: ready,
    detect(rgb) {
      if (failure) throw failure;
      // There is always a free slot: the previous call waited for one.
      const slot = free.pop()!;
      memory.set(rgb.subarray(0, bytes), slot * bytes);
      frameInSlot[slot] = frameCount++;
      waiting.push(slot);
      assign();
      return free.length > 0 ? undefined : until(() => free.length > 0);
    },
    async finish() {
      await until(() => done === frameCount);
      return ready();
    },
    async close() {
      waiting.length = 0;
      // Terminating a thread while the runtime is working crashes the process.
      while (busy.size > 0) await changed.promise;
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
