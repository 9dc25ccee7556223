/**
 * Checks the language of comments, documents, sentences and names, the files that they name, comment widths, exported
 * type names and commit subjects.
 * `npm run check`; `node scripts/check-prose.ts server/src/features/live` checks one folder.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { findDeadPaths } from './prose/paths.ts';
import {
  findDuplicateTypes,
  findPassageFaults,
  findSubjectFaults,
  findWideComments,
  type ProseFault,
} from './prose/rules.ts';
import { listFiles, type Passage, readMarkdown, readSource } from './prose/sources.ts';

const root = resolve(import.meta.dirname, '..');
const folders = process.argv.slice(2);
const faults: ProseFault[] = [];
const passages: Passage[] = [];

const files = await listFiles(root);
for (const file of files) {
  if (file.endsWith('.md')) {
    passages.push(...(await readMarkdown(root, file)));
    continue;
  }
  const source = await readSource(root, file);
  passages.push(...source.passages);
  faults.push(...findWideComments(source.commentLines));
}
faults.push(...passages.flatMap(findPassageFaults), ...findDuplicateTypes(passages));
faults.push(...(await findDeadPaths(root, files)));

const shown = faults.filter(({ file }) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)));
for (const { file, line, message } of shown.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)) {
  console.error(`${file}:${line}: ${message}`);
}
const subjectFaults = findSubjectFaults(await listSubjects());
for (const fault of subjectFaults) console.error(fault);

const count = shown.length + subjectFaults.length;
if (count > 0) console.error(`${count} faults. The rules are in scripts/prose.`);
process.exitCode = count === 0 ? 0 : 1;

/** Subjects of the commits that the branch has and the main branch lacks. */
async function listSubjects(): Promise<string[]> {
  for (const main of ['origin/HEAD', 'origin/main', 'main']) {
    const subjects = await promisify(execFile)('git', [
      '-C',
      root,
      'log',
      '--no-merges',
      '--format=%s',
      `${main}..HEAD`,
    ]).catch(() => null);
    if (subjects) return subjects.stdout.split('\n').filter((subject) => subject !== '');
  }
  return [];
}
