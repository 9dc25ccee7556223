import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    folder: string;
  }
}

/** A new folder that goes with all others when the run ends. Its path has a space. */
export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(inject('folder'), 'test '));
}
