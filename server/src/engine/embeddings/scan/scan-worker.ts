import { parentPort } from 'node:worker_threads';
import { createScanner } from './scanner.ts';
import type { ScanRequest, ScanResponse } from './types.ts';

/** Entry point of the thread that scans vectors: a scan blocks its thread for some ten milliseconds. */
const port = parentPort!;
const scanner = createScanner();

port.on('message', (request: ScanRequest) => {
  try {
    if (request.kind === 'load') scanner.load(request.key, request.frames);
    else if (request.kind === 'drop') scanner.drop(request.key);
    else port.postMessage({ id: request.id, hits: scanner.search(request) } satisfies ScanResponse);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const response = request.kind === 'search' ? { id: request.id, failure } : { lost: request.key };
    port.postMessage(response satisfies ScanResponse);
  }
});
