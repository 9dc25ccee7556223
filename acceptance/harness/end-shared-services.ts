import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { endTree } from './processes.ts';

/** File in the folder of the run with the process ids of shared services, one per line. */
export const SHARED_SERVICES = 'shared-services';

/** Part of the global setup: ends the services that test files shared. Workers cannot, they are ended by a signal. */
export default function setup(project: TestProject): () => Promise<void> {
  return async () => {
    const list = join(project.getProvidedContext().folder, SHARED_SERVICES);
    const pids = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
    await Promise.all(pids.map((pid) => endTree(Number(pid))));
  };
}
