import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProseFault } from './rules.ts';

/** A path of a source file in backticks, from any folder of the repository: `plan/schema.ts`. */
const PATH = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|sql|md|py|sh|svg))`/g;
/** Files that a guide tells its reader to create. */
const EXAMPLES = new Set(['server/src/engine/observe/blue/observer.ts']);

/** Paths in comments and documents that name no file of the repository. */
export async function findDeadPaths(root: string, files: readonly string[]): Promise<ProseFault[]> {
  const { stdout } = await promisify(execFile)('git', ['-C', root, 'ls-files']);
  const known = new Set<string>();
  for (const file of stdout.split('\n')) {
    const parts = file.split('/');
    for (let from = 0; from < parts.length; from++) known.add(parts.slice(from).join('/'));
  }
  const faults: ProseFault[] = [];
  for (const file of files) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) {
      if (!file.endsWith('.md') && !/^\s*(\/\/|\/?\*)/.test(line)) continue;
      for (const [, path] of line.matchAll(PATH)) {
        if (known.has(path!) || EXAMPLES.has(path!)) continue;
        faults.push({ file, line: index + 1, message: `there is no file ${path}` });
      }
    }
  }
  return faults;
}
