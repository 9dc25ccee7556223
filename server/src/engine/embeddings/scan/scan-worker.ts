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
    else port.postMessage({ hits: scanner.search(request) } satisfies ScanResponse);
  } catch (error) {
    port.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies ScanResponse);
  }
});
