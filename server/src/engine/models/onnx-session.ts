import type { InferenceSession } from 'onnxruntime-node';

/** Options of sessions that run beside each other. One thread: sums have a fixed order, on every machine. */
export const ONE_THREAD = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  /** Errors only. */
  logSeverityLevel: 3,
} as const satisfies InferenceSession.SessionOptions;
