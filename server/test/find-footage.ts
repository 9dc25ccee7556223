import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

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

/** Finds the folder, once per run. If it is missing, prints one warning; in CI that is an error. */
export function findFootage({ ci, given }: { ci: boolean; given: string | undefined }): string | null {
  const folder = resolve(given || USUAL);
  if (existsSync(folder)) return folder;
  const missing = `there is no footage at ${folder} (set ${VARIABLE} to a folder that has it)`;
  if (ci) throw new Error(`CI skips no tests, and ${missing}.`);
  console.warn(`\nSKIPPED: all tests on real footage, because ${missing}.\n`);
  return null;
}
