import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '#platform/problem';

/** The full path of a clip that was named on the command line. Throws `clip_missing` when there is none. */
export function clipPath(clip: string): string {
  const path = resolve(clip);
  if (existsSync(path)) return path;
  throw new Problem({ status: 404, code: 'clip_missing', message: `There is no file ${clip}.` });
}
