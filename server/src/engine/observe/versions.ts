/**
 * What each observer's results are stored under: a version changes with everything that changes results, and artifacts of another version are made
 * anew. `versions.test.ts` holds a digest of each observer's results to its version.
 */
export const VERSIONS = {
  triage: 'triage-1',
  signals: 'signals-6',
  sound: 'sound-1',
  telemetry: 'telemetry-1',
  objects: 'objects-8',
} as const;
