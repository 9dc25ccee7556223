import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { problems } from './problems.ts';

/** A pure function with the module that exports it. Inputs and results are data that can be cloned. */
export type ThreadTask<Input, Output> = Readonly<{
  module: URL;
  /** Name of the function in the module. */
  name: string;
  run(input: Input): Output | Promise<Output>;
}>;

export type ThreadRequest = { module: string; name: string; input: unknown };
export type ThreadResponse = { output: unknown } | { failure: string };

type TaskOptions = {
  /** Size of the input. */
  bytes: number;
  signal?: AbortSignal | undefined;
  /** Memory of a thread in MB. */
  memoryMb?: number;
};

/** Up to this size a task runs at once: a thread takes longer to start. */
const INLINE_BYTES = 64 * 1024;
/** Threads of a process at the same time; further tasks wait. */
const MAX_THREADS = 2;
const TIMEOUT_MS = 60_000;
const MEMORY_MB = 1_024;
const THREAD = new URL('./thread.ts', import.meta.url);

const limitThreads = pLimit(MAX_THREADS);

/**
 * Runs a task whose input has this size: a large one in a thread of its own, which ends with the signal, after a
 * minute or when it needs too much memory. Throws `file_too_complex` (400) for the latter two.
 */
export async function runTask<Input, Output>(
  task: ThreadTask<Input, Output>,
  input: Input,
  { bytes, signal, memoryMb = MEMORY_MB }: TaskOptions,
): Promise<Output> {
  signal?.throwIfAborted();
  if (bytes <= INLINE_BYTES) return task.run(input);
  return limitThreads(() => runInThread(task, input, memoryMb, signal));
}

async function runInThread<Input, Output>(
  { module, name }: ThreadTask<Input, Output>,
  input: Input,
  memoryMb: number,
  signal: AbortSignal | undefined,
): Promise<Output> {
  signal?.throwIfAborted();
  const workerData: ThreadRequest = { module: module.href, name, input };
  const worker = new Worker(THREAD, { workerData, resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  const { promise, resolve, reject } = Promise.withResolvers<Output>();
  const abort = () => reject(signal!.reason);
  const timer = setTimeout(() => reject(problems.file_too_complex()), TIMEOUT_MS);
  signal?.addEventListener('abort', abort);
  worker.once('message', (response: ThreadResponse) => {
    if ('output' in response) resolve(response.output as Output);
    else reject(new Error(`${name} failed in its thread: ${response.failure}`));
  });
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? problems.file_too_complex(undefined, { cause: error }) : error),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
