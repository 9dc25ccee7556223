/**
 * Writes the generated files or, with `--check`, lists those that are out of date; `check-python-models.ts` checks the
 * models of the Python client.
 * `npm run generate`, `npm run check`
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generatedFiles } from './generated-files.ts';
import { generatePythonModels, PYTHON_MODELS_SKIPPED } from './python-models.ts';

const root = resolve(import.meta.dirname, '..');
const scratch = await mkdtemp(join(tmpdir(), 'sightline-generate-'));
const stale: string[] = [];

try {
  for (const { file, content } of await generatedFiles(scratch)) {
    const path = join(root, file);
    const present = await readFile(path, 'utf8').catch(() => null);
    if (present === content) continue;
    stale.push(file);
    if (!process.argv.includes('--check')) await writeFile(path, content);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

if (!process.argv.includes('--check')) {
  const models = await generatePythonModels({ write: true });
  if (models === 'written') stale.push('the models of the Python client');
  if (models === 'missing generator') console.log(PYTHON_MODELS_SKIPPED);
  console.log(stale.length === 0 ? 'Nothing had changed.' : `Wrote ${stale.join(', ')}.`);
} else if (stale.length > 0) {
  console.error(`Not what the code generates now: ${stale.join(', ')}. Run npm run generate and commit the result.`);
  process.exitCode = 1;
}
