import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Data folder of a service that was migrated, has converted the models of packages and has no organization yet. A
     * service that starts on a copy creates its organization and keys, but no database: that saves 2 s of CPU for each.
     */
    dataTemplate: string;
  }
}

/** Copies a folder with the owners of its files: as root, the database belongs to another user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

/** Folder of models in a data folder, unless the configuration names another one. */
export const modelsFolder = (dataDir: string): string => join(dataDir, 'models');

/** Gives a data folder the converted models of the template: each conversion takes a second of CPU. */
export async function copyModels(dataDir: string): Promise<void> {
  const models = modelsFolder(inject('dataTemplate'));
  if (existsSync(models)) await cp(models, modelsFolder(dataDir), { recursive: true });
}
