import type { Model } from './models-query.ts';

type FileNames = { name: string; installed_sha256: string | null };
export type AssignedFiles<T> = { assigned: { name: string; file: T }[]; unknown: T[]; missing: string[] };

/**
 * Assigns chosen files to the files of a model by their names. The only file that is left, such as a renamed one,
 * belongs to the only name that is left. `missing`: names that are neither installed nor chosen.
 */
export function assignFiles<T extends { name: string }>(
  files: readonly FileNames[],
  chosen: readonly T[],
): AssignedFiles<T> {
  const byName = new Map(chosen.map((file) => [file.name, file]));
  const assigned = files.flatMap(({ name }) => {
    const file = byName.get(name) ?? byName.get(baseOf(name));
    return file ? [{ name, file }] : [];
  });
  const taken = new Set(assigned.map(({ file }) => file));
  const unknown = chosen.filter((file) => !taken.has(file));
  const open = files.filter(({ name }) => !byName.has(name) && !byName.has(baseOf(name)));
  const needed = files.length === 1 ? open : open.filter(({ installed_sha256 }) => installed_sha256 === null);
  if (unknown.length === 1 && needed.length === 1) {
    return { assigned: [...assigned, { name: needed[0]!.name, file: unknown[0]! }], unknown: [], missing: [] };
  }
  return { assigned, unknown, missing: needed.map(({ name }) => name) };
}

/** Names of files may have a folder, which the dialog of the browser does not state. */
const baseOf = (name: string) => name.slice(name.lastIndexOf('/') + 1);

/** Endings of the files of a model, for the dialog of the browser that chooses them. */
export const endingsOf = ({ files }: Pick<Model, 'files'>): string =>
  [...new Set(files.map(({ name }) => name.slice(name.lastIndexOf('.'))))].join();
