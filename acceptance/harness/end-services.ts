import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { endTree } from './processes.ts';

/** File in the folder of the run with the process ids of started services, one per line. */
export const STARTED_SERVICES = 'started-services';

/**
 * Part of the global setup: ends the services that still run, which test files share or whose tests failed before they
 * stopped them. Workers cannot, they are ended by a signal.
 */
export default function setup(project: TestProject): () => Promise<void> {
  return async () => {
    const list = join(project.getProvidedContext().folder, STARTED_SERVICES);
    const pids = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').map(Number) : [];
    await Promise.all(pids.filter(isService).map(endTree));
  };
}

/** False if the process has ended, even if its id belongs to another process now. */
function isService(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes('SIGHTLINE_DATA_DIR=');
  } catch {
    return false;
  }
}
