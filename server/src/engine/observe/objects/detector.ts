import { Worker } from 'node:worker_threads';
import type { Detection } from './yolox.ts';

export type WorkerSettings = {
  /** Path of the ONNX file. */
  weights: string;
  slots: SharedArrayBuffer;
  /** Size of the pictures in pixels. */
  width: number;
  height: number;
};
export type ToWorker = { slot: number };
export type FromWorker =
  | { ready: true }
  | { slot: number; detections: Detection[]; colors: Float32Array }
  | { slot: number; failure: string };

/** What was found in one picture; `colors` holds the shares of the colour names for each detection, one after the other. */
export type Found = { detections: Detection[]; colors: Float32Array };

/** Finds things in pictures on threads of its own, so that detection overlaps decoding. */
export type Detector = {
  /**
   * Copies a picture (RGB) and has it looked at. Settles once there is room for the next one: awaiting it keeps decoding from running
   * ahead. Results keep the order of the pictures, whichever thread was quicker.
   */
  look(rgb: Uint8Array): Promise<void> | void;
  /** What was found in the next pictures, as far as is known. Each picture is told of once. */
  ready(): Found[];
  /** The same for all that are left, once they were looked at. */
  finish(): Promise<Found[]>;
  close(): Promise<void>;
};

/** Pictures that lie ready per thread: one at work, and enough to have work while decoding falls behind and to hold nothing up while it gets ahead. */
const SLOTS_PER_THREAD = 12;
/**
 * What a thread's own JavaScript may take, in MB. Left alone, each reserves 512 MB for compiled code, which counts against the limit of the process: two threads fit, and
 * the third ends it.
 */
const THREAD_LIMITS = { codeRangeSizeMb: 16, maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

export async function createDetector(settings: {
  weights: string;
  width: number;
  height: number;
  threads: number;
}): Promise<Detector> {
  const { weights, width, height, threads } = settings;
  const bytes = width * height * 3;
  const slotCount = threads * SLOTS_PER_THREAD;
  const slots = new SharedArrayBuffer(bytes * slotCount);
  const memory = new Uint8Array(slots);
  const free = Array.from({ length: slotCount }, (_, slot) => slot);
  /** Which picture lies in a slot, by number. */
  const pictureIn = new Int32Array(slotCount);
  /** What was found and not told yet, by the picture's number. */
  const found = new Map<number, Found>();
  let pictures = 0;
  let done = 0;
  let told = 0;
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

  const workerData: WorkerSettings = { weights, slots, width, height };
  const idle: Worker[] = [];
  const waiting: number[] = [];
  const workers = Array.from({ length: threads }, () => {
    return new Worker(new URL('./detector-worker.ts', import.meta.url), { workerData, resourceLimits: THREAD_LIMITS });
  });
  /** Those that load the model or look at a picture. */
  const busy = new Set(workers);
  const assign = () => {
    while (idle.length > 0 && waiting.length > 0) {
      const worker = idle.pop()!;
      busy.add(worker);
      worker.postMessage({ slot: waiting.shift()! } satisfies ToWorker);
    }
  };
  for (const worker of workers) {
    worker.on('error', (error) => {
      busy.delete(worker);
      fail(error);
    });
    worker.on('message', (message: FromWorker) => {
      busy.delete(worker);
      if ('failure' in message) return fail(new Error(`The detector failed: ${message.failure}`));
      if ('slot' in message) {
        const { slot, detections, colors } = message;
        found.set(pictureIn[slot]!, { detections, colors });
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
    const next: Found[] = [];
    for (let one = found.get(told); one; one = found.get(told)) {
      next.push(one);
      found.delete(told++);
    }
    return next;
  };

  return {
    ready,
    look(rgb) {
      if (failure) throw failure;
      // There is always a free slot here: the call before waited for one.
      const slot = free.pop()!;
      memory.set(rgb.subarray(0, bytes), slot * bytes);
      pictureIn[slot] = pictures++;
      waiting.push(slot);
      assign();
      return free.length > 0 ? undefined : until(() => free.length > 0);
    },
    async finish() {
      await until(() => done === pictures);
      return ready();
    },
    async close() {
      waiting.length = 0;
      // A thread that is ended while the runtime is at work takes the process with it.
      while (busy.size > 0) await changed.promise;
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
