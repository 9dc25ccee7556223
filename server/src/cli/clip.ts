import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '#platform/problem';

/** Resolves a path given on the command line. Throws `clip_missing` if it names no file. */
export function clipPath(clip: string): string {
  const path = resolve(clip);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) return path;
  const message = found ? `${clip} is a folder: name a video in it.` : `There is no file ${clip}.`;
  throw new Problem({ status: 404, code: 'clip_missing', message });
}
