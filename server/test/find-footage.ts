import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of real footage; null on machines without it. */
    footage: string | null;
  }
}

/**
 * Folder of real footage, with model weights beside it (`../models`); neither is in the repository. Tests that need
 * them are skipped if the folder is missing; a missing file in it is a failure.
 */
const VARIABLE = 'SIGHTLINE_TEST_FOOTAGE';
const USUAL = resolve(import.meta.dirname, '../../../shared/data');

/** Folder of the weights of models. */
export const modelsBeside = (folder: string): string => resolve(folder, '../models');

/** Folder of the weights for services that tests start, in the folder of a run. */
export const serviceModels = (folder: string): string => join(folder, 'service models');

/** Finds the folder, once per run. If it is missing, prints one warning; in CI that is an error. */
export function findFootage({ ci, given }: { ci: boolean; given: string | undefined }): string | null {
  const folder = resolve(given || USUAL);
  if (existsSync(folder)) return folder;
  const missing = `there is no footage at ${folder} (set ${VARIABLE} to a folder that has it)`;
  if (ci) throw new Error(`CI skips no tests, and ${missing}.`);
  console.warn(`\nSKIPPED: all tests on real footage, because ${missing}.\n`);
  return null;
}
