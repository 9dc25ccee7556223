import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from './run-task.ts';

/** Entry point of a thread: runs one task. */
const { module, name, input } = workerData as ThreadRequest;
const respond = (response: ThreadResponse) => parentPort!.postMessage(response);
try {
  const { [name]: run } = (await import(module)) as Record<string, (input: unknown) => unknown>;
  respond({ output: await run!(input) });
} catch (error) {
  respond({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
