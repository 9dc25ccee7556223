import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Data folder of a service that was migrated and has no organization yet. A service that starts on a copy creates
     * its organization and keys, but no database: that saves 2 s of CPU for each.
     */
    dataTemplate: string;
  }
}

/** Copies a folder with the owners of its files: as root, the database belongs to another user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}
