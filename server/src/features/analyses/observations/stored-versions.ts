/**
 * Versions that are stored under an earlier name: observations from before the rename stay valid, also for nodes of
 * the previous release. An entry ends with its version.
 */
const STORED_NAMES: Readonly<Record<string, string>> = {
  'sparse-pass-8': 'glance-8',
  'keyframe-scan-3': 'triage-3',
};
const NAMES = Object.fromEntries(Object.entries(STORED_NAMES).map(([name, stored]) => [stored, name]));

/** The name in a version, before what states the settings (".") or the range ("@"). */
const NAME = /^[^.@]+/;

/** The version of an observer as the database has it. */
export const toStoredVersion = (version: string): string => version.replace(NAME, (name) => STORED_NAMES[name] ?? name);

/** The version of an observer from the database. */
export const fromStoredVersion = (stored: string): string => stored.replace(NAME, (name) => NAMES[name] ?? name);
